/** Every question of the page, answered from one read-only connection. Runs in the reader's thread (worker.ts), and directly in tests. */
import { explainById, explainCall, type Explanation } from '../../log/explain.ts'
import { endedDecisions } from '../../log/announced.ts'
import { callsOf, causesOf, decisionsOf, eventById } from '../../log/lookups.ts'
import { fromPlain, toPlain } from '../../log/plain.ts'
import { openLogReader, type LogReader } from '../../log/reader.ts'
import { RAW, toAct, type ActRecord, type EventRecord, type RawRow } from '../../log/records.ts'
import { stats, type RouteStats } from '../../log/stats.ts'
import { unexplained, type Unexplained } from '../../log/unexplained.ts'
import { EVIDENCE_TEXT, type FoundEvidence, type Overview, type OverviewQuery, type Progress, type RecentCalls } from '../ports.ts'
import { choices, countBuckets, countEntries, listEntries } from './list.ts'
import { LogIndex } from './log-index.ts'

/** What one answer may spend on catching up with the log. */
const BUDGET_MS = 250
const MINUTE = 60_000
/** The page shows fewer; the picture marks each. */
const UNEXPLAINED_GIVEN = 500

export class LogReads {
  readonly #reader: LogReader
  readonly #index: LogIndex
  #unexplained: { readonly head: number, readonly found: readonly Unexplained[] } | undefined
  #stats: { readonly head: number, readonly since: number, readonly found: readonly RouteStats[] } | undefined

  /** Writes nothing: marking the calls of dead processes is the host's. Throws LOG_OPEN_FAILED, LOG_VERSION, LOG_INVALID. */
  constructor(file: string) {
    this.#reader = openLogReader(file, { recover: false })
    this.#index = new LogIndex(this.#reader.db)
  }

  /** Reads on for a while. */
  catchUp(): Progress { return this.#index.catchUp(BUDGET_MS) }

  overview({ filter, edges, before, limit }: OverviewQuery): Overview {
    const progress = this.catchUp()
    const { db } = this.#reader
    const total = countEntries(db, filter)
    const found = this.unexplained()
    const newest = db.prepare('SELECT at FROM temp.entries ORDER BY seq DESC LIMIT 1').pluck().get() as number | undefined
    return {
      ...progress, ...listEntries(db, filter, limit, before), buckets: countBuckets(db, edges), unexplained: found.slice(0, UNEXPLAINED_GIVEN), unexplainedTotal: found.length,
      sources: choices(db, 'source'), routes: choices(db, 'route'), tools: choices(db, 'tool'), ...(total === undefined ? {} : { total }), ...(newest === undefined ? {} : { newest }),
    }
  }

  evidence(id: string): FoundEvidence {
    const owner = this.#index.eventOf(toPlain(id))
    const explained = owner === undefined ? explainById(this.#reader, id) : { kind: 'found' as const, explanation: this.#ofEvent({ kind: owner.kind, id }, fromPlain(owner.eventId)) }
    if (explained.kind !== 'found') return explained
    const { event, ...rest } = explained.explanation
    const ids = [...(event ? [event.eventId] : []), ...rest.decisions.map(one => one.decisionId), ...rest.calls.map(one => one.call.callId), ...(rest.effect ? [rest.effect.effectId] : [])]
    return { kind: 'found', evidence: { ...rest, acts: this.#actsAbout(ids), ...(event ? { event: cutText(event) } : {}) } }
  }

  /** All of one event, whichever of its rows was asked for. */
  #ofEvent(asked: Explanation['asked'], eventId: string): Explanation {
    const { db } = this.#reader
    const event = eventById(db, eventId)
    const calls = callsOf(db, eventId).map(call => explainCall(this.#reader, call))
    return { asked, decisions: endedDecisions(db, decisionsOf(db, eventId)), calls, causes: causesOf(db, event?.causedBy), ...(event ? { event } : {}) }
  }

  text(eventId: string): string | null | undefined {
    return eventById(this.#reader.db, eventId)?.text
  }

  /** Kept until a row comes that could change it. */
  unexplained(): readonly Unexplained[] {
    const head = this.#head('\'effect\', \'outcome\', \'act\', \'checkpoint\', \'call\'')
    if (this.#unexplained?.head !== head) this.#unexplained = { head, found: unexplained(this.#reader) }
    return this.#unexplained.found
  }

  stats(since: number): readonly RouteStats[] {
    const head = this.#head()
    if (this.#stats?.head !== head || this.#stats.since !== since) this.#stats = { head, since, found: stats(this.#reader, since) }
    return this.#stats.found
  }

  recent(now: number): readonly RecentCalls[] {
    const rows = this.#reader.db.prepare(`SELECT route, sum(at >= :now - ${MINUTE}) AS minute, sum(at >= :now - ${60 * MINUTE}) AS hour, count(*) AS day FROM rows
      WHERE kind = 'call' AND route IS NOT NULL AND at >= :now - ${24 * 60 * MINUTE} GROUP BY route`).all({ now }) as RecentCalls[]
    return rows.map(row => ({ ...row, route: fromPlain(row.route) }))
  }

  news(after: number): { seq: number, entries: number } {
    const { seq } = this.catchUp()
    return { seq, entries: this.#reader.db.prepare('SELECT count(*) FROM temp.entries WHERE seq > ?').pluck().get(after) as number }
  }

  close(): void { this.#reader.close() }

  #head(kinds?: string): number {
    return this.#reader.db.prepare(`SELECT coalesce(max(seq), 0) FROM rows${kinds === undefined ? '' : ` WHERE kind IN (${kinds})`}`).pluck().get() as number
  }

  #actsAbout(ids: readonly string[]): readonly ActRecord[] {
    const rows = this.#reader.db.prepare(`SELECT ${RAW} FROM rows WHERE kind IN ('act', 'checkpoint') AND json_extract(body, '$.about') IN (SELECT value FROM json_each(?)) ORDER BY seq`).all(JSON.stringify(ids)) as RawRow[]
    return rows.map(toAct)
  }
}

function cutText(event: EventRecord): EventRecord {
  return event.text === null || event.text.length <= EVIDENCE_TEXT ? event : { ...event, text: event.text.slice(0, EVIDENCE_TEXT) }
}
