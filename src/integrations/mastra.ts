/**
 * The entry `usher-router/mastra`, for `@mastra/core`: Usher's tools by its `createTool`, which the host hands in, so that nothing of the package
 * is loaded from here. Approvals are its own (`requireApproval`). A durable agent tells of a call only right before it runs, so no yes of its
 * host can be bound to the bytes: what waits for a person does not run there.
 */
import type { Usher } from '../assemble.ts'
import type { JsonObject, Tool } from '../types.ts'
import { ModelDoor, type DoorOptions, type RuntimeCall } from './model-door.ts'
import { notCalled } from './shown.ts'

export { route, type Routed } from './route-first.ts'
export type { DoorOptions } from './model-door.ts'

/** What `createTool` of `@mastra/core/tools` gets. */
export interface MastraDefinition {
  id: string
  description: string
  inputSchema: JsonObject
  /** The only one of its hooks before a question that names the call; it comes again when the run is taken up. */
  onInputAvailable: (call: { readonly toolCallId: string, readonly input: unknown }) => Promise<void>
  requireApproval: (input: unknown) => boolean
  execute: (input: unknown, context?: { readonly agent?: { readonly toolCallId?: string } }) => Promise<unknown>
}

/** @param createTool that of `@mastra/core/tools`; @param tools the same as were given to createUsher */
export function mastraTools<Made>(usher: Usher, tools: readonly Tool[], createTool: (definition: MastraDefinition) => Made, options: DoorOptions = {}): { [name: string]: Made } {
  const asked = new Asked(new ModelDoor(usher, tools, 'mastra', options))
  return Object.fromEntries(asked.door.listed.map(({ name, description, visible }) => [name, createTool({
    id: name, description, inputSchema: visible,
    onInputAvailable: ({ toolCallId, input }) => asked.about({ id: toolCallId, tool: name, args: input }),
    requireApproval: input => asked.door.needsApproval({ tool: name, args: input }),
    execute: (input, context) => asked.run({ id: context?.agent?.toolCallId ?? 'no id', tool: name, args: input }),
  })]))
}

/** Mastra keeps a run that waits in the host's storage, arguments and ids of its calls in it: what comes back from there may be another call than the one a person saw. */
class Asked {
  readonly door: ModelDoor
  /** Calls that were first heard of in this pass, so that no person can have said yes to them yet. */
  readonly #new = new Set<string>()

  constructor(door: ModelDoor) {
    this.door = door
  }

  async about(call: RuntimeCall): Promise<void> {
    const before = await this.door.wasAsked(call)
    if (before || !await this.door.ask(call)) this.#new.delete(call.id)
    else this.#new.add(call.id)
  }

  async run(call: RuntimeCall): Promise<unknown> {
    if (!this.door.needsApproval(call)) return (await this.door.call(call)).value
    if (!this.#new.delete(call.id)) return (await this.door.approved(call)).value
    // The card goes too: left there, the same change once more would find it and pass for asked.
    await this.door.refused(call)
    return notCalled('denied', 'person', 'no person was asked about this call before the run was taken up; nothing was called')
  }
}
