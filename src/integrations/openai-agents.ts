/**
 * The entry `usher-router/openai-agents`, for `@openai/agents`: Usher's tools as function tools. Schemas are strict where they can be, and a
 * preset-only parameter is in none of them, so no strict mode can force one. Approvals are the SDK's interruptions, each good for one call.
 */
import { tool, type RunContext, type Tool as AgentTool } from '@openai/agents'
import type { Usher } from '../assemble.ts'
import type { JsonObject, Tool } from '../types.ts'
import { isRecord } from '../util/records.ts'
import { ModelDoor, type DoorOptions } from './model-door.ts'
import { strictSchema } from './strict-schema.ts'

export { route, type Routed } from './route-first.ts'
export type { DoorOptions } from './model-door.ts'
export type { NotCalled } from './shown.ts'

/** @param tools the same as were given to createUsher */
export function agentTools(usher: Usher, tools: readonly Tool[], options: DoorOptions = {}): AgentTool[] {
  const door = new ModelDoor(usher, tools, 'openai-agents', options)
  return door.listed.map(listed => functionTool(door, listed))
}

function functionTool(door: ModelDoor, { name, description, visible }: Pick<Tool, 'name' | 'description' | 'visible'>): AgentTool {
  const strict = strictSchema(visible)
  const given = (input: unknown): unknown => strict && isRecord(input) ? strict.given(input) : input
  const behaviour = {
    name, description,
    needsApproval: async (context: RunContext, input: unknown, callId?: string) => {
      const call = { tool: name, args: given(input) }
      // Without an id nobody's yes could be bound to this call: the model is told that it waits.
      // The SDK asks again when it takes a kept run up: bytes under an id that has its yes already are put to nobody.
      return callId === undefined || saidYesTo(context, callId) ? door.needsApproval(call) : door.ask({ id: callId, ...call })
    },
    execute: async (input: unknown, context?: RunContext, details?: { readonly toolCall?: { readonly callId: string } }) => {
      const id = details?.toolCall?.callId ?? 'no id'
      const call = { id, tool: name, args: given(input) }
      return (context && saidYesTo(context, id) ? await door.approved(call) : await door.call(call)).value
    },
  }
  type Parameters = Record<string, JsonObject>
  return strict
    ? tool({ ...behaviour, strict: true, parameters: strict.schema as { type: 'object', properties: Parameters, required: string[], additionalProperties: false } })
    : tool({ ...behaviour, strict: false, parameters: { type: 'object', required: [], properties: {}, ...visible, additionalProperties: true } as { type: 'object', properties: Parameters, required: string[], additionalProperties: true } })
}

/** "Always approve this tool" says yes to bytes that nobody has seen: only a yes to this very call counts. */
function saidYesTo(context: RunContext, callId: string): boolean {
  const { approvals } = context.toJSON()
  return Object.values(approvals).some(({ approved }) => Array.isArray(approved) && approved.includes(callId))
}
