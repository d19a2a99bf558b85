/** What a draft would change, for the person who decides. */
import type { Json, JsonObject } from '../types.ts'
import { canonicalJson } from '../util/canonical.ts'
import { isRecord } from '../util/records.ts'
import { type Contract, contractKey } from './contract.ts'
import { type AuditFindings, auditedTool } from './audited.ts'
import { type Draft, toolKey } from './draft.ts'
import { type RedFlag, redFlags } from './red-flags.ts'
import { schemaSentences, told } from './schema-changes.ts'
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

/** What the server says beside description and input schema: a model may read all of it. */
function restSentences(record: JsonObject, known: Contract | undefined): readonly string[] {
  const found: string[] = []
  const output = record['outputSchema']
  if (canonicalJson(output ?? null) !== canonicalJson(known?.outputSchema ?? null))
    found.push(...known?.outputSchema && isRecord(output) ? schemaSentences(known.outputSchema, output).map(sentence => `${sentence} (of the result)`) : [output === undefined ? 'no longer says what its result is' : `promises a result of the form ${told(output)}`])
  const claims = record['annotations']
  if (canonicalJson(claims ?? null) !== canonicalJson(known?.annotations ?? null)) found.push(`claims ${told(claims ?? null)}${known?.annotations ? `, was ${told(known.annotations)}` : ''}`)
  const rest = isRecord(record['draft_wire']) ? record['draft_wire'] : {}
  // The contract has these by their hash only, so both versions cannot be put side by side.
  return [...found, ...Object.entries(rest).map(([name, value]) => `sends ${told(name)}: ${told(value as Json)}`)]
}

function isSame(record: JsonObject, known: Contract): boolean {
  return known.wireHash !== undefined && known.wireHash === record['wire_hash'] && canonicalJson((known.server ?? null) as Json) === canonicalJson(record['server'] ?? null)
}

/** A new tool: its parameters with their words, and what the schema says as a whole. */
function newSentences(schema: Json | undefined): readonly string[] {
  const whole = isRecord(schema) ? Object.fromEntries(Object.entries(schema).filter(([keyword]) => !['type', 'properties', 'required', 'title', 'description'].includes(keyword))) : {}
  const plain: JsonObject = isRecord(schema) ? Object.fromEntries(Object.entries(schema).filter(([keyword]) => ['type', 'properties', 'required', 'title', 'description'].includes(keyword))) : {}
  return [...schemaSentences({ type: 'object' }, plain).filter(sentence => sentence !== 'tightens the schema'), ...Object.keys(whole).length > 0 ? [`its schema as a whole says ${told(whole)}`] : []]
}

function reviewTool(record: JsonObject, current: readonly Contract[], audit: AuditFindings | undefined): ToolReview {
  const tool = toolKey(record)
  const known = current.find(contract => contractKey(contract) === tool)
  const words = typeof record['description'] === 'string' ? record['description'] : ''
  const same = known !== undefined && isSame(record, known)
  const sentences = same ? [] : [...known ? schemaSentences(known.inputSchema, record['inputSchema'] ?? {}) : newSentences(record['inputSchema']), ...restSentences(record, known)]
  const audited = audit && auditedTool(audit, record)
  const acted = audited?.beyond.map((words): RedFlag => ({ code: 'seen-acting', tool, message: `the audit saw it do what its record does not declare: ${words}` })) ?? []
  return {
    tool, sentences, flags: [...redFlags(record, current), ...acted.slice(0, FLAGGED)], audited: audited?.sentences ?? [],
    state: known ? same ? 'same' : 'changed' : 'new',
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
