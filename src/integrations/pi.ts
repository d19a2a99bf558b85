/**
 * The entry `usher-router/pi`, for `@mariozechner/pi-agent-core`: Usher's tools as agent tools, and the gate for its other tools by
 * `beforeToolCall` and `afterToolCall`. By its shapes only: nothing of the package is loaded from here.
 */
import type { Usher } from '../assemble.ts'
import { loggable } from '../dispatch/result.ts'
import type { JsonObject, Tool } from '../types.ts'
import { isRecord } from '../util/records.ts'
import { liveGate, type GateOptions } from './gate/live.ts'
import { ModelDoor, type DoorOptions } from './model-door.ts'

export { route, type Routed } from './route-first.ts'
export type { GateOptions } from './gate/live.ts'

interface PiResult { content: { type: 'text', text: string }[], details: unknown }

/** An `AgentTool` of the package. */
export interface PiTool {
  name: string
  label: string
  description: string
  parameters: JsonObject
  execute(toolCallId: string, args: unknown): Promise<PiResult>
}

/** The runtime has no approvals: a call that waits for a person says so, and its card waits in `usher approvals`. */
export function piTools(usher: Usher, tools: readonly Tool[], options: Omit<DoorOptions, 'proof'> = {}): PiTool[] {
  const door = new ModelDoor(usher, tools, 'pi', options)
  return door.listed.map(({ name, description, visible }) => ({
    name, label: name, description, parameters: visible,
    execute: async (toolCallId, args) => {
      const { value } = await door.call({ id: toolCallId, tool: name, args })
      return { content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }], details: value }
    },
  }))
}

interface PiCall { readonly toolCall: { readonly id: string, readonly name: string }, readonly args: unknown }

/**
 * For the options of `new Agent({ ... })`: every other tool is judged and logged before it runs, and its end after. What waits for a person is
 * blocked, and the model is told.
 */
export function piGate(usher: Usher, options: GateOptions & { /** The agent's session. */ readonly session: string }) {
  const gate = liveGate(usher, 'pi', options)
  const use = ({ toolCall, args }: PiCall) => ({ session: options.session, useId: toolCall.id, tool: toolCall.name, args: isRecord(args) ? args : {}, cwd: process.cwd() })
  return {
    beforeToolCall: async (call: PiCall): Promise<{ block: true, reason: string } | undefined> => {
      const said = isRecord(call.args) ? await gate.before(use(call)) : { kind: 'held' as const, outcome: { kind: 'denied' as const, reason: 'invalid-args', why: 'the arguments are no object' } }
      return said.kind === 'held' ? { block: true, reason: `Usher, ${said.outcome.kind}: ${said.outcome.why}` } : undefined
    },
    afterToolCall: async (call: PiCall & { readonly result: unknown, readonly isError: boolean }): Promise<undefined> => {
      await gate.after({ ...use(call), result: loggable(call.result), failed: call.isError ? 'the tool reported an error' : undefined, ms: undefined })
      return undefined
    },
  }
}
