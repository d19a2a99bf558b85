/** A stdio server as a child process: no shell, a short list of environment variables, stderr always drained, ended with the runtime. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { UsherError } from '../errors.ts'
import { visible } from '../util/mask.ts'
import { ChildWatch } from './child-watch.ts'
import { findProgram } from './find-program.ts'
import { NO_SANDBOX, sandboxed, type SandboxPlan } from './sandbox.ts'
import { type ByteLine, LineSplitter } from './split-lines.ts'
import { TextRing } from './text-ring.ts'
import type { WatchMode } from './watch-mode.ts'

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
  /** Whether what it does is handed to the effects observer. Default `off`: whoever starts it may have watchers of its own. */
  readonly watch?: WatchMode
  /** The call that the whole life of the process belongs to, where it is started for one. */
  readonly call?: { readonly callId: string }
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

type Child = ChildProcessByStdio<Writable, Readable, Readable>

const living = new Map<Child, ChildWatch | undefined>()
let watching = false

/** The group, not only the process: launchers such as npx start the server as their child. */
function killGroup(child: Child, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    child.kill(signal) // no group left, or none on this system
  }
}

function endWithRuntime(child: Child, watch: ChildWatch | undefined): void {
  living.set(child, watch)
  child.once('exit', () => living.delete(child))
  child.once('error', () => living.delete(child))
  if (watching) return
  watching = true
  process.on('exit', () => {
    for (const [one, itsWatch] of living) {
      killGroup(one, 'SIGKILL')
      itsWatch?.close()
    }
  })
}

type Runner = NonNullable<ProcessOptions['background']>

/** Starting and ending a server is Usher's work, also in the middle of a call that may not start anything. */
const ownWork = (options: ProcessOptions, watch: ChildWatch | undefined): Runner => options.background ?? ((name, work) => watch ? watch.own(name, work) : work())

function spawnServer(options: ProcessOptions, watch: ChildWatch | undefined): { readonly child: Child, readonly missing: readonly string[] } {
  return ownWork(options, watch)('mcp:start', () => {
    const plan = sandboxed([...watch?.prefix ?? [], ...options.command], options.sandbox ?? NO_SANDBOX, watch?.folder)
    const [program = '', ...rest] = plan.words
    const own = { ...inheritedEnv(), ...plan.env, ...options.env }
    const env = watch ? watch.env(own) : own
    return { missing: plan.missing, child: spawn(program, rest, { stdio: ['pipe', 'pipe', 'pipe'], shell: false, detached: true, windowsHide: true, env, ...options.cwd === undefined ? {} : { cwd: options.cwd } }) }
  })
}

export class ServerProcess {
  readonly missing: readonly string[]
  readonly watch: ChildWatch | undefined
  /** Set before the first line can come: lines are pushed as they arrive. */
  onLine: (line: ByteLine) => void = () => undefined
  readonly exited: Promise<string>
  readonly #child: Child
  readonly #own: Runner
  readonly #stderr = new TextRing(STDERR_KEPT)
  #ended: string | undefined

  private constructor(child: Child, options: ProcessOptions, missing: readonly string[], watch: ChildWatch | undefined) {
    this.#child = child
    this.missing = missing
    this.watch = watch
    this.#own = ownWork(options, watch)
    const splitter = new LineSplitter(options.maxLineBytes ?? DEFAULT_MAX_LINE, line => this.onLine(line))
    child.stdout.on('data', (chunk: Buffer) => splitter.push(chunk))
    child.stdout.on('end', () => splitter.end())
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk))
    // A server that closed its input: its exit, or the deadline of what was asked, tells the caller.
    child.stdin.on('error', () => undefined)
    this.exited = new Promise(resolve => child.once('close', (code, signal) => {
      this.#ended = signal ? `it was ended by ${signal}` : `it exited with code ${code}`
      watch?.close()
      resolve(this.#ended)
    }))
    endWithRuntime(child, watch)
  }

  /** Rejects with SERVER_FAILED where the program cannot be started. */
  static async start(options: ProcessOptions): Promise<ServerProcess> {
    const wanted = options.command[0] ?? ''
    if (process.platform !== 'win32' && !findProgram(wanted, options.env?.['PATH'] ?? process.env['PATH'], options.cwd))
      throw new UsherError('SERVER_FAILED', `"${options.command.join(' ')}" cannot be started: there is no program "${wanted}" (ENOENT)`)
    const watch = options.watch === undefined || options.watch === 'off' ? undefined : new ChildWatch(wanted, options.watch, options)
    const { child, missing } = spawnServer(options, watch)
    const server = new ServerProcess(child, options, [...missing, ...watch?.missing ?? []], watch)
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', cause => {
        watch?.close()
        reject(new UsherError('SERVER_FAILED', `"${options.command.join(' ')}" cannot be started: ${cause.message}`, { cause }))
      })
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
      this.#own('mcp:stop', () => killGroup(this.#child, signal))
    }
    if (!await this.#gone(GRACE)) this.#child.unref()
    this.#own('mcp:stop', () => killGroup(this.#child, 'SIGKILL'))
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
