/**
 * What a model, an event, a server or a tool result may propose, and what nobody but a person may touch. A proposal can at most become a
 * draft; a patch to the control plane is dropped and logged with the names it tried.
 */
import { basename } from 'node:path'
import type { CallLog } from '../ports.ts'
import type { Json, JsonObject } from '../types.ts'
import { canonicalJson } from '../util/canonical.ts'
import { capped, quoted, visible } from '../util/mask.ts'
import { type Contract, contractKey } from './contract.ts'
import { type ControlAttempt, dataAttempt } from './control-attempts.ts'
import { writeDraft } from './draft.ts'
import { unsafeName } from './names.ts'

export type ProposedBy = 'model' | 'event' | 'server' | 'tool-result' | 'program'

export interface ProposalParts {
  readonly log: Pick<CallLog, 'act'>
  readonly now: () => number
  readonly reviewFolder: string
  /** Contracts of now: what is the same as in one of them is no attempt. */
  readonly current: readonly Contract[]
}

/** Where drafts of proposals go, and the contracts that they are measured by. */
export interface ProposalPlace { readonly reviewFolder: string, readonly current: () => readonly Contract[] }

/** Without a place nothing is drafted: every attempt is dropped and logged. */
export interface AttemptParts extends Pick<ProposalParts, 'log' | 'now'> { readonly proposals?: ProposalPlace | undefined }

export type ProposalAnswer =
  | { readonly kind: 'drafted', readonly file: string }
  | { readonly kind: 'denied', readonly reason: 'control-plane', readonly why: string, readonly names: readonly string[] }

const MAX_NAMES = 20

/** Drops a patch to contracts, routes, allowlist, signers or server addresses. Always: there is no patch that this lets through. */
export async function refuseControlWrite(parts: Pick<ProposalParts, 'log' | 'now'>, by: ProposedBy, names: readonly string[], because?: string): Promise<Extract<ProposalAnswer, { kind: 'denied' }>> {
  const shown = names.slice(0, MAX_NAMES).map(name => visible(capped(name, 100)))
  await parts.log.act({ who: by, act: 'control-plane-write', about: shown.join(', '), detail: { names: shown, count: names.length, ...because === undefined ? {} : { because } }, at: parts.now() })
  return { kind: 'denied', reason: 'control-plane', names: shown, why: `${shown.map(quoted).join(', ')}: only a person may change that; nothing was written. A person does it with: usher contract review` }
}

/** What somebody tries, whichever way it came: a proposal becomes a draft at most, all else is dropped and a row. */
export async function receiveAttempt({ log, now, proposals }: AttemptParts, by: ProposedBy, attempt: ControlAttempt): Promise<ProposalAnswer> {
  if (attempt.kind === 'proposal' && proposals) return receiveProposal({ log, now, reviewFolder: proposals.reviewFolder, current: proposals.current() }, by, attempt.proposal)
  return refuseControlWrite({ log, now }, by, attempt.kind === 'write' ? attempt.names : ['usher.propose'])
}

/** What data says of contracts, routes or approvals changes nothing. Data that says nothing of them leaves no row. */
export async function receiveData(parts: AttemptParts, by: ProposedBy, value: unknown): Promise<void> {
  const attempt = dataAttempt(value)
  if (attempt) await receiveAttempt(parts, by, attempt)
}

/** A call that was refused since it would write the control plane: the same row as every other attempt. */
export async function noteControlDenied(log: Pick<CallLog, 'act'>, by: ProposedBy, outcome: { readonly kind: string, readonly reason: string, readonly why: string }, at: number): Promise<void> {
  if (outcome.kind === 'denied' && outcome.reason === 'control-plane') await refuseControlWrite({ log, now: () => at }, by, [subjectOf(outcome.why)])
}

/** The name at the beginning of a refusal's words, as it was tried; the words themselves where they begin with none. */
function subjectOf(why: string): string {
  const name = /^"(?:[^"\\]|\\.)*"/.exec(why)?.[0]
  return name === undefined ? why : String(JSON.parse(name))
}

/** What a proposal may say of a tool. Everything else it says is an attempt. */
const WORDS: ReadonlySet<string> = new Set(['name', 'server', 'description', 'inputSchema', 'outputSchema', 'annotations', 'draft_note'])

const same = (a: unknown, b: unknown): boolean => canonicalJson(a ?? null) === canonicalJson(b ?? null)

function currentValue(contract: Contract, field: string): unknown {
  switch (field) {
    case 'privileges': return contract.privileges
    case 'effects': return contract.effects
    case 'presetOnly': return contract.presetOnly
    case 'command': return contract.command
    default: return undefined
  }
}

/** The fields by which the proposal would widen what may happen, or change who answers for it. */
function attempts(proposal: JsonObject, contract: Contract | undefined): readonly string[] {
  const fields = Object.keys(proposal).filter(field => !WORDS.has(field) && !(contract && same(currentValue(contract, field), proposal[field])))
  return contract ? fields : [...fields, 'server']
}

/**
 * A proposed change of words or schema of a tool whose server is under contract becomes a draft (of `origin: draft`, whatever it says of
 * itself). A new server, address, command, privilege, effect or signer is refused, and not even drafted.
 */
export async function receiveProposal(parts: ProposalParts, by: ProposedBy, proposal: JsonObject): Promise<ProposalAnswer> {
  const { name, server } = proposal as { readonly name?: Json, readonly server?: Json }
  const named = typeof name === 'string' && typeof server === 'string' ? `${server}/${name}` : ''
  const contract = parts.current.find(one => contractKey(one) === named) ?? parts.current.find(one => one.server !== undefined && one.server.name === server)
  const unsafe = typeof name === 'string' ? unsafeName(name) : 'it has no name'
  const tried = attempts(proposal, contract)
  if (!contract?.server || unsafe || tried.length > 0) return refuseControlWrite(parts, by, tried.length > 0 ? tried : [String(name)])
  const known = contractKey(contract) === named ? contract : undefined
  const note = typeof proposal['draft_note'] === 'string' ? proposal['draft_note'] : ''
  const field = (key: string, fallback: unknown): JsonObject => proposal[key] === undefined ? fallback === undefined ? {} : { [key]: fallback as Json } : { [key]: proposal[key] }
  const record: JsonObject = {
    name: name as string, server: contract.server as unknown as JsonObject, ...field('description', known?.description), ...field('inputSchema', known?.inputSchema ?? { type: 'object' }), ...field('outputSchema', known?.outputSchema), ...field('annotations', known?.annotations),
    effects: known ? known.effects as unknown as JsonObject : { always: ['unknown'] }, privileges: known ? known.privileges : [], ...known && Object.keys(known.presetOnly).length > 0 ? { presetOnly: known.presetOnly as JsonObject } : {},
    origin: 'draft', signed_by: '', draft_note: `proposed by ${by}: ${capped(note, 500)}`,
  }
  let file: string
  try {
    file = writeDraft(parts.reviewFolder, `${by}:${named}`, by, [record])
  } catch (error) {
    // A full folder or disk is no reason to lose the event that came with it.
    return refuseControlWrite(parts, by, [named], error instanceof Error ? error.message : String(error))
  }
  await parts.log.act({ who: by, act: 'contract.proposed', about: named, detail: { draft: basename(file) }, at: parts.now() })
  return { kind: 'drafted', file }
}
