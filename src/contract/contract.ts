/** What a person agreed that one tool is: the noun that the rest of the folder makes and the MCP client obeys. */
import type { EffectPattern, JsonObject, JsonSchema, ToolEffects } from '../types.ts'
import type { ServerIdentity } from './format.ts'

export type { ServerIdentity } from './format.ts'

export interface Contract {
  readonly version: 1 | 2
  readonly name: string
  /** Undefined in version 1, which names only the local command. */
  readonly server: ServerIdentity | undefined
  /** Version 1: the command of the local tool (the words of it). Version 2: the server's command, if it has one. */
  readonly command: readonly string[] | undefined
  readonly description: string | undefined
  readonly inputSchema: JsonObject
  readonly outputSchema: JsonObject | undefined
  readonly annotations: JsonObject | undefined
  readonly effects: ToolEffects
  readonly privileges: readonly string[]
  readonly presetOnly: { readonly [key: string]: JsonSchema }
  readonly signedBy: string
  /** What the server must offer, byte for byte in canonical form; undefined in version 1, where name and input schema are compared. */
  readonly wireHash: string | undefined
  /** SHA-256 of the canonical record as loaded: what a call's row names. */
  readonly contractHash: string
}

/** `server/tool`, or the bare name in version 1. */
export function contractKey(contract: Pick<Contract, 'name' | 'server'>): string {
  return contract.server ? `${contract.server.name}/${contract.name}` : contract.name
}

/** Every effect that the contract lets the tool have. */
export function contractEffects(contract: Contract): readonly EffectPattern[] {
  return [...new Set(Object.values(contract.effects).flatMap(arms => arms === undefined ? [] : Array.isArray(arms) ? arms as readonly string[] : Object.values(arms as { readonly [value: string]: readonly string[] }).flat()))]
}
