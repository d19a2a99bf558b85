/**
 * The entry `usher-router/mastra`, for `@mastra/core`: Usher's tools by its `createTool`, which the host hands in, so that nothing of the package
 * is loaded from here. Approvals are its own (`requireApproval`).
 */
import type { Usher } from '../assemble.ts'
import type { JsonObject, Tool } from '../types.ts'
import { canonicalJson, sha256 } from '../util/canonical.ts'
import { isRecord } from '../util/records.ts'
import { ModelDoor, type DoorOptions } from './model-door.ts'

export { route, type Routed } from './route-first.ts'
export type { DoorOptions } from './model-door.ts'

/** What `createTool` of `@mastra/core/tools` gets. */
export interface MastraDefinition {
  id: string
  description: string
  inputSchema: JsonObject
  requireApproval: (input: unknown) => Promise<boolean>
  execute: (input: unknown) => Promise<unknown>
}

/** @param createTool that of `@mastra/core/tools`; @param tools the same as were given to createUsher */
export function mastraTools<Made>(usher: Usher, tools: readonly Tool[], createTool: (definition: MastraDefinition) => Made, options: DoorOptions = {}): { [name: string]: Made } {
  const door = new ModelDoor(usher, tools, 'mastra', options)
  return Object.fromEntries(door.listed.map(({ name, description, visible }) => [name, createTool({
    id: name, description, inputSchema: visible,
    requireApproval: input => door.ask(callOf(name, input)),
    execute: async input => (await (door.needsApproval({ tool: name, args: input }) ? door.approved(callOf(name, input)) : door.call(callOf(name, input)))).value,
  })]))
}

/** Its `requireApproval` is given no call's id, so the bytes themselves are the name: other bytes have no card, and so no yes. */
function callOf(tool: string, args: unknown) {
  return { id: isRecord(args) ? sha256(canonicalJson(['mastra', tool, args])).slice(0, 32) : 'no object', tool, args }
}
