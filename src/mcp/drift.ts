/** A contract held against what the server offers now. */
import { type Contract, contractEffects } from '../contract/contract.ts'
import { orderedSchema } from '../contract/hash.ts'
import { schemaSentences } from '../contract/schema-changes.ts'
import type { Json, JsonObject, ToolEffects } from '../types.ts'
import { canonicalJson } from '../util/canonical.ts'
import { quoted } from '../util/mask.ts'
import type { GoodTool } from './judge.ts'

const bytes = (value: Json | undefined): string => canonicalJson(orderedSchema(value ?? null))

/** What is different, in sentences. Empty: the tool is the one that was signed. */
export function driftOf(contract: Contract, offered: GoodTool): readonly string[] {
  // Version 1 knows no wire hash; it names the tool and its input schema.
  const equal = contract.wireHash === undefined ? bytes(contract.inputSchema) === bytes(offered.tool['inputSchema']) : contract.wireHash === offered.hash
  if (equal) return []
  const { tool } = offered
  const found = [...schemaSentences(contract.inputSchema, tool['inputSchema'] as Json)]
  const differs = (field: string, signed: Json | undefined): boolean => canonicalJson(tool[field] ?? null) !== canonicalJson(signed ?? null)
  if (contract.version === 2 && differs('description', contract.description)) found.push(`describes itself as ${quoted(String(tool['description'] ?? ''))}, was ${quoted(contract.description ?? '')}`)
  if (contract.version === 2 && differs('annotations', contract.annotations)) found.push(`claims ${quoted(canonicalJson(tool['annotations'] ?? {}))}`)
  if (contract.version === 2 && bytes(tool['outputSchema']) !== bytes(contract.outputSchema)) found.push('promises another form of result')
  return found.length > 0 ? found : ['is sent with something else in a part that the contract shows only by its hash']
}

/**
 * The effects that count: what the contract says, or unknown (destructive) where the server itself claims more. A hint of the server may
 * only tighten: `readOnlyHint: true` makes nothing harmless.
 */
export function tightened(contract: Contract, offered: JsonObject): { readonly effects: ToolEffects | undefined, readonly doubt?: string } {
  const claims = offered['annotations'] as JsonObject | undefined
  const admits = claims?.['destructiveHint'] === true ? 'destructiveHint: true' : claims?.['readOnlyHint'] === false ? 'readOnlyHint: false' : undefined
  if (admits === undefined || contractEffects(contract).length > 0) return { effects: contract.effects }
  return { effects: undefined, doubt: `has no effect in its contract, while its server says of it ${admits}` }
}
