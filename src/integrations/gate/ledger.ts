/** What the log already holds of one tool use: a runtime may be asked twice (two settings files), and its end comes to another process. */
import { existsSync } from 'node:fs'
import { callById, decisionById, effectsOf, outcomesOf } from '../../log/lookups.ts'
import { openLogReader } from '../../log/reader.ts'
import type { CallRecord, DecisionRecord } from '../../log/records.ts'
import { canonicalJson, sha256 } from '../../util/canonical.ts'

/** The watcher of effects that a runtime's hook told of. */
export const HOOK_WATCHER = 'hook'

export interface UseIds { readonly eventId: string, readonly decisionId: string, readonly callId: string }

/** The same for both hooks of one tool use, in whatever process. */
export function idsOf(runtime: string, { session, useId }: { readonly session: string, readonly useId: string }): UseIds {
  const key = sha256(canonicalJson(['tool-use-v1', runtime, session, useId])).slice(0, 16)
  return { eventId: `e-${key}`, decisionId: `d-${key}`, callId: `c-${key}` }
}

export interface KnownUse { readonly decision: DecisionRecord | undefined, readonly call: CallRecord | undefined, readonly ended: boolean, /** What ran otherwise than it was judged and is in the log: canonical arguments. */ readonly unasked: ReadonlySet<string> }

/** Throws LOG_OPEN_FAILED or LOG_VERSION where there is a log that cannot be read. */
export function knownUse(file: string, ids: UseIds, stateDir?: string): KnownUse {
  if (!existsSync(file)) return { decision: undefined, call: undefined, ended: false, unasked: new Set() }
  const reader = openLogReader(file, { recover: false, ...(stateDir === undefined ? {} : { stateDir }) })
  try {
    return {
      decision: decisionById(reader.db, ids.decisionId), call: callById(reader.db, ids.callId),
      unasked: new Set(effectsOf(reader.db, ids.callId).flatMap(({ watcher, detail }) => watcher === HOOK_WATCHER && detail ? [canonicalJson(detail['args'] ?? {})] : [])),
      // `unknown` was only a guess about a process that ended.
      ended: outcomesOf(reader.db, ids.callId).some(outcome => outcome.kind !== 'unknown'),
    }
  } finally {
    reader.close()
  }
}
