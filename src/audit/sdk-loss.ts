/** What of a tool's entry the SDK's own reading drops: a server acts on it, and nobody who looks through the SDK sees it. */
import { ToolSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Json, JsonObject } from '../types.ts'
import { isRecord } from '../util/records.ts'

const MAX_NAMED = 20

/** JSON Pointers of lost members; empty where the SDK refuses the entry as a whole, for then nothing is lost in silence. */
export function lostInSdk(tool: JsonObject): readonly string[] {
  const parsed = ToolSchema.safeParse(tool)
  if (!parsed.success) return []
  const lost: string[] = []
  const compare = (raw: Json, kept: unknown, at: string): void => {
    if (lost.length >= MAX_NAMED || typeof raw !== 'object' || raw === null) return
    for (const [name, value] of Object.entries(raw)) {
      const path = `${at}/${name}`
      const has = typeof kept === 'object' && kept !== null && Object.hasOwn(kept, name)
      if (!has) lost.push(path)
      else if (Array.isArray(value) || isRecord(value)) compare(value as Json, (kept as { readonly [key: string]: unknown })[name], path)
    }
  }
  compare(tool, parsed.data, '')
  return lost
}
