/** What a person may do on the page, carried out by the approvals: each act brings the passphrase that was typed for it. */
import type { Approvals, Decision } from '../approvals/approvals.ts'
import type { Card } from '../approvals/card.ts'
import { reportWrong } from '../approvals/false-fire.ts'
import type { Desk } from '../approvals/open.ts'
import { stoppedWords, breakerWords } from '../approvals/owner-state.ts'
import type { PersonAct, Proof } from '../approvals/person-proof.ts'
import type { ActAnswer, ApprovalCard, ConsoleDesk } from '../console/ports.ts'
import type { Db } from '../log/db.ts'
import { callById, eventById } from '../log/lookups.ts'
import type { CallLog, Clock } from '../ports.ts'
import type { RouteTable } from '../types.ts'

/** Decided cards that the page still shows. */
const RECENT = 20

export interface DeskParts {
  readonly desk: Desk
  /** Whose page it is, for the log. */
  readonly who: string
  readonly log: CallLog
  /** The log, for reading. */
  readonly db: Db
  readonly table: () => RouteTable
  readonly clock: Clock
}

export function consoleDesk(parts: DeskParts): ConsoleDesk {
  const { desk, who } = parts
  const { approvals, owner, proof } = desk
  const proofOf = async (secret: string): Promise<Proof> => await proof.notice() === undefined ? { kind: 'passphrase', who, passphrase: secret } : { kind: 'none', who }
  /** Runs the act for a person only. */
  const proven = async (secret: string, act: PersonAct, work: (who: string) => Promise<string>): Promise<ActAnswer> => {
    const verdict = await proof.verify(await proofOf(secret), act)
    return verdict.kind === 'ok' ? { kind: 'done', said: await work(verdict.who) } : { kind: 'refused', why: verdict.why }
  }
  return {
    secret: async () => await proof.notice() === undefined ? 'set' : 'none',
    cards: () => cardsOf(approvals),
    halted: async () => {
      const stopped = await owner.stopped()
      return stopped && { since: stopped.at, who: stopped.who, why: stoppedWords(stopped) }
    },
    breakers: async () => (await owner.breakers()).map(breaker => ({ route: breaker.name, state: 'open' as const, why: breakerWords(breaker), since: breaker.at })),
    approve: async (id, hash, secret, caller) => {
      const card = approvals.find(id)
      // The person said yes to the bytes that the page showed.
      if (typeof card !== 'string' && card.hash !== hash) return { kind: 'refused', why: 'this is not what the page showed; look at it again' }
      return decisionAnswer(await approvals.approve(id, await proofOf(secret), caller))
    },
    deny: async (id, _secret, why) => decisionAnswer(await approvals.deny(id, who, why)),
    stop: async why => { await owner.stop(who, why); return { kind: 'done', said: 'all auto-invocation is stopped' } },
    resume: secret => proven(secret, { act: 'resume', about: 'all' }, async by => await owner.resume(by) ? 'auto-invocation goes on' : 'nothing was stopped'),
    closeBreaker: (route, secret) => proven(secret, { act: 'breaker.close', about: route }, async by => await owner.closeBreaker(route, by) ? `the breaker of ${route} is closed` : `the breaker of ${route} was not open`),
    // Needs no passphrase: a report only narrows.
    report: (callId, wrong) => report(callId, wrong, parts),
  }
}

async function report(callId: string, wrong: string, { desk, who, log, db, table, clock }: DeskParts): Promise<ActAnswer> {
  const call = callById(db, callId)
  if (!call) return { kind: 'refused', why: 'the log has no such call' }
  const event = call.eventId === undefined ? undefined : eventById(db, call.eventId)
  const route = call.route === undefined ? undefined : table().routes.get(call.route)
  const reported = await reportWrong({ callId, tool: call.tool, who, wrong, ...(call.route === undefined ? {} : { route: call.route }), ...(event ? { text: event.text } : {}) }, { log, clock, stateFolder: desk.stateFolder, ...(route ? { route } : {}) })
  return { kind: 'done', said: reported.kind === 'patch' ? `kept; a patch for the route is in ${reported.file}` : `kept; ${reported.why}` }
}

async function cardsOf(approvals: Approvals): Promise<readonly ApprovalCard[]> {
  const waiting = await approvals.list()
  const decided = await approvals.list(['approved', 'spent', 'denied', 'expired', 'void'])
  return [...waiting, ...decided.slice(-RECENT).toReversed()].map(cardView)
}

const STATES = { waiting: 'waiting', approved: 'approved', spent: 'approved', denied: 'denied', expired: 'expired', void: 'changed' } as const

function cardView(card: Card): ApprovalCard {
  return {
    id: card.id, state: STATES[card.state], tool: card.tool, bytes: card.bytes, hash: card.hash, eventId: card.eventId, source: card.event.source, words: card.event.text, why: card.why, at: card.at, expiresAt: card.expiresAt,
    ...(card.route === undefined ? {} : { route: card.route }), ...(card.decidedBy === undefined ? {} : { by: card.decidedBy }),
    ...(card.state === 'waiting' ? { args: card.args, effects: card.effects, ...(card.presetBytes === undefined ? {} : { presetBytes: card.presetBytes }) } : {}),
  }
}

function decisionAnswer(decision: Decision): ActAnswer {
  switch (decision.kind) {
    case 'done': return { kind: 'done', said: `${decision.outcome.kind}: ${decision.outcome.why}` }
    case 'granted': return { kind: 'done', said: `the same call of ${decision.card.tool} passes once` }
    case 'denied': return { kind: 'done', said: 'denied' }
    case 'gone': return { kind: 'refused', why: `${decision.state}: ${decision.why}` }
    case 'void': return { kind: 'refused', why: `nothing was called: ${decision.changed.join(', ')} changed since it was asked${decision.next ? '; look at the new card' : ''}` }
    case 'refused':
    case 'unknown': return { kind: 'refused', why: decision.why }
    default: return decision satisfies never
  }
}
