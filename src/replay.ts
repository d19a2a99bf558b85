/**
 * What if? Decides every logged event again under other routes, calls nothing, and says what would be otherwise. With the same routes and the
 * same encoder it decides the same, bit for bit: a test compares.
 */
import type { DecisionRow } from './ports.ts'
import type { LoggedEvent } from './log/replay-source.ts'
import type { Event, OutcomeKind } from './types.ts'
import { canonicalJson } from './util/canonical.ts'

export interface ReplayChange {
  readonly eventId: string
  readonly source: string
  readonly text: string
  readonly change: 'newly-fires' | 'no-longer-fires' | 'other-arguments' | 'other-tool' | 'other-outcome'
  readonly before: string
  readonly after: string
  /** The new decision would call a tool with effects. */
  readonly effectful: boolean
}

export interface ReplayReport {
  readonly events: number
  readonly same: number
  /** Events whose words the log no longer has, or holds masked, or whose fitted head the cache no longer has. */
  readonly notReplayable: number
  /** Events decided by an encoder or a second reader that this replay does not have: scores of two models do not compare. */
  readonly otherModels: readonly { readonly model: string, readonly events: number, readonly first: string }[]
  readonly changes: readonly ReplayChange[]
}

/** One decision as the replay compares it. */
export interface Redecided { readonly row: DecisionRow, readonly fires: boolean, readonly effectful: boolean }

/** Outcomes that depend on what happened around the event, not on its words: a replay has no such surroundings to compare. */
const SURROUNDINGS: ReadonlySet<OutcomeKind> = new Set(['limited', 'duplicate', 'expired', 'self-caused', 'stopped'])

/** The models that decide again: each event must name them, or it is not replayed. A missing `reader`: the rules alone. */
export interface ReplayModels { readonly encoder: string, readonly reader?: string }

/** @param models absent: whatever model an event names, it is decided with the ones at hand (that is the question then) */
export async function replay(logged: Iterable<LoggedEvent>, decide: (event: Event, before: readonly DecisionRow[]) => Promise<readonly Redecided[] | undefined>, onProgress: (done: number) => void = () => undefined, models?: ReplayModels): Promise<ReplayReport> {
  const changes: ReplayChange[] = []
  let events = 0
  let same = 0
  let notReplayable = 0
  const others = new Map<string, { events: number, first: string }>()
  for (const { event, decisions } of logged) {
    // A call that somebody made, or a yes to a card: no words.
    if (event.source.startsWith('call:') || event.source === 'approval') continue
    // What answered a question or closed a card rests on what happened around it.
    const own = decisions.filter(decision => decision.answers === undefined)
    if (own.length === 0 && decisions.length > 0) continue
    events++
    onProgress(events)
    if (event.text === null || event.notReplayable) { notReplayable++; continue }
    const other = models && otherModel(decisions, models)
    if (other !== undefined) {
      const known = others.get(other)
      others.set(other, { events: (known?.events ?? 0) + 1, first: known?.first ?? event.eventId })
      continue
    }
    const again = await decide({ id: event.senderId, source: event.source, text: event.text, at: event.at, ...(event.causedBy ? { causedBy: event.causedBy } : {}), ...(event.data ? { data: event.data } : {}) }, decisions)
    if (!again) { notReplayable++; continue }
    const found = compare(own, again)
    if (found) changes.push({ eventId: event.eventId, source: event.source, text: event.text, ...found })
    else same++
  }
  return { events, same, notReplayable, otherModels: [...others].map(([model, { events: count, first }]) => ({ model, events: count, first })), changes }
}

/** A row without a reader rested on the rules and the vectors alone: a reader was not asked for it, or not there. */
function otherModel(decisions: readonly DecisionRow[], models: ReplayModels): string | undefined {
  for (const { encoderId, reader } of decisions) {
    if (encoderId !== '' && encoderId !== models.encoder) return encoderId
    const id = reader?.['id']
    if (typeof id === 'string' && id !== models.reader) return id
  }
  return undefined
}

function compare(before: readonly DecisionRow[], after: readonly Redecided[]): Pick<ReplayChange, 'change' | 'before' | 'after' | 'effectful'> | undefined {
  const length = Math.max(before.length, after.length)
  for (let nth = 0; nth < length; nth++) {
    const old = before[nth]
    const now = after[nth]
    if (old && SURROUNDINGS.has(old.kind)) continue
    const fired = old?.callId !== undefined
    const change = !fired && now?.fires ? 'newly-fires'
      : fired && !now?.fires ? 'no-longer-fires'
        : fired && now && old.tool !== now.row.tool ? 'other-tool'
          : fired && now && canonicalJson(old.args ?? {}) !== canonicalJson(now.row.args ?? {}) ? 'other-arguments'
            : old?.kind !== now?.row.kind || old?.reason !== now?.row.reason || old?.route !== now?.row.route ? 'other-outcome' : undefined
    if (change) return { change, before: describe(old), after: describe(now?.row), effectful: now?.fires === true && now.effectful }
  }
  return undefined
}

function describe(row: DecisionRow | undefined): string {
  if (!row) return 'nothing'
  return row.callId === undefined ? `${row.kind} (${row.reason})${row.route ? ` ${row.route}` : ''}` : `${row.tool} ${JSON.stringify(row.args ?? {})}`
}
