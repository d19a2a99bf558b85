/**
 * What the owner decided and what was called lately, derived from the log alone: so a stop or an open breaker holds for every process that
 * shares the log, and after a restart.
 */
import type { OwnerView } from '../gate/rule.ts'
import { DAY } from '../gate/limits.ts'
import type { CallLog, Clock } from '../ports.ts'
import type { JsonObject } from '../types.ts'
import type { LogRow, LogRows } from './log-rows.ts'

export interface BreakerOptions {
  /** Calls in a row that ended `failed`, `unknown` or `blocked`; default 5, 0: never. */
  readonly failures?: number
  /** Cards in a row that a person denied; default 3, 0: never. */
  readonly denials?: number
  /** Reports that a call should not have happened; default 1, 0: never. */
  readonly reports?: number
}

export interface Stopped {
  readonly who: string
  readonly at: number
  /** `kill-switch`: a person. `halted`: something is not what was signed. */
  readonly reason: 'kill-switch' | 'halted'
  readonly why: string
}
/** `name`: a route, or `tool:NAME` for calls that no route is behind. */
export interface OpenBreaker { readonly name: string, readonly at: number, readonly reason: 'failures' | 'denials' | 'report', readonly why: string }

interface Called { readonly callId: string, readonly name: string, readonly route: string | undefined, readonly at: number, readonly counted: boolean }

const text = (body: JsonObject, key: string): string => typeof body[key] === 'string' ? body[key] : ''
const detailOf = (body: JsonObject): JsonObject => (typeof body['detail'] === 'object' && body['detail'] !== null ? body['detail'] : {}) as JsonObject

/** The breaker that a call belongs to. */
export const breakerName = (tool: string, route: string | undefined): string => route ?? `tool:${tool}`

/** A row after a row, nothing else: no clock and no file. */
class Fold {
  stopped: (Stopped & { readonly key: string }) | undefined
  readonly breakers = new Map<string, OpenBreaker>()
  /** Halts that a person resumed from: the same finding does not halt again. */
  readonly acknowledged = new Set<string>()
  readonly counts = { failures: new Map<string, number>(), denials: new Map<string, number>(), reports: new Map<string, number>() }
  /** Of the last day, oldest first. */
  calls: Called[] = []
  readonly open = new Map<string, Called>()
  readonly #most: Required<BreakerOptions>
  constructor(options: BreakerOptions) { this.#most = { failures: options.failures ?? 5, denials: options.denials ?? 3, reports: options.reports ?? 1 } }

  apply({ kind, at, body }: LogRow): void {
    if (kind === 'act') this.#act(body, at)
    else if (kind === 'call') this.#call(body, at)
    else this.#outcome(body, at)
  }

  #act(body: JsonObject, at: number): void {
    const [who, about, detail] = [text(body, 'who'), text(body, 'about'), detailOf(body)]
    const name = text(detail, 'name') || text(detail, 'route')
    switch (body['act']) {
      case 'stop': this.stopped = { who, at, reason: detail['reason'] === 'halted' ? 'halted' : 'kill-switch', why: text(detail, 'why'), key: text(detail, 'key') }; break
      case 'resume': if (this.stopped?.key) this.acknowledged.add(this.stopped.key); this.stopped = undefined; break
      case 'breaker.open': this.breakers.set(about, { name: about, at, reason: reasonOf(detail['reason']), why: text(detail, 'why') }); break
      case 'breaker.close': this.breakers.delete(about); for (const counts of Object.values(this.counts)) counts.delete(about); break
      case 'deny': this.#count('denials', name, at, `${this.#most.denials} cards in a row were denied`); break
      case 'approve': this.counts.denials.delete(name); break
      case 'report': this.#count('reports', name, at, `${who} reported that ${about} should not have happened`); break
      default: break
    }
  }

  #call(body: JsonObject, at: number): void {
    const route = text(body, 'route') || undefined
    const call: Called = { callId: text(body, 'callId'), name: breakerName(text(body, 'tool'), route), route, at, counted: body['by'] === 'router' }
    this.calls.push(call)
    this.open.set(call.callId, call)
  }

  #outcome(body: JsonObject, at: number): void {
    const call = this.open.get(text(body, 'callId'))
    if (!call) return
    this.open.delete(call.callId)
    if (body['kind'] === 'called') this.counts.failures.delete(call.name)
    else this.#count('failures', call.name, at, `${this.#most.failures} calls in a row did not end well; the last was ${text(body, 'kind')}: ${text(body, 'why')}`)
  }

  #count(what: 'failures' | 'denials' | 'reports', name: string, at: number, why: string): void {
    if (name === '') return
    const count = (this.counts[what].get(name) ?? 0) + 1
    this.counts[what].set(name, count)
    const most = this.#most[what]
    if (most > 0 && count >= most && !this.breakers.has(name)) this.breakers.set(name, { name, at, reason: what === 'reports' ? 'report' : what, why })
  }
}

const reasonOf = (value: unknown): OpenBreaker['reason'] => value === 'denials' || value === 'report' ? value : 'failures'

export class OwnerState {
  readonly #rows: LogRows
  readonly #clock: Clock
  readonly #fold: Fold
  #seq = -1
  #looking: Promise<void> | undefined

  constructor(rows: LogRows, clock: Clock, breaker: BreakerOptions = {}) {
    this.#rows = rows
    this.#clock = clock
    this.#fold = new Fold(breaker)
  }

  /** Reads what is new. Rejects where the log cannot be read: then nothing may be called. */
  look(): Promise<void> {
    return this.#looking ??= this.#read().finally(() => { this.#looking = undefined })
  }

  async #read(): Promise<void> {
    const now = this.#clock.now()
    const rows = this.#seq < 0 ? await this.#rows.first(now - DAY) : await this.#rows.after(this.#seq)
    for (const row of rows) {
      this.#fold.apply(row)
      this.#seq = row.seq
    }
    this.#seq = Math.max(this.#seq, 0)
    const old = this.#fold.calls.findIndex(call => call.at >= now - DAY)
    if (old !== 0) this.#fold.calls = old < 0 ? [] : this.#fold.calls.slice(old)
  }

  get stopped(): Stopped | undefined { return this.#fold.stopped }
  get breakers(): readonly OpenBreaker[] { return [...this.#fold.breakers.values()] }
  breaker(name: string): OpenBreaker | undefined { return this.#fold.breakers.get(name) }
  /** Was a halt for this finding resumed by a person? */
  acknowledged(key: string): boolean { return this.#fold.acknowledged.has(key) }

  /** What the gate looks at, for one route. */
  view(route: string): OwnerView {
    const { stopped, calls, open } = this.#fold
    const breaker = this.breaker(route)
    const counted = calls.filter(call => call.counted)
    const inFlight = [...open.values()].filter(call => call.counted)
    return {
      ...stopped ? { stopped: { reason: stopped.reason, why: stoppedWords(stopped) } } : {},
      ...breaker ? { breaker: breakerWords(breaker) } : {},
      inFlight: inFlight.filter(call => call.route === route).length,
      all: { callTimes: counted.map(call => call.at).reverse(), inFlight: inFlight.length },
    }
  }

  close(): void { this.#rows.close() }
}

const when = (at: number): string => new Date(at).toISOString()
export const stoppedWords = (stopped: Stopped): string => `${stopped.reason === 'halted' ? `auto-invocation halted itself at ${when(stopped.at)}` : `${stopped.who} stopped auto-invocation at ${when(stopped.at)}`}${stopped.why ? `: ${stopped.why}` : ''}; a person ends that with: usher resume`
export const breakerWords = (breaker: OpenBreaker): string => `the breaker of ${breaker.name} is open since ${when(breaker.at)}: ${breaker.why}; a person closes it with: usher breaker close ${breaker.name}`

/** A derived breaker is written down, so that it is seen, and holds for processes with other settings. */
export async function recordBreaker(log: CallLog, clock: Clock, breaker: OpenBreaker): Promise<void> {
  await log.act({ who: 'usher', act: 'breaker.open', about: breaker.name, detail: { reason: breaker.reason, why: breaker.why }, at: clock.now() })
}
