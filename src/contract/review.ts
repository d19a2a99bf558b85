/** What a draft would change, for the person who decides. */
import type { JsonObject } from '../types.ts'
import { type Contract, contractKey } from './contract.ts'
import { type Draft, toolKey } from './draft.ts'
import { type RedFlag, redFlags } from './red-flags.ts'
import { schemaSentences } from './schema-changes.ts'
import { shown } from './show-text.ts'
import { diffText } from './word-diff.ts'

export interface ToolReview {
  readonly tool: string
  readonly state: 'new' | 'changed' | 'same'
  /** With `[-gone-]` and `{+new+}` words; what cannot be seen is spelled out. */
  readonly description: string
  readonly sentences: readonly string[]
  readonly flags: readonly RedFlag[]
  /** What `usher audit` saw it do. */
  readonly audited: readonly string[]
  readonly note: string
}

export interface DraftReview { readonly file: string, readonly proposedBy: string, readonly tools: readonly ToolReview[], /** Under contract for the same server, and no longer offered. */ readonly gone: readonly string[] }

function reviewTool(record: JsonObject, current: readonly Contract[], audited: ReadonlyMap<string, readonly string[]>): ToolReview {
  const tool = toolKey(record)
  const known = current.find(contract => contractKey(contract) === tool)
  const words = typeof record['description'] === 'string' ? record['description'] : ''
  const sentences = known ? schemaSentences(known.inputSchema, record['inputSchema'] ?? {}) : schemaSentences({ type: 'object' }, record['inputSchema'] ?? {})
  return {
    tool, sentences, flags: redFlags(record, current), audited: audited.get(String(record['name'])) ?? [],
    state: known ? known.wireHash !== undefined && known.wireHash === record['wire_hash'] ? 'same' : 'changed' : 'new',
    description: known ? diffText(known.description ?? '', words) : shown(words),
    note: typeof record['draft_note'] === 'string' ? shown(record['draft_note']) : '',
  }
}

/** @param audited tool name -> effects in words, from `usher audit --json` */
export function reviewDraft(draft: Draft, current: readonly Contract[], audited: ReadonlyMap<string, readonly string[]> = new Map()): DraftReview {
  const tools = draft.tools.map(record => reviewTool(record, current, audited))
  const servers = new Set(tools.map(review => review.tool.split('/')[0]))
  const offered = new Set(tools.map(review => review.tool))
  // Only what a server itself was asked for is whole: a proposal of one tool says nothing of the others.
  const gone = draft.proposedBy !== 'person' ? [] : current.filter(contract => contract.server && servers.has(contract.server.name) && !offered.has(contractKey(contract))).map(contractKey)
  return { file: draft.file, proposedBy: draft.proposedBy, tools, gone }
}

/** Tool name -> effects, from the JSON that `usher audit --json` prints; anything else gives nothing. */
export function auditedEffects(report: unknown): ReadonlyMap<string, readonly string[]> {
  const list = (value: unknown): readonly JsonObject[] => Array.isArray(value) ? value.filter(item => typeof item === 'object' && item !== null) as readonly JsonObject[] : []
  const tools = list((report as { readonly tools?: unknown } | null)?.tools)
  return new Map(tools.map(tool => [String(tool['name']), [...new Set(list(tool['calls']).flatMap(call => list(call['effects']).map(effect => `${String(effect['kind'])} ${shown(String(effect['target']))} (called with ${shown(JSON.stringify(call['arguments'] ?? {}))})`)))]]))
}
