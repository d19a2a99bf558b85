/** A tool that a runtime runs, as the checks want it: never run from here. */
import { UsherError } from '../../errors.ts'
import type { JsonObject, Tool, ToolEffects } from '../../types.ts'

/** The arguments are the runtime's to check: any key passes, so that none reads as dropped. */
const ANYTHING: JsonObject = { type: 'object', additionalProperties: true }

/** @param effects undefined: nobody said, so it counts as destructive */
export function foreignTool(name: string, effects: ToolEffects | undefined, visible: JsonObject = ANYTHING): Tool {
  return { name, description: name, visible, presetOnly: {}, effects, origin: { kind: 'code' }, run: () => { throw new UsherError('TOOL_UNKNOWN', `${name} runs in its runtime, not here`) } }
}
