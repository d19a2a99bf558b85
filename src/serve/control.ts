/** What the command line asks of a running server, over the Unix socket: each act with its person's proof. Nothing here trusts the socket itself. */
import type { Decision } from '../approvals/approvals.ts'
import type { Desk } from '../approvals/open.ts'
import type { PersonAct, Proof } from '../approvals/person-proof.ts'
import { UsherError } from '../errors.ts'
import type { JsonObject } from '../types.ts'
import { loggable } from '../dispatch/result.ts'
import { own } from '../util/own.ts'
import { isRecord } from '../util/records.ts'
import type { RouteKeeper } from './route-keeper.ts'

export interface ControlParts { readonly desk: Desk, readonly routes: RouteKeeper, /** Where the log is: acts of a person belong into it. */ readonly log: string }
export interface ControlAnswer { readonly status: number, readonly body: JsonObject }

type Act = (request: JsonObject, parts: ControlParts) => Promise<ControlAnswer>

const ACTS: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['ping', async (_request, { log }) => ok({ running: true, log })],
  ['approve', async (request, { desk }) => said(await desk.approvals.approve(text(request, 'id'), proofOf(request)))],
  ['deny', async (request, { desk }) => said(await desk.approvals.deny(text(request, 'id'), text(request, 'who'), textOr(request, 'why', '')))],
  ['stop', async (request, { desk }) => { await desk.owner.stop(text(request, 'who'), textOr(request, 'why', '')); return ok({ stopped: true }) }],
  ['resume', (request, { desk }) => proven(request, desk, { act: 'resume', about: 'all' }, async who => ({ resumed: await desk.owner.resume(who) }))],
  ['breaker.close', (request, { desk }) => proven(request, desk, { act: 'breaker.close', about: text(request, 'name') }, async who => ({ closed: await desk.owner.closeBreaker(text(request, 'name'), who) }))],
  ['routes.accepted', async (_request, { routes }) => { await routes.look(); return ok({ routes: routes.standing.kind }) }],
])

/** Never rejects for what a caller sent. */
export async function handleControl(request: JsonObject, parts: ControlParts): Promise<ControlAnswer> {
  const name = own(request, 'do')
  const act = typeof name === 'string' ? ACTS.get(name) : undefined
  if (!act) return { status: 400, body: { error: { code: 'BAD_OPTION', message: `"do" must be one of ${[...ACTS.keys()].join(', ')}` } } }
  try {
    return await act(request, parts)
  } catch (error) {
    if (!UsherError.is(error)) throw error
    return { status: error.code === 'BAD_OPTION' ? 400 : 403, body: { error: { code: error.code, message: error.message } } }
  }
}

const ok = (body: JsonObject): ControlAnswer => ({ status: 200, body })

/** What a handler gave is JSON, or a capped text of it. */
function said(decision: Decision): ControlAnswer {
  const plain = decision.kind === 'done' && decision.outcome.result !== undefined ? { ...decision, outcome: { ...decision.outcome, result: loggable(decision.outcome.result) } } : decision
  return { status: decision.kind === 'refused' ? 403 : 200, body: { decision: JSON.parse(JSON.stringify(plain)) as JsonObject } }
}

async function proven(request: JsonObject, desk: Desk, act: PersonAct, work: (who: string) => Promise<JsonObject>): Promise<ControlAnswer> {
  const verdict = await desk.proof.verify(proofOf(request), act)
  return verdict.kind === 'ok' ? ok(await work(verdict.who)) : { status: 403, body: { error: { code: 'PROOF_REFUSED', message: verdict.why } } }
}

function text(request: JsonObject, name: string): string {
  const value = own(request, name)
  if (typeof value !== 'string' || value === '') throw new UsherError('BAD_OPTION', `a control request needs "${name}", a text`)
  return value
}

function textOr(request: JsonObject, name: string, otherwise: string): string {
  return Object.hasOwn(request, name) ? text(request, name) : otherwise
}

function proofOf(request: JsonObject): Proof {
  const proof = own(request, 'proof')
  if (!isRecord(proof)) throw new UsherError('BAD_OPTION', 'a control request needs "proof": {"kind": "passphrase", "who": ..., "passphrase": ...}')
  const who = text(proof, 'who')
  const kind = own(proof, 'kind')
  if (kind === 'none') return { kind, who }
  if (kind === 'passphrase') return { kind, who, passphrase: text(proof, 'passphrase') }
  const at = own(proof, 'at')
  if (kind === 'signature' && typeof at === 'number') return { kind, who, at, signature: text(proof, 'signature') }
  throw new UsherError('BAD_OPTION', '"proof" must be of kind none, passphrase or signature')
}
