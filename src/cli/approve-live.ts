/** A yes for a server that runs: it carries the call out itself, with its own tools and observer. */
import { resolve } from 'node:path'
import type { Decision } from '../approvals/approvals.ts'
import type { Card } from '../approvals/card.ts'
import { UsherError } from '../errors.ts'
import { defaultStateDir } from '../log/state.ts'
import { controlRequest } from '../serve/control-client.ts'
import { isRecord } from '../util/records.ts'
import { type DeskCommandOptions, withDesk } from './desk.ts'
import type { Io } from './io.ts'
import { type PersonOptions, proofFor } from './person.ts'

/** Undefined: no server runs on this state folder, or it has another log. @param shown told of the card before the proof is asked for */
export async function approveLive(io: Io, id: string, options: DeskCommandOptions & PersonOptions, shown: (card: Card) => void): Promise<Decision | undefined> {
  const state = resolve(options.state ?? defaultStateDir())
  if ((await controlRequest(state, { do: 'ping' })).kind === 'not-running') return undefined
  return withDesk(options, async ({ approvals, proof }) => {
    const card = approvals.find(id)
    if (typeof card === 'string' || card.mode === 'grant') return undefined
    const inside = proof.inside()
    if (inside !== undefined) throw new UsherError('PROOF_REFUSED', inside)
    shown(card)
    const given = await proofFor(io, proof, { act: 'approve', about: `${card.id} ${card.hash}` }, options)
    const reply = await controlRequest(state, { do: 'approve', id: card.id, proof: { ...given } })
    const decision = reply.kind === 'answer' ? reply.body['decision'] : undefined
    if (isRecord(decision)) return decision['kind'] === 'unknown' ? undefined : decision as unknown as Decision
    const error = reply.kind === 'answer' ? reply.body['error'] : undefined
    throw new UsherError('SERVE_FAILED', `the server did not take the yes: ${isRecord(error) ? String(error['message']) : 'it ended'}`)
  })
}
