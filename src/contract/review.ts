/** What a draft would change, for the person who decides. */
import type { JsonObject } from '../types.ts'
import { type Contract, contractKey } from './contract.ts'
import { type AuditFindings, auditedTool } from './audited.ts'
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
  /** What `usher audit` saw it do, or why nobody knows; empty: no report was given. */
  readonly audited: readonly string[]
  readonly note: string
}

export interface DraftReview { readonly file: string, readonly proposedBy: string, readonly tools: readonly ToolReview[], /** Under contract for the same server, and no longer offered. */ readonly gone: readonly string[] }

/** Flags of one tool for what it did; all of it stands in `audited`. */
const FLAGGED = 5

function reviewTool(record: JsonObject, current: readonly Contract[], audit: AuditFindings | undefined): ToolReview {
  const tool = toolKey(record)
  const known = current.find(contract => contractKey(contract) === tool)
  const words = typeof record['description'] === 'string' ? record['description'] : ''
  const sentences = known ? schemaSentences(known.inputSchema, record['inputSchema'] ?? {}) : schemaSentences({ type: 'object' }, record['inputSchema'] ?? {}).filter(sentence => sentence !== 'tightens the schema')
  const audited = audit && auditedTool(audit, record)
  const acted = audited?.beyond.map((words): RedFlag => ({ code: 'seen-acting', tool, message: `the audit saw it do what its record does not declare: ${words}` })) ?? []
  return {
    tool, sentences, flags: [...redFlags(record, current), ...acted.slice(0, FLAGGED)], audited: audited?.sentences ?? [],
    state: known ? known.wireHash !== undefined && known.wireHash === record['wire_hash'] ? 'same' : 'changed' : 'new',
    description: known ? diffText(known.description ?? '', words) : shown(words),
    note: typeof record['draft_note'] === 'string' ? shown(record['draft_note']) : '',
  }
}

/** @param audit what `usher audit --json` printed */
export function reviewDraft(draft: Draft, current: readonly Contract[], audit?: AuditFindings): DraftReview {
  const tools = draft.tools.map(record => reviewTool(record, current, audit))
  const servers = new Set(tools.map(review => review.tool.split('/')[0]))
  const offered = new Set(tools.map(review => review.tool))
  // Only what a server itself was asked for is whole: a proposal of one tool says nothing of the others.
  const gone = draft.proposedBy !== 'person' ? [] : current.filter(contract => contract.server && servers.has(contract.server.name) && !offered.has(contractKey(contract))).map(contractKey)
  return { file: draft.file, proposedBy: draft.proposedBy, tools, gone }
}
