/**
 * The bounded queue before the router. All events of a request get in, or none (429 then); what got in is answered, or said to be not handled.
 * Events wait here and not in the router, so that a shutdown can tell each waiting sender that its event was not handled.
 */
import { UsherError } from '../errors.ts'
import type { Clock, Handled } from '../ports.ts'
import type { Event, Outcome } from '../types.ts'

/** The way an event came in. */
export type Door = 'http' | 'socket' | 'stdin' | 'folder' | 'stream' | 'kept'

export type Answer =
  | { readonly kind: 'handled', readonly eventId: string, readonly outcomes: readonly Outcome[], readonly duplicate: boolean }
  /** Nothing was decided and nothing was called; the same id may be sent again. */
  | { readonly kind: 'not-handled', readonly code: string, readonly why: string }

export type Admission =
  | { readonly kind: 'admitted', readonly answers: readonly Promise<Answer>[] }
  | { readonly kind: 'full', readonly waiting: number, readonly retryAfter: number }
  | { readonly kind: 'closed' }

export interface IntakeParts {
  readonly handle: (event: Event) => Promise<Handled>
  /** What became of an id the first time; asked where the router calls an event a duplicate. */
  readonly first: (source: string, id: string) => Promise<readonly Outcome[] | undefined>
  readonly clock: Clock
  /** Events that may wait, the running one included. */
  readonly capacity: number
  readonly onDone?: (event: Event, door: Door, answer: Answer, ms: number) => void
}

interface Job { readonly event: Event, readonly door: Door, readonly settle: (answer: Answer) => void }

/** Until something was measured: ms that an event takes. */
const FIRST_GUESS = 50

export class Intake {
  readonly #parts: IntakeParts
  #jobs: Job[] = []
  #next = 0
  #running = false
  #closed = false
  #average = FIRST_GUESS
  #idle: (() => void)[] = []
  #room: (() => void)[] = []
  readonly #bySource = new Map<string, number>()
  constructor(parts: IntakeParts) { this.#parts = parts }

  get capacity(): number { return this.#parts.capacity }
  /** The running one included. */
  get waiting(): number { return this.#jobs.length - this.#next + (this.#running ? 1 : 0) }
  get closed(): boolean { return this.#closed }

  /** One source may hold half of the room at most: a flood of notifications does not shut out the owner. */
  get share(): number { return Math.max(1, Math.ceil(this.#parts.capacity / 2)) }

  /** The same question without letting in. */
  wouldAdmit(events: readonly Event[]): Exclude<Admission, { kind: 'admitted' }> | { readonly kind: 'room' } {
    if (this.#closed) return { kind: 'closed' }
    return this.#fits(events) ? { kind: 'room' } : { kind: 'full', waiting: this.waiting, retryAfter: this.#retryAfter() }
  }

  admit(events: readonly Event[], door: Door): Admission {
    const room = this.wouldAdmit(events)
    if (room.kind !== 'room') return room
    const answers = events.map(event => new Promise<Answer>(settle => {
      this.#count(event.source, 1)
      this.#jobs.push({ event, door, settle })
    }))
    if (!this.#running) void this.#pump()
    return { kind: 'admitted', answers }
  }

  /** For doors that can wait (a file, standard input): lets the event in once there is room, and gives its answer. */
  async submit(event: Event, door: Door): Promise<Answer> {
    for (;;) {
      const admission = this.admit([event], door)
      if (admission.kind === 'admitted') return admission.answers[0] as Promise<Answer>
      if (admission.kind === 'closed') return { kind: 'not-handled', code: 'CLOSED', why: 'the server is going down; this event was not handled' }
      await new Promise<void>(resolve => { this.#room.push(resolve) })
    }
  }

  /** Takes nothing more; tells those that wait. Resolves when the running one is done. */
  async close(why = 'the server is going down'): Promise<{ readonly refused: number }> {
    this.#closed = true
    const left = this.#jobs.slice(this.#next)
    this.#jobs = []
    this.#next = 0
    for (const job of left) this.#settle(job, { kind: 'not-handled', code: 'CLOSED', why: `${why}; this event was not handled, send it again` })
    for (const wake of this.#room.splice(0)) wake()
    if (this.#running) await new Promise<void>(resolve => { this.#idle.push(resolve) })
    return { refused: left.length }
  }

  #fits(events: readonly Event[]): boolean {
    if (this.waiting + events.length > this.#parts.capacity) return false
    const wanted = new Map<string, number>()
    for (const { source } of events) wanted.set(kindOf(source), (wanted.get(kindOf(source)) ?? 0) + 1)
    return [...wanted].every(([kind, count]) => (this.#bySource.get(kind) ?? 0) + count <= this.share)
  }

  #count(source: string, by: number): void {
    const now = (this.#bySource.get(kindOf(source)) ?? 0) + by
    if (now > 0) this.#bySource.set(kindOf(source), now)
    else this.#bySource.delete(kindOf(source))
  }

  /** Seconds until a good part of the queue is done. */
  #retryAfter(): number {
    return Math.min(60, Math.max(1, Math.ceil(this.#average * this.waiting / 2000)))
  }

  async #pump(): Promise<void> {
    this.#running = true
    for (let job = this.#shift(); job; job = this.#shift()) {
      const began = performance.now()
      const answer = await this.#one(job.event)
      const ms = performance.now() - began
      this.#average = this.#average * 0.9 + ms * 0.1
      this.#settle(job, answer)
      this.#parts.onDone?.(job.event, job.door, answer, ms)
    }
    this.#running = false
    for (const idle of this.#idle.splice(0)) idle()
  }

  #shift(): Job | undefined {
    const job = this.#jobs[this.#next]
    if (job) this.#next++
    // Cut off now and then: a shift of each would move a thousand.
    if (this.#next === this.#jobs.length || this.#next > 1000) { this.#jobs = this.#jobs.slice(this.#next); this.#next = 0 }
    return job
  }

  async #one(event: Event): Promise<Answer> {
    try {
      const { eventId, outcomes } = await this.#parts.handle(event)
      const [only] = outcomes
      if (outcomes.length !== 1 || only?.kind !== 'duplicate' || only.reason !== 'id') return { kind: 'handled', eventId, outcomes, duplicate: false }
      const first = await this.#parts.first(event.source, event.id)
      return { kind: 'handled', eventId, outcomes: first && first.length > 0 ? first : outcomes, duplicate: true }
    } catch (error) {
      // The sender hears it: the log could not take the event, so nothing was called.
      return { kind: 'not-handled', code: UsherError.is(error) ? error.code : 'SERVE_FAILED', why: error instanceof Error ? error.message : String(error) }
    }
  }

  #settle(job: Job, answer: Answer): void {
    this.#count(job.event.source, -1)
    job.settle(answer)
    for (const wake of this.#room.splice(0)) wake()
  }
}

const kindOf = (source: string): string => source.split(':', 1)[0] ?? source
