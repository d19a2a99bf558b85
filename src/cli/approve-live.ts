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
import { logPath } from './setup.ts'

/** What a yes without a server takes its tools from. */
export interface OwnTools { readonly routes?: readonly string[], readonly tools?: string, readonly contracts?: string, readonly realOpener?: boolean }

const OPTIONS: ReadonlyMap<string, string> = new Map([['tools', '--tools'], ['routes', '--routes'], ['contracts', '--contracts'], ['realOpener', '--real-opener']])

/** Undefined: no server runs on this state folder, or it has another log. @param shown told of the card before the proof is asked for */
export async function approveLive(io: Io, id: string, options: DeskCommandOptions & PersonOptions & OwnTools, shown: (card: Card) => void): Promise<Decision | undefined> {
  const state = resolve(options.state ?? defaultStateDir())
  const ping = await controlRequest(state, { do: 'ping' })
  if (ping.kind === 'not-running') return undefined
  return withDesk(options, async ({ approvals, proof }) => {
    const card = approvals.find(id)
    if (typeof card === 'string' || card.mode === 'grant') return undefined
    const own = (['tools', 'routes', 'contracts', 'realOpener'] as const).filter(name => options[name] !== undefined).map(name => OPTIONS.get(name) ?? name)
    // The server has the card's log: what was given here would be used for nothing, and nobody would know.
    if (own.length > 0 && ping.body['log'] === logPath(options.log)) throw new UsherError('BAD_OPTION', `a server runs on ${state} and makes the call itself, with its own routes and tools: leave ${own.join(' and ')} out, or stop the server first`)
    const inside = proof.inside()
    if (inside !== undefined) throw new UsherError('PROOF_REFUSED', inside)
    shown(card)
    const given = await proofFor(io, proof, { act: 'approve', about: `${card.id} ${card.hash}` }, options)
    const reply = await controlRequest(state, { do: 'approve', id: card.id, proof: { ...given } }, { after: `whether the call was made stands in the log: usher explain ${card.id}` })
    const decision = reply.kind === 'answer' ? reply.body['decision'] : undefined
    if (isRecord(decision)) return decision['kind'] === 'unknown' ? undefined : decision as unknown as Decision
    const error = reply.kind === 'answer' ? reply.body['error'] : undefined
    throw new UsherError('SERVE_FAILED', `the server did not take the yes: ${isRecord(error) ? String(error['message']) : 'it ended'}`)
  })
}
