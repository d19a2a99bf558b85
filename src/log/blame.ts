/** From an effect back to the words of the person who asked for it, or to the point where nobody did. */
import { callById, causesOf, effectBySeq } from './lookups.ts'
import type { CallRecord, EffectRecord, EventRecord } from './records.ts'
import type { LogReader } from './reader.ts'

export interface BlameStep { readonly call: CallRecord, readonly event?: EventRecord, readonly asked: boolean }

export type Blame =
  | { readonly kind: 'none' }
  | {
    readonly kind: 'found'
    readonly effect: EffectRecord
    /** From the effect's call back. */
    readonly steps: readonly BlameStep[]
    /** Who is behind it: the asked event or the person; absent where nobody asked. */
    readonly asker?: { readonly callId: string, readonly source?: string, readonly who?: string, readonly words?: string | null }
    readonly why: string
  }

/** @param effectId `effect-<row>`, or the row's number */
export function blame(reader: LogReader, effectId: string): Blame {
  const seq = Number(effectId.replace(/^effect-/, ''))
  const effect = Number.isSafeInteger(seq) ? effectBySeq(reader.db, seq) : undefined
  if (!effect) return { kind: 'none' }
  if (effect.callId === null) {
    const why = effect.background === undefined ? 'no call was in flight: nobody asked for it' : `the host's own background work ${JSON.stringify(effect.background)}`
    return { kind: 'found', effect, steps: [], why }
  }
  if (!callById(reader.db, effect.callId)) return { kind: 'found', effect, steps: [], why: `its call ${effect.callId} has no row in the log` }
  const steps = causesOf(reader.db, effect.callId).map(step => ({ ...step, asked: isAsked(step.call) }))
  const first = steps.find(step => step.asked)
  if (!first) return { kind: 'found', effect, steps, why: 'no call in the chain of causes was asked for' }
  const { call, event } = first
  return {
    kind: 'found', effect, steps, why: call.askedBy === 'reader' ? 'the second reader alone took the words for an ask' : call.explicit ? 'the words ask for it' : `a ${call.by === 'approval' ? 'person approved it' : 'person called it'}`,
    asker: { callId: call.callId, ...(event ? { source: event.source, words: event.text } : {}), ...(call.who === undefined ? {} : { who: call.who }) },
  }
}

/** The same rule as in unexplained-sql.ts. */
function isAsked(call: CallRecord): boolean {
  return call.explicit || call.by === 'person' || call.by === 'approval'
}
