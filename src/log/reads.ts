/** What the router asks the log while it decides. */
import type { SeenDecision } from '../ports.ts'
import type { Db, Statement } from './db.ts'
import { fromPlain, toPlain } from './plain.ts'

const CAUSES_LIMIT = 1000

interface DecisionBody { decisionId: string, kind: SeenDecision['kind'], reason: string, why: string, route?: string, tool?: string, callId?: string }

/** The part of a decision that a duplicate is answered with. */
export function toSeen(body: string): SeenDecision {
  const { decisionId, kind, reason, why, route, tool, callId } = JSON.parse(body) as DecisionBody
  return {
    decisionId: fromPlain(decisionId), kind, reason, why,
    ...(route === undefined ? {} : { route: fromPlain(route) }), ...(tool === undefined ? {} : { tool: fromPlain(tool) }), ...(callId === undefined ? {} : { callId: fromPlain(callId) }),
  }
}

/** Bodies of decisions without those that a later one of them closed. */
export function endsOnly(bodies: readonly string[]): readonly string[] {
  if (bodies.length < 2) return bodies
  const parsed = bodies.map(body => JSON.parse(body) as { readonly decisionId: string, readonly answers?: string })
  const closed = new Set(parsed.map(decision => decision.answers))
  return bodies.filter((_, at) => !closed.has(parsed[at]?.decisionId))
}

export interface Cause { readonly callId: string, readonly route?: string, readonly eventId?: string }

export class Reads {
  readonly #eventsOf: Statement
  readonly #decisions: Statement
  readonly #times: Statement
  readonly #call: Statement
  readonly #causedBy: Statement
  readonly #rival: Statement

  constructor(db: Db) {
    // `sender_id <> event_id` is the index's own: a direct call is its own sender (decide/direct.ts).
    this.#eventsOf = db.prepare('SELECT event_id FROM rows WHERE kind = \'event\' AND source = ? AND sender_id = ? AND sender_id <> event_id ORDER BY seq').pluck()
    this.#decisions = db.prepare('SELECT body FROM rows WHERE kind = \'decision\' AND event_id = ? ORDER BY seq').pluck()
    this.#times = db.prepare('SELECT at FROM rows WHERE kind = \'call\' AND route = ? AND at >= ? ORDER BY at DESC').pluck()
    this.#call = db.prepare('SELECT route, event_id FROM rows WHERE kind = \'call\' AND call_id = ? ORDER BY seq LIMIT 1')
    this.#causedBy = db.prepare('SELECT caused_by FROM rows WHERE kind = \'event\' AND event_id = ? ORDER BY seq LIMIT 1').pluck()
    this.#rival = db.prepare(`SELECT c.call_id FROM rows e JOIN rows f ON f.kind = 'event' AND f.source = e.source AND f.sender_id = e.sender_id AND f.sender_id <> f.event_id AND f.event_id <> e.event_id
      JOIN rows c ON c.kind = 'call' AND c.event_id = f.event_id AND c.route IS :route WHERE e.kind = 'event' AND e.event_id = :event LIMIT 1`).pluck()
  }

  /** A call of the same route that the same sender's id already led to, as another event: another process was faster. */
  rivalOf(eventId: string, route: string | undefined): string | undefined {
    return this.#rival.get({ event: toPlain(eventId), route: route === undefined ? null : toPlain(route) }) as string | undefined
  }

  /** In stored form. More than one where a crash came between an event and its decision, and the sender sent it again. */
  eventsOf(source: string, senderId: string): readonly string[] {
    return this.#eventsOf.all(source, senderId) as string[]
  }

  decisionsOf(eventId: string): readonly string[] {
    return this.#decisions.all(eventId) as string[]
  }

  callTimes(route: string, since: number): readonly number[] {
    return this.#times.all(toPlain(route), since) as number[]
  }

  /** The call itself first, then the call that caused its event, and so on. A cycle ends it. */
  causes(callId: string): readonly Cause[] {
    const chain: Cause[] = []
    const seen = new Set<string>()
    let next: string | null | undefined = toPlain(callId)
    while (typeof next === 'string' && !seen.has(next) && chain.length < CAUSES_LIMIT) {
      seen.add(next)
      const call = this.#call.get(next) as { route: string | null, event_id: string | null } | undefined
      if (!call) break
      chain.push({ callId: fromPlain(next), ...(call.route === null ? {} : { route: fromPlain(call.route) }), ...(call.event_id === null ? {} : { eventId: fromPlain(call.event_id) }) })
      next = call.event_id === null ? undefined : this.#causedBy.get(call.event_id) as string | null | undefined
    }
    return chain
  }
}
