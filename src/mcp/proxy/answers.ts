/** What the client is told when a call did not simply run. */
import type { Json, JsonObject, Outcome } from '../../types.ts'
import { nextStep } from '../../vocabulary/outcomes.ts'
import { visible } from '../../util/mask.ts'
import type { ProxyRefusal } from './port.ts'

export const errorAnswer = (id: Json, code: number, message: string): JsonObject => ({ jsonrpc: '2.0', id, error: { code, message } })

/** A tool error, as MCP has it: the model sees it and can tell its person, where a protocol error would be swallowed by many clients. */
function toolError(id: Json, words: string, meta: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: words }], isError: true, _meta: { usher: meta } } }
}

/** Says what a person may do; never which armed key is missing. */
export function refusalAnswer(id: Json, tool: string, refusal: ProxyRefusal & Pick<Outcome, 'callId' | 'decisionId'>): JsonObject {
  const { kind, reason, why, callId, decisionId } = refusal
  const named = callId ?? decisionId
  const next = kind === 'needs-approval' ? `A person approves it with: usher approve ${decisionId ?? ''}`.trim() : `Next: ${nextStep(kind, reason)}.`
  const words = `Usher did not complete ${tool}: ${kind} (${reason}). ${why}. ${next}${named ? ` (${named})` : ''}`
  return toolError(id, words.split('\n').map(visible).join('\n'), { outcome: kind, reason, ...named ? { id: named } : {} })
}
