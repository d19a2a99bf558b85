/** From the port's rows to what is stored: masked, serialised, loss-free. */
import type { CallRow, DecisionRow, EventRow, ActRow, OutcomeRow, RefusalRow } from '../ports.ts'
import type { Effect } from '../types.ts'
import type { RowKind } from './chain.ts'
import { newId, randomHex } from '../util/ids.ts'
import { toPlain } from './plain.ts'
import { otherProcess, ownProcess, processText } from './process-id.ts'
import type { Repeats } from './repeats.ts'
import type { Secrets } from './secrets.ts'
import { serialise } from './serialise.ts'

/** A row before it has a place in the chain. */
export interface PendingRow {
  readonly kind: RowKind
  readonly body: { readonly [field: string]: unknown } | string
  readonly text?: string
  readonly data?: string
  readonly salt?: string
  readonly eventId?: string
  readonly decisionId?: string
  /** Masks it again: a call may have named a secret that this row still shows. */
  readonly remake?: () => PendingRow
}

/** Names of ours, not content: never masked, whatever they look like. */
const OURS: ReadonlySet<string> = new Set(['eventId', 'decisionId', 'callId', 'causedBy', 'source', 'kind', 'by', 'reason', 'route', 'tool', 'act', 'tableHash', 'encoderId', 'contractHash', 'process', 'argsDigest', 'presetDigest', 'contentDigest', 'watcher', 'of'].map(name => `/${name}`))
/** Looked up by value, so they must be stored in the form that a query binds. */
const IDS = ['eventId', 'decisionId', 'callId', 'causedBy', 'source', 'senderId', 'route', 'tool'] as const

type Fields = Record<string, unknown>

/** An optional field that is there and undefined is not there: the row's own fields are the port's, not a caller's values. */
function plainIds(row: Fields): Fields {
  const fields: Fields = { ...row }
  for (const name in fields) if (fields[name] === undefined) delete fields[name]
  for (const id of IDS) if (typeof fields[id] === 'string') fields[id] = toPlain(fields[id])
  return fields
}

/** Serialises with masking; adds `masked: 1` when anything was masked, after `digests` (keyed, of true bytes) were made. */
function encode(fields: Fields, secrets: Secrets, options: { strict: boolean, secretPaths?: ReadonlySet<string>, digests?: () => Fields }): string {
  let masked = false
  const mask = (text: string, path: string): string => {
    if (OURS.has(path)) return text
    const clean = path === '' ? secrets.scrubName(text) : secrets.scrub(text, path)
    if (clean !== text) masked = true
    return clean
  }
  const replace = (value: unknown, path: string): string | undefined => {
    // A PIN is a number; texts under such a name are masked by scrub.
    const named = (typeof value === 'number' || typeof value === 'bigint') && secrets.isSecretName(path)
    if (!named && (!options.secretPaths?.has(path) || value === null || value === undefined)) return undefined
    masked = true
    if (named) return secrets.mask(String(value))
    return secrets.remember(typeof value === 'string' ? value : serialise(value, { strict: false }))
  }
  const settings = { strict: options.strict, mask, replace }
  const body = serialise(fields, settings)
  return masked ? serialise({ ...fields, ...options.digests?.(), masked: 1 }, settings) : body
}

export function eventRow(row: EventRow, secrets: Secrets): PendingRow {
  const { text, data, ...rest } = row
  const cleanText = secrets.scrub(text)
  const cleanData = data === undefined ? undefined : encode(data as Fields, secrets, { strict: false })
  const changed = cleanText !== text || (cleanData !== undefined && cleanData !== serialise(data, { strict: false }))
  const fields: Fields = plainIds({ ...rest, senderId: secrets.scrubTokens(rest.senderId), ...(rest.malformed === undefined ? {} : { malformed: secrets.scrub(rest.malformed) }) })
  if (changed) Object.assign(fields, { masked: 1, contentDigest: secrets.digest('content-v1', JSON.stringify([text])) })
  return {
    kind: 'event', body: fields, text: toPlain(cleanText), ...(cleanData === undefined ? {} : { data: cleanData }),
    salt: randomHex(12), eventId: row.eventId, remake: () => eventRow(row, secrets),
  }
}

/** Paths in the row's body: the schema's are relative to the arguments. */
function inArgs(paths: readonly string[] | undefined): ReadonlySet<string> {
  return new Set((paths ?? []).map(path => `/args${path}`))
}

function maskPreset(preset: string | undefined, args: unknown, paths: readonly string[] | undefined, secrets: Secrets): Fields {
  if (preset === undefined) return {}
  // Known secrets stand in the preset's JSON in their escaped form.
  if (paths) encode({ args }, secrets, { strict: false, secretPaths: inArgs(paths) })
  const clean = scrubPreset(preset, secrets)
  return clean === preset ? { presetBytes: preset } : { presetBytes: clean, presetDigest: secrets.digest('preset-v1', preset), masked: 1 }
}

function scrubPreset(preset: string, secrets: Secrets): string {
  let parsed: unknown
  try {
    parsed = JSON.parse(preset)
  } catch {
    // Whatever it is, it is kept as the text that the caller gave.
    return secrets.scrub(preset)
  }
  const clean = serialise(parsed, { strict: false, mask: (text, path) => secrets.scrub(text, path) })
  // An unchanged preset must stay byte for byte what the route says.
  return clean === serialise(parsed, { strict: false }) ? preset : clean
}

export function decisionRow(row: DecisionRow, secrets: Secrets): PendingRow {
  const { secretPaths, presetBytes, ...rest } = row
  // Whose call it announces: where that process dies before the call's row, somebody else closes the decision.
  const announcer = row.callId === undefined ? {} : { process: processText(ownProcess()) }
  const fields = plainIds({ ...rest, ...maskPreset(presetBytes, row.args, secretPaths, secrets), ...announcer })
  return { kind: 'decision', decisionId: row.decisionId, body: encode(fields, secrets, { strict: false, secretPaths: inArgs(secretPaths) }), eventId: row.eventId, remake: () => decisionRow(row, secrets) }
}

/** The decision with its true end, in place of one that is not written yet. */
export function refusedRow({ callId: _callId, ...row }: DecisionRow, { kind, reason, why }: Pick<RefusalRow, 'kind' | 'reason' | 'why'>, secrets: Secrets): PendingRow {
  return decisionRow({ ...row, kind, reason, why }, secrets)
}

/** A further decision of the same event, which tells the end of one that is written and says `called`. */
export function closingRow(before: Pick<DecisionRow, 'decisionId' | 'eventId' | 'nth' | 'tableHash' | 'encoderId' | 'route' | 'tool'>, refusal: Pick<RefusalRow, 'kind' | 'reason' | 'why' | 'at'>, secrets: Secrets): PendingRow {
  const { decisionId, eventId, nth, tableHash, encoderId, route, tool } = before
  const { kind, reason, why, at } = refusal
  return decisionRow({
    decisionId: newId('d'), eventId, nth, kind, reason, why, answers: decisionId, nearMisses: [], gate: [], reading: [], origins: {}, tableHash, encoderId, at,
    ...route === undefined ? {} : { route }, ...tool === undefined ? {} : { tool },
  }, secrets)
}

/** Throws LOG_VALUE for arguments that cannot be kept: then there is no call. */
export function callRow(row: CallRow, secrets: Secrets): PendingRow {
  const { secretPaths, presetBytes, pid, ...rest } = row
  const fields = plainIds({ ...rest, ...maskPreset(presetBytes, row.args, secretPaths, secrets), ...pid === null ? {} : { process: processText(pid === undefined ? ownProcess() : otherProcess(pid)) } })
  const digests = (): Fields => ({ argsDigest: secrets.digest('args-v1', serialise(row.args)) })
  return { kind: 'call', body: encode(fields, secrets, { strict: true, secretPaths: inArgs(secretPaths), digests }) }
}

/** Never throws for a value: the call has happened, so its end is written whatever its result is. */
export function outcomeRow(row: OutcomeRow, secrets: Secrets): PendingRow {
  return { kind: 'outcome', body: encode(plainIds({ ...row }), secrets, { strict: false }) }
}

export function effectRow(effect: Effect, secrets: Secrets): PendingRow {
  return { kind: 'effect', body: encode(plainIds({ ...effect, blocked: effect.blocked ? 1 : 0 }), secrets, { strict: false }) }
}

/** A count of effects that are the same as the one in the row `of`. */
export function repeatsRow({ effect, of, times, since }: Repeats, secrets: Secrets): PendingRow {
  return { kind: 'effect', body: encode(plainIds({ ...effect, blocked: effect.blocked ? 1 : 0, of, times, since }), secrets, { strict: false }) }
}

export function actRow(row: ActRow, secrets: Secrets): PendingRow {
  return { kind: 'act', body: encode(plainIds({ ...row }), secrets, { strict: false }) }
}
