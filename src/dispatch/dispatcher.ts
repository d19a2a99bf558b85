/**
 * The only way to a tool's handler (`trace:every-way`): `prepare` checks, `run` commits the call's row and only then starts the handler
 * (`trace:before`). A test keeps `tool.run` from being called anywhere else.
 */
import { withNotice } from '../schema/dropped.ts'
import { secretPaths } from '../schema/secret-paths.ts'
import { type ControlAttempt, dataAttempt } from '../contract/control-attempts.ts'
import { type ProposalPlace, receiveData } from '../contract/proposals.ts'
import type { CallLog, CallRow, Clock, EffectsObserver, MaybePromise } from '../ports.ts'
import { UsherError } from '../errors.ts'
import type { Effect, Outcome, Tool } from '../types.ts'
import { covers } from '../vocabulary/effects.ts'
import { prepareCall } from './prepare.ts'
import { isPersons, type CallRequest, type ReadyCall, type Refused } from './request.ts'
import { loggable } from './result.ts'

export interface DispatcherParts {
  readonly tools: ReadonlyMap<string, Tool>
  readonly log: CallLog
  readonly observer: EffectsObserver
  readonly clock: Clock
  /** How long a handler may take, in ms. Default 60 s; then the outcome is `unknown` and its signal is aborted. */
  readonly timeout?: number
  /** Why all auto-invocation is stopped now, asked right before each call that no person makes; default: never. */
  /** Files and folders that only a person changes: no other call that writes may name one. Default: none. */
  readonly controlFiles?: () => readonly string[]
  /** Where a result's proposal is kept for a person; default: it is dropped and logged, as everything else is that a result tries. */
  readonly proposals?: ProposalPlace | undefined
  /** What a result tried to change of what binds it; default: see `proposals`. */
  readonly onAttempt?: (attempt: ControlAttempt) => MaybePromise<unknown>
  readonly stopped?: () => Promise<{ readonly reason: string, readonly why: string } | undefined>
}

export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #inFlight = new Set<Promise<unknown>>()
  constructor(parts: DispatcherParts) { this.#parts = parts }

  /** Every check, and nothing else: no row, no handler. */
  prepare(request: CallRequest): ReadyCall | Refused {
    return prepareCall(this.#parts.tools, request, this.#parts.controlFiles?.() ?? [])
  }

  /** Commits the row, runs the handler under the observer, commits the outcome. Never throws for what a handler or the log does. */
  async run(ready: ReadyCall, decisionId: string): Promise<Outcome> {
    const { log, clock } = this.#parts
    const tool = this.#parts.tools.get(ready.request.tool) as Tool
    const stopped = await this.#stopped(ready)
    if (stopped) return this.#refused(ready, decisionId, { kind: 'stopped', ...stopped })
    try {
      const row = callRow(ready, tool, decisionId, clock.now())
      await (log.beginTogether ? log.beginTogether(row) : log.begin(row))
    } catch (error) {
      if (UsherError.is(error) && error.code === 'ALREADY_HANDLED') return this.#refused(ready, decisionId, { kind: 'duplicate', reason: 'id', why: error.message })
      if (UsherError.is(error) && error.code === 'FLEET_HELD') return this.#refused(ready, decisionId, { kind: 'stopped', reason: 'fleet', why: error.message })
      return this.#refused(ready, decisionId, { kind: 'denied', reason: 'log-failed', why: `its row could not be written, so it was not called: ${messageOf(error)}` })
    }
    const started = clock.now()
    const work = this.#invoke(tool, ready)
    this.#inFlight.add(work)
    const ended = await work.finally(() => this.#inFlight.delete(work))
    try {
      await this.#attempted(ended.result)
      const row = { callId: ready.callId, kind: ended.kind, reason: ended.reason, why: ended.why, ...(ended.result === undefined ? {} : { result: loggable(ended.result) }), at: clock.now(), ms: clock.now() - started }
      await (log.endTogether ? log.endTogether(row) : log.end(row))
    } catch (error) {
      return this.#outcome(ready, decisionId, { kind: 'unknown', reason: 'log-failed', why: `it ran (${ended.kind}), and its end could not be logged: ${messageOf(error)}` })
    }
    return this.#outcome(ready, decisionId, ended)
  }

  /** Not called after all, though its decision said so: the log is told. A log that cannot be told is named in the outcome; it has no call row, and so claims none. */
  async #refused(ready: ReadyCall, decisionId: string, ended: Pick<Outcome, 'kind' | 'reason' | 'why'>): Promise<Outcome> {
    const { log, clock } = this.#parts
    try {
      await log.refused?.({ decisionId, eventId: ready.request.eventId, kind: ended.kind, reason: ended.reason, why: ended.why, at: clock.now() })
      return this.#outcome(ready, decisionId, ended)
    } catch (error) {
      return this.#outcome(ready, decisionId, { ...ended, why: `${ended.why}; nor could that be logged: ${messageOf(error)}` })
    }
  }

  /** A stop that came between the decision and the call. In doubt it is stopped (`closed`). */
  async #stopped(ready: ReadyCall): Promise<{ readonly reason: string, readonly why: string } | undefined> {
    if (isPersons(ready.request)) return undefined
    try {
      return await this.#parts.stopped?.()
    } catch (error) {
      return { reason: 'kill-switch', why: `whether auto-invocation is stopped cannot be read: ${messageOf(error)}` }
    }
  }

  /** A result is data: what it says of contracts, routes or approvals changes nothing (`contract:no-model`). */
  async #attempted(result: unknown): Promise<void> {
    const { log, clock, onAttempt, proposals } = this.#parts
    const attempt = onAttempt && dataAttempt(result)
    if (attempt) await onAttempt(attempt)
    else await receiveData({ log, now: () => clock.now(), proposals }, 'tool-result', result)
  }

  /** Resolves when no handler runs any more. */
  async idle(): Promise<void> { await Promise.allSettled(this.#inFlight) }

  async #invoke(tool: Tool, ready: ReadyCall): Promise<Ended> {
    const { observer, timeout = 60_000 } = this.#parts
    const { request, callId } = ready
    const abort = new AbortController()
    const context = { callId, by: request.by, event: request.event, signal: abort.signal, ...(request.route ? { route: request.route } : {}) }
    // A person's yes covers what the card showed: what the tool declares for these arguments, where it declares anything.
    const mode = request.by === 'person' || (request.by === 'approval' && ready.allowed === null) ? 'observe' as const : 'enforce' as const
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<typeof LATE>(resolve => { timer = setTimeout(() => resolve(LATE), timeout) })
    try {
      const result = await Promise.race([observer.run({ callId, mode, allowed: ready.allowed, declared: ready.declared }, async () => tool.run(ready.args, context)), late])
      if (result === LATE) {
        abort.abort(new UsherError('CLOSED', `the call took longer than ${timeout} ms`))
        // A handler that waits for what was stopped never answers.
        return blockedEnd(observer.of(callId), ready) ?? { kind: 'unknown', reason: 'timeout', why: `no answer after ${timeout} ms; it may still have an effect` }
      }
      return blockedEnd(observer.of(callId), ready) ?? { kind: 'called', reason: howAsked(request), why: whyCalled(request, tool.name), result: withNotice(result, ready.ignored) }
    } catch (error) {
      return blockedEnd(observer.of(callId), ready) ?? { kind: isLost(error) ? 'unknown' : 'failed', reason: isLost(error) ? 'lost-answer' : 'error', why: messageOf(error) }
    } finally {
      clearTimeout(timer)
    }
  }

  #outcome(ready: ReadyCall, decisionId: string, ended: Omit<Ended, 'kind'> & { readonly kind: Outcome['kind'] }): Outcome {
    const { request } = ready
    return {
      kind: ended.kind, reason: ended.reason, why: ended.why, eventId: request.eventId, decisionId, tool: request.tool, callId: ready.callId, args: ready.args, nearMisses: [],
      ...(request.route ? { route: request.route } : {}), ...(ended.result === undefined ? {} : { result: ended.result }),
    }
  }
}

const LATE = Symbol('late')

interface Ended { readonly kind: 'called' | 'failed' | 'unknown' | 'blocked', readonly reason: string, readonly why: string, readonly result?: unknown }

/** A stopped effect makes the call `blocked`, also where the handler swallowed the error. */
function blockedEnd(effects: readonly Effect[], ready: ReadyCall): Ended | undefined {
  const stopped = effects.filter(effect => effect.blocked)
  if (stopped.length === 0) return undefined
  const undeclared = stopped.some(effect => effect.detail?.['reason'] === 'not-declared' || !ready.declared.some(pattern => covers(pattern, effect)))
  return { kind: 'blocked', reason: undeclared ? 'undeclared-effect' : 'not-allowed', why: `stopped before it happened: ${stopped.slice(0, 3).map(effect => `${effect.kind} ${effect.target}`).join(', ')}` }
}

function callRow(ready: ReadyCall, tool: Tool, decisionId: string, at: number): CallRow {
  const { request } = ready
  const secrets = secretPaths(tool, ready.args)
  return {
    callId: ready.callId, by: request.by, tool: request.tool, eventId: request.eventId, decisionId, explicit: request.explicit, args: ready.args, origins: request.origins, allowed: ready.allowed, at,
    ...(request.askedBy ? { askedBy: request.askedBy } : {}), ...(request.who ? { who: request.who } : {}), ...(request.card ? { card: request.card } : {}), ...(request.route ? { route: request.route } : {}), ...(request.presetBytes === undefined ? {} : { presetBytes: request.presetBytes }),
    ...(secrets.length > 0 ? { secretPaths: secrets } : {}), ...(tool.origin.kind === 'mcp' ? { contractHash: tool.origin.contractHash } : {}),
    ...(ready.ignored.count > 0 ? { ignoredKeys: ready.ignored.names } : {}),
  }
}

function howAsked(request: CallRequest): string {
  return request.by === 'approval' ? 'approved' : request.by !== 'router' ? 'direct' : request.explicit ? request.askedBy ?? 'ask' : 'match'
}

function whyCalled(request: CallRequest, tool: string): string {
  return request.by === 'approval' ? `${request.who ?? 'a person'} said yes to exactly this call of ${tool}` : request.by !== 'router' ? `${request.who ?? `a ${request.by}`} called ${tool}` : request.askedBy === 'reader' ? `the second reader alone took it for an ask; ${tool} ran` : request.explicit ? `asked for in words; ${tool} ran` : `near in meaning, and ${tool} has no effects here`
}

/** A server that died or stayed silent: whether the call took effect is not known. */
function isLost(error: unknown): boolean {
  return UsherError.is(error) && error.code === 'SERVER_FAILED'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
