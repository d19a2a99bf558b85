/**
 * What a child that Usher starts really does (an MCP server, a tool by command): its reports and its trace, handed to the observer under the call
 * in flight. Between calls it is nobody's; until the child has started up it belongs to the start.
 */
import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { carrier, type Seen } from '../effects/judge.ts'
import { joinedScope, writeScope } from '../effects/child-scope.ts'
import { childEnv, ChildReports } from '../effects/children.ts'
import { installObserver } from '../effects/observer.ts'
import { straceArgs, StraceReader } from '../effects/strace.ts'
import type { EffectScope } from '../ports.ts'
import type { Effect, JsonObject } from '../types.ts'
import { findProgram } from './find-program.ts'
import type { WatchMode } from './watch-mode.ts'

/** A report is looked for this often, in ms, beside the start and the end of each call. */
const POLL = 200

type Call = Pick<EffectScope, 'callId'> & Partial<EffectScope>

export class ChildWatch {
  /** What the system could not give, in words. */
  readonly missing: readonly string[]
  /** Where the child writes: a sandbox has to leave this folder writable. */
  readonly folder: string
  readonly #observer = installObserver()
  readonly #label: string
  readonly #reports: ChildReports
  readonly #trace: Tail | undefined
  readonly #strace: StraceReader
  readonly #calls: Call[] = []
  readonly #timer: NodeJS.Timeout
  readonly #once: boolean
  /** Effects that the preloads reported since the last call: strace sees them a second time. */
  readonly #told = new Set<string>()
  #background: string | undefined = 'usher:mcp:start'
  #saidSilent = false
  #closed = false

  /**
   * @param label which child this is, for rows without a call
   * @param options the child's working folder, and the call that all of its life belongs to, where it is started for one
   */
  constructor(label: string, mode: Exclude<WatchMode, 'off'>, options: { readonly cwd?: string, readonly call?: Call } = {}) {
    this.#label = label
    const strace = mode === 'strace' && findProgram('strace') !== undefined
    this.missing = mode === 'strace' && !strace ? ['strace was asked for and is not here: only Node and Python children report'] : []
    this.folder = this.#own(() => mkdtempSync(join(tmpdir(), 'usher-watch-')))
    this.#reports = this.#own(() => new ChildReports(join(this.folder, 'report.jsonl')))
    this.#strace = new StraceReader(options.cwd ?? process.cwd())
    this.#trace = strace ? new Tail(join(this.folder, 'trace.txt')) : undefined
    this.#once = options.call !== undefined
    if (options.call) this.#calls.push(this.#observer.scope ?? options.call)
    this.#scope()
    this.#timer = setInterval(() => this.read(), POLL).unref()
  }

  /** The child's environment, made to report. */
  env(base: { readonly [name: string]: string }): { readonly [name: string]: string } {
    return childEnv(join(this.folder, 'report.jsonl'), base, join(this.folder, 'scope.json'))
  }

  /** What has to stand before the command. */
  get prefix(): readonly string[] { return this.#trace ? straceArgs(this.#trace.file) : [] }

  /** Does anything inside report? Asked once the child has started up. */
  get reporting(): boolean { return this.#trace !== undefined || this.#reports.reported }

  /** The start is over. A child that does not report is told as what it is. */
  started(pid: number | undefined): void {
    this.read()
    if (!this.reporting) this.#silent(pid)
    this.#background = undefined
  }

  /**
   * From here on what the child does belongs to this call. Returns what ends that; late effects are nobody's.
   * @param named the call, where no observer runs it; then nothing holds the child back
   */
  begin(named?: Call): (() => void) | undefined {
    const call = this.#observer.scope ?? named
    if (!call) return undefined
    this.read()
    this.#calls.push(call)
    this.#scope()
    return () => {
      this.read()
      const at = this.#calls.indexOf(call)
      if (at >= 0) this.#calls.splice(at, 1)
      this.#told.clear()
      this.#scope()
    }
  }

  /** Hands on what was reported since the last time. */
  read(): void {
    if (this.#closed) return
    const call = this.#calls.at(-1)
    const callId = call?.callId ?? null
    for (const effect of this.#own(() => this.#reports.read(callId))) {
      this.#told.add(`${effect.kind} ${effect.target}`)
      this.#record(effect)
    }
    for (const effect of this.#trace ? this.#strace.push(this.#own(() => this.#trace?.read() ?? ''), callId) : []) {
      if (!effect.target.startsWith(`${this.folder}/`) && !this.#told.has(`${effect.kind} ${effect.target}`)) this.#record(effect)
    }
  }

  /** Reads the rest and takes the folder away. Twice is fine. */
  close(): void {
    if (this.#closed) return
    clearInterval(this.#timer)
    this.read()
    if (this.#once && !this.reporting) this.#silent(undefined)
    this.#closed = true
    this.#reports.close()
    this.#own(() => rmSync(this.folder, { recursive: true, force: true }))
    this.#observer.uninstall()
  }

  #record(effect: Effect): void {
    const scope = effect.blocked || effect.callId === null ? undefined : this.#current()
    const carriedBy = scope && carrier(scope, effect as Seen)
    const detail: JsonObject = { ...effect.detail, child: this.#label, ...carriedBy === undefined ? {} : { carriedBy }, ...this.#calls.length > 1 ? { inFlight: this.#calls.map(call => call.callId) } : {} }
    this.#observer.record({ ...effect, detail, ...effect.callId === null && this.#background !== undefined ? { background: this.#background } : {} })
  }

  /** Compiled code, a shell, a program that drops its environment: its start is all that can be known of it. */
  #silent(pid: number | undefined): void {
    if (this.#saidSilent) return
    this.#saidSilent = true
    const within = this.#calls.at(-1)?.callId
    this.#observer.record({
      kind: 'process.start', target: this.#label, blocked: false, callId: null, background: 'usher:mcp:start', at: Date.now(), watcher: 'node',
      detail: { reports: false, why: 'no preload reported from inside: what it does is not seen', ...pid === undefined ? {} : { pid }, ...within === undefined ? {} : { within } },
    })
  }

  /** What the calls in flight may do; undefined where no observer knows it of one of them. */
  #current(): EffectScope | undefined {
    const scopes = this.#calls.flatMap(({ mode, allowed, ...rest }) => mode === undefined || allowed === undefined ? [] : [{ ...rest, mode, allowed }])
    return scopes.length === this.#calls.length ? joinedScope(scopes) : undefined
  }

  #scope(): void {
    if (this.#closed) return
    this.#own(() => writeScope(join(this.folder, 'scope.json'), this.#current()))
  }

  /** Usher's own work around the child. */
  own<T>(name: string, work: () => T): T {
    return this.#observer.background(`usher:${name}`, work)
  }

  /** Our own files are no effects of a tool. */
  #own<T>(work: () => T): T {
    return this.own('mcp:watch', work)
  }
}

/** What a growing file got since the last reading; nothing while it is not there. */
class Tail {
  readonly file: string
  readonly #decoder = new StringDecoder('utf8')
  #position = 0
  constructor(file: string) { this.file = file }

  read(): string {
    if (!existsSync(this.file)) return ''
    const descriptor = openSync(this.file, 'r')
    try {
      let text = ''
      const chunk = Buffer.alloc(65_536)
      for (let count = readSync(descriptor, chunk, 0, chunk.length, this.#position); count > 0; count = readSync(descriptor, chunk, 0, chunk.length, this.#position)) {
        text += this.#decoder.write(chunk.subarray(0, count))
        this.#position += count
      }
      return text
    } finally {
      closeSync(descriptor)
    }
  }
}
