/** A stdio server as a child process: no shell, a short list of environment variables, stderr always drained, ended with the runtime. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, resolve as resolvePath } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { UsherError } from '../errors.ts'
import { visible } from '../util/mask.ts'
import { NO_SANDBOX, sandboxed, type SandboxPlan } from './sandbox.ts'
import { type ByteLine, LineSplitter } from './split-lines.ts'
import { TextRing } from './text-ring.ts'

export interface ProcessOptions {
  readonly command: readonly string[]
  readonly cwd?: string
  /** Added to the inherited few; the owner names each. */
  readonly env?: { readonly [name: string]: string }
  readonly sandbox?: SandboxPlan
  /** Default 16 MiB. */
  readonly maxLineBytes?: number
  /** The host's way to say that a process start is its own work and no tool's effect. */
  readonly background?: <T>(name: string, work: () => T) => T
}

/** Where a terminal, a language and a home are, and nothing else: tokens of other programs stay out. */
const INHERITED = ['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER', 'SystemRoot', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'TEMP', 'PROGRAMFILES']
const STDERR_KEPT = 16 * 1024
const DEFAULT_MAX_LINE = 16 * 1024 * 1024
/** A server that does not end at the end of its input gets this long, in ms, then again after SIGTERM. */
const GRACE = 500

export function inheritedEnv(from: NodeJS.ProcessEnv = process.env): { [name: string]: string } {
  // A value that begins with "()" is a function exported by an old bash, and would be run by one.
  return Object.fromEntries(INHERITED.flatMap(name => from[name] === undefined || from[name].startsWith('()') ? [] : [[name, from[name]]]))
}

/** The file that a command starts, as the system would find it; undefined: none. */
export function findProgram(name: string, path: string = process.env['PATH'] ?? '', cwd: string = process.cwd()): string | undefined {
  const files = /[/\\]/.test(name) ? [resolvePath(cwd, name)] : path.split(delimiter).filter(folder => folder !== '').map(folder => resolvePath(folder, name))
  return files.find(file => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

const living = new Set<Child>()
let watching = false

/** The group, not only the process: launchers such as npx start the server as their child. */
function killGroup(child: Child, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    child.kill(signal) // no group left, or none on this system
  }
}

function endWithRuntime(child: Child): void {
  living.add(child)
  child.once('exit', () => living.delete(child))
  child.once('error', () => living.delete(child))
  if (watching) return
  watching = true
  process.on('exit', () => { for (const one of living) killGroup(one, 'SIGKILL') })
}

export class ServerProcess {
  readonly missing: readonly string[]
  /** Set before the first line can come: lines are pushed as they arrive. */
  onLine: (line: ByteLine) => void = () => undefined
  readonly exited: Promise<string>
  readonly #child: Child
  readonly #stderr = new TextRing(STDERR_KEPT)
  #ended: string | undefined

  private constructor(child: Child, options: ProcessOptions, missing: readonly string[]) {
    this.#child = child
    this.missing = missing
    const splitter = new LineSplitter(options.maxLineBytes ?? DEFAULT_MAX_LINE, line => this.onLine(line))
    child.stdout.on('data', (chunk: Buffer) => splitter.push(chunk))
    child.stdout.on('end', () => splitter.end())
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk))
    // A server that closed its input: its exit, or the deadline of what was asked, tells the caller.
    child.stdin.on('error', () => undefined)
    this.exited = new Promise(resolve => child.once('close', (code, signal) => {
      this.#ended = signal ? `it was ended by ${signal}` : `it exited with code ${code}`
      resolve(this.#ended)
    }))
    endWithRuntime(child)
  }

  /** Rejects with SERVER_FAILED where the program cannot be started. */
  static async start(options: ProcessOptions): Promise<ServerProcess> {
    const wanted = options.command[0] ?? ''
    if (process.platform !== 'win32' && !findProgram(wanted, options.env?.['PATH'] ?? process.env['PATH'], options.cwd))
      throw new UsherError('SERVER_FAILED', `"${options.command.join(' ')}" cannot be started: there is no program "${wanted}" (ENOENT)`)
    const run = options.background ?? (<T>(_name: string, work: () => T): T => work())
    const { child, missing } = run('mcp:start', () => {
      const plan = sandboxed(options.command, options.sandbox ?? NO_SANDBOX)
      const [program = '', ...rest] = plan.words
      const env = { ...inheritedEnv(), ...plan.env, ...options.env }
      return { missing: plan.missing, child: spawn(program, rest, { stdio: ['pipe', 'pipe', 'pipe'], shell: false, detached: true, windowsHide: true, env, ...options.cwd === undefined ? {} : { cwd: options.cwd } }) }
    })
    const server = new ServerProcess(child, options, missing)
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', cause => reject(new UsherError('SERVER_FAILED', `"${options.command.join(' ')}" cannot be started: ${cause.message}`, { cause })))
    })
    return server
  }

  get pid(): number | undefined { return this.#child.pid }
  /** How it ended, or undefined while it runs. */
  get ended(): string | undefined { return this.#ended }
  get exitCode(): number | null { return this.#child.exitCode }
  /** The end of what it wrote to stderr, safe to print. */
  get stderrTail(): string { return this.#stderr.tail.split('\n').map(visible).join('\n').trim() }
  get stderrBytes(): number { return this.#stderr.seen }

  /** One message, one line. Waits while the server's input is full. */
  async send(line: string): Promise<void> {
    if (this.#ended !== undefined || this.#child.stdin.destroyed) throw new UsherError('SERVER_FAILED', `the server is gone: ${this.#ended ?? 'it closed its input'}`)
    if (this.#child.stdin.write(`${line}\n`)) return
    await Promise.race([new Promise<void>(resolve => this.#child.stdin.once('drain', resolve)), this.exited])
  }

  /** Nothing more will come: what a program that reads to the end waits for. */
  endInput(): void { this.#child.stdin.end() }

  /** Ends its input, then asks, then kills, the whole group. Returns when it is gone. */
  async stop(): Promise<void> {
    this.#child.stdin.end()
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#gone(GRACE)) break
      killGroup(this.#child, signal)
    }
    if (!await this.#gone(GRACE)) this.#child.unref()
    killGroup(this.#child, 'SIGKILL')
  }

  async #gone(ms: number): Promise<boolean> {
    const timer = new AbortController()
    try {
      return await Promise.race([this.exited.then(() => true), delay(ms, false, { signal: timer.signal })])
    } finally {
      timer.abort()
    }
  }
}
