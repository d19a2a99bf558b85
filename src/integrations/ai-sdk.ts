/**
 * The entry `usher-router/ai-sdk`, for `ai` 6 and 7: Usher's tools as a tool set, a tool set as Usher's tools, and the route before the turn.
 * Approvals are the SDK's own (`needsApproval`, tool-approval parts); what runs after one is what was asked for, byte for byte.
 */
import { asSchema, jsonSchema, type ModelMessage, type ToolSet } from 'ai'
import type { Usher } from '../assemble.ts'
import { UsherError } from '../errors.ts'
import type { CallContext, JsonObject, Tool } from '../types.ts'
import { checkDeclarations, declared, type Declaration } from './declared.ts'
import { ModelDoor, type DoorOptions } from './model-door.ts'

export { route, type Routed } from './route-first.ts'
export type { Declaration } from './declared.ts'
export type { DoorOptions } from './model-door.ts'
export type { NotCalled } from './shown.ts'

/**
 * The tools as the SDK wants them. A model sees the visible schemas; its calls go through the dispatcher; a refusal comes back as a `NotCalled`
 * object, a handler's result as it is. Keys that nobody declared are named in the result.
 * @param tools the same as were given to createUsher
 */
export function aiTools(usher: Usher, tools: readonly Tool[], options: DoorOptions = {}): ToolSet {
  const door = new ModelDoor(usher, tools, 'ai-sdk', options)
  return Object.fromEntries(door.listed.map(({ name, description, visible }) => [name, {
    description,
    // No validation by the SDK: what the model really sent has to reach the dispatcher, which names what it drops.
    inputSchema: jsonSchema<unknown>(visible as Parameters<typeof jsonSchema>[0]),
    needsApproval: (args: unknown, { toolCallId, messages }: { toolCallId: string, messages: readonly ModelMessage[] }) => {
      const call = { id: toolCallId, tool: name, args }
      // The SDK asks a second time with a history that its client sent: only the first time puts bytes to a person.
      return isInHistory(messages, toolCallId) ? door.needsApproval(call) : door.ask(call)
    },
    execute: async (args: unknown, { toolCallId, messages }: { toolCallId: string, messages: readonly ModelMessage[] }) => {
      const call = { id: toolCallId, tool: name, args }
      return (isInHistory(messages, toolCallId) ? await door.approved(call) : await door.call(call)).value
    },
  }]))
}

function isInHistory(messages: readonly ModelMessage[], toolCallId: string): boolean {
  return messages.some(message => message.role === 'assistant' && typeof message.content !== 'string' && message.content.some(part => part.type === 'tool-call' && part.toolCallId === toolCallId))
}

/**
 * A tool set that exists, as Usher's tools for `createUsher({ tools })`. What its own schema refuses still is refused, before `execute`.
 * @param declarations by tool name: its effects, and the parameters that no model may set
 * Throws TOOL_INVALID, also for a tool without `execute`.
 */
export async function usherTools(toolSet: ToolSet, declarations: { readonly [name: string]: Declaration } = {}): Promise<readonly Tool[]> {
  checkDeclarations(Object.keys(toolSet), declarations)
  return Promise.all(Object.entries(toolSet).map(async ([name, tool]) => {
    const { execute } = tool
    if (!execute) throw new UsherError('TOOL_INVALID', `tool ${JSON.stringify(name)} has no \`execute\`, so Usher cannot run it; leave it out and give it to the SDK yourself`)
    const schema = asSchema(tool.inputSchema)
    return declared({
      name, description: tool.description ?? name, schema: await schema.jsonSchema,
      run: async (args, call) => lastOf(await execute(await validated(schema, name, args), executionOptions(call))),
    }, declarations)
  }))
}

/** Both majors: 6 has no `context`, 7 wants one. */
function executionOptions(call: CallContext) {
  return { toolCallId: call.callId, messages: [], abortSignal: call.signal, context: {} }
}

async function validated(schema: ReturnType<typeof asSchema>, name: string, args: JsonObject): Promise<unknown> {
  const checked = await schema.validate?.(args)
  if (!checked) return args
  if (!checked.success) throw new UsherError('TOOL_INVALID', `tool ${JSON.stringify(name)} does not take these arguments: ${checked.error.message}`, { cause: checked.error })
  return checked.value
}

/** A tool may stream preliminary results; the last one is its result. */
async function lastOf(result: unknown): Promise<unknown> {
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result
  let last: unknown
  for await (const part of result as AsyncIterable<unknown>) last = part
  return last
}
