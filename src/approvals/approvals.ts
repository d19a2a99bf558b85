/**
 * START HERE: cards for what waits for a person. A yes is bound to the hash of the very bytes, used once, and void once anything that decides
 * over the call has changed.
 */
import type { CallRequest } from '../dispatch/request.ts'
import { UsherError } from '../errors.ts'
import type { ApprovalDesk, CardRequest, DecisionRow } from '../ports.ts'
import { secretPaths } from '../schema/secret-paths.ts'
import type { JsonObject, Outcome, OutcomeKind, Route, Tool } from '../types.ts'
import { canonicalJson, sha256 } from '../util/canonical.ts'
import { newId } from '../util/ids.ts'
import { mergeOwn } from '../util/records.ts'
import { declaredEffects } from '../vocabulary/effects.ts'
import { type Card, type CardState, changedParts, subjectBytes } from './card.ts'
import type { ApprovalsParts, Decision } from './parts.ts'
import type { Proof } from './person-proof.ts'

export type { ApprovalRuntime, ApprovalsParts, Decision } from './parts.ts'

const WINDOW = 10 * 60_000

export class Approvals implements ApprovalDesk {
  readonly #parts: ApprovalsParts
  constructor(parts: ApprovalsParts) { this.#parts = parts }

  /* -------------------------------------------------------------- asking */

  full(source: string, route: string | undefined): string | undefined {
    const { store, clock, perSource = 20, mostWaiting = 100 } = this.#parts
    const { waiting, bySource } = store.counts(clock.now() - WINDOW)
    if (waiting >= mostWaiting) return `${waiting} cards wait for a person already`
    const asked = bySource.get(source) ?? 0
    return asked >= perSource ? `${source} asked for ${asked} cards in ten minutes${route ? `, so ${route} asks for no further one` : ''}` : undefined
  }

  request(request: CardRequest): void {
    const card = this.#cardOf(request)
    this.#parts.store.add(card)
    this.#parts.onCard?.(card)
  }

  #cardOf(request: CardRequest): Card {
    const { tools, route } = this.#found(request.tool, request.route)
    if (!tools) throw new UsherError('TOOL_UNKNOWN', `no tool is called ${JSON.stringify(request.tool)}, so nothing can be approved`)
    const args = JSON.parse(request.argsBytes) as JsonObject
    const { mode = 'execute', eventId = request.event.id } = request
    const bytes = subjectBytes({ tool: tools, route, args, eventId: mode === 'grant' ? '' : eventId })
    return {
      id: request.decisionId, state: 'waiting', mode, tool: request.tool, args, bytes, hash: sha256(bytes), event: request.event, eventId, by: request.by ?? 'router', why: request.why ?? '', origins: request.origins ?? {},
      effects: declaredEffects(tools.effects, mergeOwn(args, route?.preset ?? {})), at: this.#parts.clock.now(), expiresAt: request.expiresAt,
      ...route ? { route: route.name, presetBytes: route.presetBytes } : {}, ...request.who === undefined ? {} : { who: request.who },
    }
  }

  /* -------------------------------------------------------------- looking */

  /** Waiting cards, oldest first; those that are too old become `expired` first. */
  async list(states: readonly CardState[] = ['waiting']): Promise<readonly Card[]> {
    await this.expire()
    return this.#parts.store.list(states)
  }

  find(id: string): Card | 'none' | 'many' { return this.#parts.store.find(id) }

  /** Marks what is too old, each with a row in the log. */
  async expire(): Promise<void> {
    const { store, clock } = this.#parts
    for (const card of store.list(['waiting', 'approved'])) if (clock.now() >= card.expiresAt) await this.#expireOne(card)
  }

  async #expireOne(card: Card): Promise<void> {
    const at = this.#parts.clock.now()
    if (!this.#parts.store.move(card.id, card.state, 'expired', { at })) return
    await this.#parts.log.act({ who: 'usher', act: 'expire', about: card.id, detail: this.#about(card), at })
    await this.#closing(card, 'expired', 'approval', `nobody said yes within ${Math.round((card.expiresAt - card.at) / 60_000)} minutes`)
  }

  /* -------------------------------------------------------------- deciding */

  /** A person says no. Needs no proof: it only ever narrows. */
  async deny(id: string, who: string, why = ''): Promise<Decision> {
    const card = this.#waiting(id)
    if ('kind' in card) return card
    const at = this.#parts.clock.now()
    if (!this.#parts.store.move(card.id, 'waiting', 'denied', { who, at })) return this.#gone(card.id)
    await this.#parts.log.act({ who, act: 'deny', about: card.id, detail: { ...this.#about(card), why }, at })
    await this.#closing(card, 'denied', 'person', `${who} said no${why ? `: ${why}` : ''}`)
    await this.#parts.owner.settle(card.tool, card.route)
    return { kind: 'denied', card: this.#known(card.id) }
  }

  /** A person says yes to exactly these bytes. @param seen what the door saw of the process that asks: kept with the yes */
  async approve(id: string, proof: Proof, seen?: JsonObject): Promise<Decision> {
    await this.expire()
    const card = this.#waiting(id)
    if ('kind' in card) return card
    if (card.mode === 'execute' && !this.#parts.runtime) throw new UsherError('BAD_OPTION', `${card.id} runs ${card.tool}, and no tools are loaded here`)
    const verdict = await this.#parts.proof.verify(proof, { act: 'approve', about: `${card.id} ${card.hash}` })
    if (verdict.kind === 'refused') return verdict
    const yes = { who: verdict.who, how: verdict.how, seen: seen === undefined ? {} : { caller: seen } }
    return card.mode === 'grant' ? this.#grant(card, yes) : this.#execute(card, yes)
  }

  async #grant(card: Card, yes: Yes): Promise<Decision> {
    const at = this.#parts.clock.now()
    if (at >= card.expiresAt || !this.#parts.store.move(card.id, 'waiting', 'approved', { who: yes.who, at })) return this.#gone(card.id)
    await this.#parts.log.act({ who: yes.who, act: 'approve', about: card.id, detail: { ...this.#about(card), proof: yes.how, ...yes.seen }, at })
    return { kind: 'granted', card: this.#known(card.id) }
  }

  async #execute(card: Card, yes: Yes): Promise<Decision> {
    const { store, log, clock } = this.#parts
    const { tools: tool, route } = this.#found(card.tool, card.route)
    const bytes = tool && (card.route === undefined || route) ? subjectBytes({ tool, route, args: card.args, eventId: card.eventId }) : undefined
    if (bytes === undefined || sha256(bytes) !== card.hash) return this.#void(card, bytes, tool, route)
    const broken = await tool?.admit?.()
    if (broken && (broken.reason === 'drift' || broken.reason === 'file')) await this.#parts.owner.halt(card.tool, broken.why)
    if (broken) return { kind: 'refused', why: `the contract of ${card.tool} does not hold now: ${broken.why}` }
    const eventId = newId('e')
    const prepared = this.#parts.runtime?.dispatcher.prepare(this.#request(card, route, eventId, yes.who))
    if (prepared?.kind !== 'ready') return { kind: 'refused', why: prepared?.outcome.why ?? 'no tools are loaded here' }
    const at = clock.now()
    if (at >= card.expiresAt || !store.move(card.id, 'waiting', 'spent', { who: yes.who, at, callId: prepared.callId })) return this.#gone(card.id)
    await log.act({ who: yes.who, act: 'approve', about: card.id, detail: { ...this.#about(card), proof: yes.how, callId: prepared.callId, ...yes.seen }, at })
    // The card's id is the sender's: of two processes that both got here, `begin` lets one through (single use, also against an old copy of the cards).
    const { event } = card
    await log.event({ eventId, senderId: card.id, source: 'approval', text: event.text, textLength: event.text.length, at, data: { card: card.id, event: card.eventId, source: event.source }, ...event.causedBy ? { causedBy: event.causedBy } : {} })
    const row = this.#decision(card, eventId, { kind: 'called', reason: 'approved', why: `${yes.who} said yes to exactly this call`, callId: prepared.callId, args: prepared.args })
    await log.decision(row)
    const outcome = await this.#parts.runtime?.dispatcher.run(prepared, row.decisionId) as Outcome
    await this.#parts.owner.settle(card.tool, card.route)
    return { kind: 'done', card: this.#known(card.id), outcome }
  }

  #request(card: Card, route: Route | undefined, eventId: string, who: string): CallRequest {
    return {
      by: 'approval', who, tool: card.tool, args: card.args, event: card.event, eventId, explicit: true, origins: card.origins, card: card.id,
      ...route ? { route: route.name, preset: route.preset, presetBytes: route.presetBytes } : {},
    }
  }

  /** What changed since must be seen by a person again: a new card, where there still is such a call. */
  async #void(card: Card, bytes: string | undefined, tool: Tool | undefined, route: Route | undefined): Promise<Decision> {
    const { store, clock, log } = this.#parts
    const changed = bytes === undefined ? [tool ? 'the route is gone' : 'the tool is gone'] : changedParts(card.bytes, bytes)
    const at = clock.now()
    const next = bytes === undefined || !tool || (route && route.tool !== card.tool) ? undefined : this.#cardOf({
      decisionId: newId('d'), tool: card.tool, argsBytes: canonicalJson(card.args), event: card.event, eventId: card.eventId, by: card.by, why: `asked anew: ${changed.join(', ')} changed`, origins: card.origins, expiresAt: at + (card.expiresAt - card.at),
      ...card.route === undefined ? {} : { route: card.route }, ...card.who === undefined ? {} : { who: card.who },
    })
    if (!store.move(card.id, 'waiting', 'void', { at, ...next ? { replacedBy: next.id } : {} })) return this.#gone(card.id)
    await log.act({ who: 'usher', act: 'void', about: card.id, detail: { ...this.#about(card), changed, next: next?.id ?? null }, at })
    await this.#closing(card, 'expired', 'changed', `${changed.join(', ')} changed since it was asked, so the yes is void`)
    if (next) {
      await this.#askAnew(card, next)
      store.add(next)
      this.#parts.onCard?.(next)
    }
    return { kind: 'void', card: this.#known(card.id), changed, ...next ? { next } : {} }
  }

  async #askAnew(card: Card, next: Card): Promise<void> {
    const eventId = newId('e')
    const { event } = card
    await this.#parts.log.event({ eventId, senderId: next.id, source: 'approval', text: event.text, textLength: event.text.length, at: next.at, data: { replaces: card.id, event: card.eventId } })
    await this.#parts.log.decision({ ...this.#decision(next, eventId, { kind: 'needs-approval', reason: 'approve:always', why: next.why, args: next.args }), decisionId: next.id })
  }

  /* -------------------------------------------------------------- using a grant */

  /** Uses up a yes to exactly this call (`ApprovalDesk.redeem`): once, whoever asks. */
  async redeem(toolName: string, argsBytes: string): Promise<{ readonly card: string, readonly who: string } | undefined> {
    const { tools: tool } = this.#found(toolName, undefined)
    if (!tool) return undefined
    await this.expire()
    const hash = sha256(subjectBytes({ tool, route: undefined, args: JSON.parse(argsBytes) as JsonObject, eventId: '' }))
    const card = this.#parts.store.granted(hash)
    if (!card || !this.#parts.store.move(card.id, 'approved', 'spent', { at: this.#parts.clock.now() })) return undefined
    return { card: card.id, who: card.decidedBy ?? '' }
  }

  /* -------------------------------------------------------------- parts */

  #found(tool: string, route: string | undefined): { readonly tools: Tool | undefined, readonly route: Route | undefined } {
    const { runtime } = this.#parts
    return { tools: runtime?.tools.get(tool), route: route === undefined ? undefined : runtime?.table().routes.get(route) }
  }

  #waiting(id: string): Card | Extract<Decision, { kind: 'gone' | 'unknown' }> {
    const card = this.find(id)
    if (card === 'none') return { kind: 'unknown', why: `no card has the id ${JSON.stringify(id)}; "usher approvals" shows them` }
    if (card === 'many') return { kind: 'unknown', why: `several cards begin with ${JSON.stringify(id)}; give more of it` }
    return card.state === 'waiting' ? card : this.#gone(card.id)
  }

  #known(id: string): Card {
    const card = this.find(id)
    if (typeof card === 'string') throw new UsherError('CARDS_FAILED', `the card ${id} is gone from ${this.#parts.store.file}`)
    return card
  }

  #gone(id: string): Extract<Decision, { kind: 'gone' }> {
    const card = this.#known(id)
    const state = card.state === 'waiting' ? 'expired' : card.state
    const by = card.decidedBy ? ` by ${card.decidedBy}` : ''
    return { kind: 'gone', state, card, why: `the card ${card.id} is ${state}${by}${card.replacedBy ? `; ${card.replacedBy} asks anew` : ''}` }
  }

  #about(card: Card): JsonObject {
    return { tool: card.tool, name: card.route ?? `tool:${card.tool}`, hash: card.hash, ...card.route === undefined ? {} : { route: card.route } }
  }

  /** Denied, expired and void cards are outcomes of their own: a decision row on the event that asked. */
  async #closing(card: Card, kind: OutcomeKind, reason: string, why: string): Promise<void> {
    await this.#parts.log.decision(this.#decision(card, card.eventId, { kind, reason, why }))
  }

  #decision(card: Card, eventId: string, finding: Pick<DecisionRow, 'kind' | 'reason' | 'why'> & Partial<Pick<DecisionRow, 'callId' | 'args'>>): DecisionRow {
    const { tools: tool, route } = this.#found(card.tool, card.route)
    const secrets = tool && finding.args ? secretPaths(tool, finding.args) : []
    return {
      decisionId: newId('d'), eventId, nth: 0, nearMisses: [], gate: [], reading: [], origins: finding.args ? card.origins : {}, tableHash: this.#parts.runtime?.table().hash ?? '', encoderId: '', tool: card.tool, at: this.#parts.clock.now(),
      ...finding, answers: card.id, ...card.route === undefined ? {} : { route: card.route }, ...finding.args && route ? { presetBytes: route.presetBytes } : {}, ...secrets.length > 0 ? { secretPaths: secrets } : {},
    }
  }
}

interface Yes { readonly who: string, readonly how: string, readonly seen: JsonObject }
