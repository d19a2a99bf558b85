/** The owner's switches: stop and resume all auto-invocation, and close breakers. Each is a row of the log. */
import type { CallLog, Clock } from '../ports.ts'
import type { Json, JsonObject } from '../types.ts'
import { canonicalJson, sha256 } from '../util/canonical.ts'
import { breakerName, type OpenBreaker, type OwnerState, recordBreaker, type Stopped } from './owner-state.ts'

export class Owner {
  readonly state: OwnerState
  readonly #log: CallLog
  readonly #clock: Clock
  readonly #recorded = new Set<string>()

  constructor(log: CallLog, state: OwnerState, clock: Clock) {
    this.#log = log
    this.state = state
    this.#clock = clock
  }

  /** Why auto-invocation is stopped, or undefined; as the log says now. */
  async stopped(): Promise<Stopped | undefined> {
    await this.state.look()
    return this.state.stopped
  }

  /** A person stops all auto-invocation, in every process that shares the log. */
  async stop(who: string, why = ''): Promise<void> {
    await this.#log.act({ who, act: 'stop', about: 'all', detail: { reason: 'kill-switch', why }, at: this.#clock.now() })
  }

  /** A person lets it go on: also after a halt. False: nothing was stopped. */
  async resume(who: string): Promise<boolean> {
    const stopped = await this.stopped()
    if (!stopped) return false
    await this.#log.act({ who, act: 'resume', about: 'all', detail: { stoppedBy: stopped.who, stoppedAt: stopped.at }, at: this.#clock.now() })
    return true
  }

  /**
   * Usher itself halts: a server or a control file is not what was signed (`contract:human`). The same finding does not halt again after a
   * person resumed. False: it was halted already, or a person knows.
   */
  async halt(about: string, why: string, finding: Json = why): Promise<boolean> {
    await this.state.look()
    const key = sha256(canonicalJson(['usher-halt', 1, about, finding]))
    if (this.state.acknowledged(key) || this.state.stopped) return false
    await this.#log.act({ who: 'usher', act: 'stop', about, detail: { reason: 'halted', why, key, finding } satisfies JsonObject, at: this.#clock.now() })
    return true
  }

  async breakers(): Promise<readonly OpenBreaker[]> {
    await this.state.look()
    return this.state.breakers
  }

  /** False: it was not open. */
  async closeBreaker(name: string, who: string): Promise<boolean> {
    await this.state.look()
    if (!this.state.breaker(name)) return false
    await this.#log.act({ who, act: 'breaker.close', about: name, detail: {}, at: this.#clock.now() })
    this.#recorded.delete(name)
    return true
  }

  /** After a call or a denial: a breaker that it tripped becomes a row. */
  async settle(tool: string, route: string | undefined): Promise<void> {
    await this.state.look()
    const breaker = this.state.breaker(breakerName(tool, route))
    if (!breaker || this.#recorded.has(breaker.name)) return
    this.#recorded.add(breaker.name)
    await recordBreaker(this.#log, this.#clock, breaker)
  }

  close(): void { this.state.close() }
}
