/** Tools by name: a Map, so that a tool called `constructor` is unknown until somebody defines it. */
import { UsherError } from '../errors.ts'
import type { Tool } from '../types.ts'

/** Throws TOOL_INVALID where two tools share a name: a second one must never shadow the first. */
export function toolTable(tools: Iterable<Tool>): ReadonlyMap<string, Tool> {
  const table = new Map<string, Tool>()
  for (const tool of tools) {
    if (table.has(tool.name)) throw new UsherError('TOOL_INVALID', `two tools are called ${JSON.stringify(tool.name)}; rename one`)
    table.set(tool.name, tool)
  }
  return table
}
