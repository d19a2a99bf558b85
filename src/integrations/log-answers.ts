/**
 * The log's answers for a model: short, bounded, and nothing in them that could pass for more than data: text of events is quoted, masked
 * and capped, and says where it came from.
 */
import { explainById } from '../log/explain.ts'
import { queryLog, type LogEntry, type LogFilter } from '../log/query.ts'
import { openLogReader, type LogReader } from '../log/reader.ts'
import { unexplained } from '../log/unexplained.ts'
import type { DecisionRow } from '../ports.ts'
import type { Json, JsonObject } from '../types.ts'
import { capped, visible } from '../util/mask.ts'
import { isRecord } from '../util/records.ts'
import { nextStep, OUTCOMES } from '../vocabulary/outcomes.ts'

export const MAX_ENTRIES = 100
/** Characters of one answer: a model's context is not the place for a log. */
export const MAX_ANSWER = 24_000
const MAX_TEXT = 300
const MAX_LIST = 50
const MAX_DEPTH = 8

/** Reads only: not even calls that a dead process left are marked. Throws LOG_OPEN_FAILED. */
export function withReader<T>(file: string, work: (reader: LogReader) => T): T {
  const reader = openLogReader(file, { recover: false })
  try {
    return work(reader)
  } finally {
    reader.close()
  }
}

export function logAnswer(reader: LogReader, filter: LogFilter): JsonObject {
  const limit = Math.min(filter.limit ?? 30, MAX_ENTRIES)
  // One more than is shown says whether there are more.
  const found = queryLog(reader, { ...filter, limit: limit + 1 })
  return fitted('entries', found.slice(-limit).map(entryLine), found.length > limit)
}

export function unexplainedAnswer(reader: LogReader, since: number | undefined): JsonObject {
  const found = unexplained(reader, since)
  return { count: found.length, ...fitted('unexplained', found.slice(0, MAX_ENTRIES).map(one => shortened({ ...one, at: isoTime(one.at) } as unknown as Json)), found.length > MAX_ENTRIES) }
}

export function explainAnswer(reader: LogReader, id: string): JsonObject {
  const found = explainById(reader, id)
  if (found.kind === 'none') return { found: false, why: `nothing in the log has the id ${visible(JSON.stringify(id))}` }
  if (found.kind === 'many') return { found: false, why: 'several ids begin so', ids: found.found.slice(0, 20).map(one => one.id) }
  return fitted('explanation', [shortened(JSON.parse(JSON.stringify(found.explanation)) as Json)], false)
}

export function decisionLine(row: DecisionRow, wouldCall: boolean): JsonObject {
  return {
    wouldCall, outcome: row.kind, reason: row.reason, means: OUTCOMES[row.kind].means, why: short(row.why), next: nextStep(row.kind, row.reason),
    ...(row.route ? { route: row.route } : {}), ...(row.tool ? { tool: row.tool } : {}), ...(row.phrase === undefined ? {} : { phrase: short(row.phrase) }), ...(row.score === undefined ? {} : { score: row.score }),
    ...(row.args ? { args: shortened(row.args) } : {}), ...(row.question ? { question: short(row.question) } : {}), nearMisses: shortened(row.nearMisses as unknown as Json),
  }
}

function entryLine(entry: LogEntry): JsonObject {
  const { event, decision, call } = entry
  return {
    at: isoTime(entry.at), outcome: entry.outcome, id: call?.call.callId ?? decision?.decisionId ?? event?.eventId ?? '',
    ...(event ? { source: event.source, text: short(event.text ?? '(dropped)') } : {}),
    ...(decision?.tool ?? call ? { tool: decision?.tool ?? call?.call.tool ?? '' } : {}), ...(decision?.route ? { route: decision.route } : {}),
    why: short(call?.outcome?.why ?? decision?.why ?? event?.malformed ?? ''),
    ...(call && call.effects.length > 0 ? { effects: call.effects.slice(0, 10).map(effect => short(`${effect.kind} ${effect.target}${effect.blocked ? ' (stopped)' : ''}`)) } : {}),
  }
}

/** From the newest back, as many as fit. */
function fitted(name: string, items: readonly Json[], more: boolean): JsonObject {
  let room = MAX_ANSWER
  const kept: Json[] = []
  for (const item of items.toReversed()) {
    room -= JSON.stringify(item).length
    if (room < 0) break
    kept.unshift(item)
  }
  const cut = more || kept.length < items.length
  return { [name]: kept.length === 0 && items.length > 0 ? ['too long for an answer; ask "usher explain" for it'] : kept, ...(cut ? { more: true } : {}) }
}

const isoTime = (at: number): string => new Date(at).toISOString()
const short = (text: string): string => capped(visible(text), MAX_TEXT)

function shortened(value: Json, depth = 0): Json {
  if (typeof value === 'string') return short(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '…'
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).slice(0, MAX_LIST).map(([key, inner]) => [short(key), shortened(inner, depth + 1)]))
  return value.slice(0, MAX_LIST).map(item => shortened(item, depth + 1))
}
