/** One server under audit: started behind whatever this system offers, listed, and started again if it dies. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { childEnv } from '../effects/children.ts'
import { UsherError } from '../errors.ts'
import { ServerConnection, type ServerTarget } from '../mcp/connection.ts'
import { resolvedCommand } from '../mcp/draft-server.ts'
import { builtFile } from '../util/built.ts'
import { insideCommand, meansOfThisSystem, straced, type InsideOrder } from './isolate.ts'
import { endProcesses, MARK } from './processes.ts'
import type { AuditEffect, WatcherState } from './report.ts'
import { Scratch } from './scratch.ts'
import { Watch } from './watch.ts'

export type AuditTarget =
  | { readonly kind: 'command', readonly command: readonly string[], /** As the owner's configuration names them; what looks secret gets a fake. */ readonly env?: { readonly [name: string]: string } }
  | { readonly kind: 'url', readonly url: string, readonly headers?: { readonly [name: string]: string } }

export interface SessionOptions {
  /** `cut`: without it where the system allows that. `required`: without it or not at all. `open`: with it. */
  readonly network: 'cut' | 'required' | 'open'
  readonly trace: 'auto' | 'strace' | 'shims'
  /** ms for the start, for each page of the list and for each call. */
  readonly timeout: number
  /** ms for the start alone; default: as `timeout`. */
  readonly startTimeout?: number
  /** Never behind namespaces, for measuring what they are worth. */
  readonly unshare?: boolean
}

/** A variable that a server asks for and that must hold something. */
const WANTED = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASS|CREDENTIALS|ID|URL|HOST|USER|DSN)\b/g
const SECRET = /(?:KEY|TOKEN|SECRET|PASSWORD|PASS|CREDENTIALS|AUTH)$/i
const MAX_FAKES = 8

export const fakeFor = (name: string): string => /URL$|DSN$/.test(name) ? 'http://usher-canary.invalid/' : name.endsWith('HOST') ? 'usher-canary.invalid' : `usher-canary-${name.toLowerCase()}`

/** The observer's preload first: it must see the builtins before anybody changes them. */
const withPreload = (env: { readonly [name: string]: string }): { readonly [name: string]: string } => ({ ...env, NODE_OPTIONS: `${env['NODE_OPTIONS'] ?? ''} --import=${builtFile(import.meta.url, './socket-writes.js').href}` })

export class Session {
  readonly scratch: Scratch
  readonly watch: Watch
  readonly mark = randomBytes(8).toString('hex')
  readonly notes: string[] = []
  readonly #target: AuditTarget
  readonly #options: SessionOptions
  readonly #inside: boolean
  readonly #strace: boolean
  readonly #fakes = new Map<string, string>()
  #connection: ServerConnection | undefined

  constructor(target: AuditTarget, options: SessionOptions) {
    const means = meansOfThisSystem()
    const here = target.kind === 'command'
    if (options.trace === 'strace' && !means.strace.ok) throw new UsherError('BAD_OPTION', `--trace strace: ${means.strace.why ?? 'it does not run here'}`)
    if (options.network === 'required' && (!means.unshare.ok || !here)) throw new UsherError('BAD_OPTION', `--no-network: ${here ? `this system does not let a program be cut off (${means.unshare.why ?? ''})` : 'a server at an address cannot be cut off'}`)
    this.#target = target
    this.#options = options
    this.scratch = new Scratch()
    this.#inside = here && means.unshare.ok && options.network !== 'open' && options.unshare !== false && this.scratch.upper !== undefined
    this.#strace = here && options.trace !== 'shims' && means.strace.ok
    this.watch = new Watch({ scratch: this.scratch, mark: this.mark, inside: this.#inside, strace: this.#strace })
    if (!here) this.notes.push('the server at this address was really called: what it did, it did, and nobody here could see it')
    else if (!this.#inside) this.notes.push('the server ran with the network and the disk of this machine: what it did, it did')
  }

  get connection(): ServerConnection {
    if (!this.#connection) throw new UsherError('SERVER_FAILED', 'the server is not running')
    return this.#connection
  }

  /** It runs on this machine, under the watchers. */
  get here(): boolean { return this.#target.kind === 'command' }

  get running(): boolean { return this.#connection !== undefined && !this.#connection.closed }

  /** Starts (again). A server that dies for want of a variable gets a fake of it, and that is noted. Rejects with SERVER_FAILED. */
  async start(): Promise<void> {
    await this.stop()
    for (;;) {
      try {
        const opening = ServerConnection.open(this.#serverTarget(), { startTimeout: this.#options.startTimeout ?? this.#options.timeout, listTimeout: this.#options.timeout, callTimeout: this.#options.timeout, onServerRequest: method => this.#note(`the server asked its client for ${method}; it was refused`) })
        this.scratch.endLast()
        this.#connection = await opening
        return
      } catch (error) {
        endProcesses(this.mark)
        if (!UsherError.is(error) || !this.#fake(error.message)) throw error
      }
    }
  }

  async stop(): Promise<void> {
    await this.#connection?.close()
    this.#connection = undefined
    endProcesses(this.mark)
  }

  /** Ends everything and takes the scratch folder away. */
  async close(): Promise<void> {
    try {
      await this.stop()
    } finally {
      this.watch.close()
      this.scratch.remove()
    }
  }

  /** That the server itself was started is no news. */
  isOwnStart(effect: AuditEffect): boolean {
    if (effect.kind !== 'process.start' || this.#target.kind !== 'command') return false
    const [program = '', ...words] = this.#target.command
    return basename(effect.target) === basename(program) && (effect.args ?? []).length === words.length && words.every((word, at) => basename(effect.args?.[at] ?? '') === basename(word))
  }

  watchers(): readonly WatcherState[] {
    const { strace, unshare } = meansOfThisSystem()
    const here = this.#target.kind === 'command'
    const off = here ? 'not asked for' : 'the server runs elsewhere'
    const reporting = this.watch.reporting
    const state = (name: string, active: boolean, sees: string, why: string): WatcherState => ({ name, active, sees, ...active ? {} : { why } })
    return [
      state('launchers', here, 'programs that open, send, fetch or publish, started by name', off),
      state('node-child', reporting.has('node-child'), 'processes, network and files of JavaScript servers and their children, native code apart', here ? 'no such process reported' : off),
      state('python-child', reporting.has('python-child'), 'processes, network and files of Python servers and their children, native code apart', here ? 'no such process reported' : off),
      state('strace', this.#strace, 'processes, network and files of any program', here && !strace.ok ? strace.why ?? '' : off),
      state('sink', this.#inside, 'names that are looked up, connections and what is sent over them', here && !unshare.ok ? unshare.why ?? '' : off),
      state('counters', this.#inside, 'that a connection, a datagram or a process was begun, by any program', here && !unshare.ok ? unshare.why ?? '' : off),
      state('files', here, this.#inside ? 'files that are different afterwards, on the whole disk' : 'files that are different afterwards, in the scratch folder only', off),
    ]
  }

  /** A program's end, in words, where the caller needs to know whether it can go on. */
  #note(words: string): void {
    if (!this.notes.includes(words)) this.notes.push(words)
  }

  #fake(message: string): boolean {
    const wanted = [...new Set(message.match(WANTED))].filter(name => !this.#fakes.has(name))
    if (wanted.length === 0 || this.#fakes.size + wanted.length > MAX_FAKES) return false
    for (const name of wanted) this.#giveFake(name)
    return true
  }

  #giveFake(name: string): string {
    this.#fakes.set(name, fakeFor(name))
    this.#note(`the server got a fake ${name}`)
    return fakeFor(name)
  }

  #serverTarget(): ServerTarget {
    if (this.#target.kind === 'url') return this.#target
    const given = Object.entries(this.#target.env ?? {}).map(([name, value]) => [name, SECRET.test(name) ? this.#giveFake(name) : value] as const)
    const { scratch, watch } = this
    const env = withPreload(childEnv(watch.reportFile, scratch.env({ contained: this.#inside, more: { ...Object.fromEntries(given), ...Object.fromEntries(this.#fakes), [MARK]: this.mark } })))
    const command = resolvedCommand(this.#target.command)
    const traced = this.#strace ? straced(command, watch.traceFile) : command
    if (!this.#inside || scratch.upper === undefined) return { kind: 'command', command: traced, cwd: scratch.work, env }
    const order: InsideOrder = { command: traced, env, cwd: scratch.work, report: watch.sinkFile, socket: watch.socket }
    const file = join(scratch.watch, 'order.json')
    writeFileSync(file, JSON.stringify(order), { mode: 0o600 })
    return { kind: 'command', command: insideCommand(scratch.upper, scratch.root), cwd: '/', env: { USHER_AUDIT_ORDER: file } }
  }
}
