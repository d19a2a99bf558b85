/**
 * The entry `usher-router/langchain`, for `@langchain/core` tools. It has no approvals of its own: a call that waits for a person says so, and
 * its card waits in `usher approvals`.
 */
import { tool, type DynamicStructuredTool } from '@langchain/core/tools'
import type { Usher } from '../assemble.ts'
import type { Tool } from '../types.ts'
import { newId } from '../util/ids.ts'
import { ModelDoor, type DoorOptions } from './model-door.ts'

export { route, type Routed } from './route-first.ts'
export type { NotCalled } from './shown.ts'
export type LangchainOptions = Omit<DoorOptions, 'proof'>

/** @param tools the same as were given to createUsher */
export function langchainTools(usher: Usher, tools: readonly Tool[], options: LangchainOptions = {}): DynamicStructuredTool[] {
  const door = new ModelDoor(usher, tools, 'langchain', options)
  return door.listed.map(({ name, description, visible }) => tool(
    async (args: unknown, config: { readonly toolCall?: { readonly id?: string | undefined } | undefined }) => {
      const { value } = await door.call({ id: config.toolCall?.id ?? newId('c'), tool: name, args })
      return typeof value === 'string' ? value : JSON.stringify(value)
    },
    { name, description, schema: visible as Record<string, unknown> },
  ) as unknown as DynamicStructuredTool)
}
