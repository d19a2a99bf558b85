/** The heart of the observer: whose effect is it, may it happen, and telling the sinks before it does. Knows no builtin. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { UsherError } from '../errors.ts'
import type { EffectScope } from '../ports.ts'
import type { Effect, EffectPattern, JsonObject } from '../types.ts'
import { capped, quoted } from '../util/mask.ts'
import { parseEffect } from '../vocabulary/effects.ts'
import type { Environment } from './environment.ts'
import { carrier, refusal, within, type Refusal, type Seen } from './judge.ts'
import { callingCode } from './origin.ts'

/** Calls whose effects `of` still knows, and effects kept for one call; the sinks get them all. */
const KEPT_CALLS = 1000
const KEPT_EFFECTS = 10_000
/** Effects outside any call whose calling code is looked for. */
const KEPT_CALLERS = 1000

type Frame =
  | { readonly kind: 'call', readonly scope: EffectScope, readonly effects: Effect[], readonly env?: Environment }
  | { readonly kind: 'background', readonly name: string, readonly within?: string }

export class Recorder {
  /** False once uninstalled: replacements that could not be taken out pass straight through. */
  active = true
  readonly #frames = new AsyncLocalStorage<Frame>()
  readonly #calls = new Map<string, Effect[]>()
  readonly #accepted: { readonly name: string, readonly patterns: readonly EffectPattern[] }[] = []
  readonly #sinks = new Set<(effect: Effect) => void>()
  /** Effects whose builtin runs right now, outermost first: what it does itself is part of them. */
  readonly #doing: Doing[] = []
  readonly #asked = new Map<string, Set<string>>()
  #askedCount = 0
  readonly #stops = new WeakSet<object>()
  readonly #env: Environment = { ...process.env }
  #telling = false
  #sinkFailure: string | undefined
  /** In a child: the scope that its parent wrote down, asked for where no call of this process is in flight. */
  #ambient: (() => EffectScope | undefined) | undefined

  run<T>(scope: EffectScope, work: () => T): T {
    const effects = this.#calls.get(scope.callId) ?? []
    this.#calls.delete(scope.callId)
    this.#calls.set(scope.callId, effects)
    if (this.#calls.size > KEPT_CALLS) for (const oldest of this.#calls.keys()) { this.#calls.delete(oldest); break }
    return this.#frames.run({ kind: 'call', scope, effects, ...scope.mode === 'enforce' ? { env: { ...process.env } } : {} }, work)
  }

  background<T>(name: string, work: () => T): T {
    const frame = this.#frames.getStore()
    const within = frame?.kind === 'call' ? frame.scope.callId : undefined
    return this.#frames.run({ kind: 'background', name, ...within === undefined ? {} : { within } }, work)
  }

  accept(name: string, patterns: readonly EffectPattern[]): void {
    const wrong = patterns.find(pattern => parseEffect(pattern) === undefined)
    if (wrong !== undefined) throw new UsherError('BAD_OPTION', `${quoted(wrong)} is no effect; write a kind, or a kind, a colon and a target, such as "net.connect:model.example:443"`)
    this.#accepted.push({ name, patterns })
  }

  bound(ask: () => EffectScope | undefined): void {
    this.#ambient = ask
  }

  of(callId: string): readonly Effect[] {
    return [...this.#calls.get(callId) ?? []]
  }

  attach(sink: (effect: Effect) => void): () => void {
    // A sink attached twice gets each effect twice, so that each attachment can be taken off alone.
    const own = (effect: Effect) => sink(effect)
    this.#sinks.add(own)
    return () => { this.#sinks.delete(own) }
  }

  get sinkFailure(): string | undefined {
    return this.#sinkFailure
  }

  /** The scope of the call in flight, if any. */
  get scope(): EffectScope | undefined {
    const frame = this.#frame()
    return frame?.kind === 'call' ? frame.scope : undefined
  }

  #frame(): Frame | undefined {
    const frame = this.#frames.getStore()
    if (frame !== undefined || this.#ambient === undefined) return frame
    const scope = this.#ambient()
    return scope && { kind: 'call', scope, effects: [] }
  }

  /** The host's environment as it was when the call in flight began, or the observer came: a tool that changes it changes what it starts. */
  get env(): Environment {
    const frame = this.#frames.getStore()
    return (frame?.kind === 'call' ? frame.env : undefined) ?? this.#env
  }

  /** The fast path: outside any call and with nobody listening, a replacement does nothing at all. */
  get watching(): boolean {
    if (!this.active || this.#telling) return false
    const frame = this.#frames.getStore()
    return frame === undefined ? this.#sinks.size > 0 : frame.kind === 'background' || frame.scope.mode !== 'off'
  }

  /** Records what is about to happen. Gives the error with which it has to be stopped, or undefined: go on. */
  see(seen: Seen): UsherError | undefined {
    const part = this.#doing.length === 0 ? seen.follows : this.#partOf(seen)
    if (part === SAME) return undefined
    const frame = this.#frame()
    const enforced = frame?.kind === 'call' && frame.scope.mode === 'enforce'
    // The port that Node binds for the first datagram of a socket comes with the datagram, which has been judged.
    const why = enforced && part !== 'udp.send' && seen.follows === undefined ? refusal(frame.scope, seen) : undefined
    const failure = this.#record(frame, seen, why, part)
    const stop = why && frame?.kind === 'call' ? blockedError(frame.scope, seen, why) : failure === undefined || !enforced ? undefined : unrecordedError(seen, failure)
    if (stop) {
      for (const outer of this.#doing) outer.stopped = true
      // A child that is held back by its parent's scope keeps its errors: they are how it ends.
      if (this.#frames.getStore() !== undefined) this.#stops.add(stop)
    }
    return stop
  }

  /** Is this the error with which an effect of a call in this process was stopped? */
  stopped(error: object): boolean {
    return this.#stops.has(error)
  }

  /** The builtin itself begins: what it does on the way is part of the effect (if it is one), not one more. */
  enter(seen: Seen | undefined): { readonly stopped: boolean } {
    const entry: Doing = { seen, stopped: false }
    this.#doing.push(entry)
    return entry
  }

  leave(): void {
    this.#doing.pop()
  }

  /** Runs a builtin between the two. */
  doing<T>(seen: Seen | undefined, work: () => T, onStop?: (result: T) => void): T {
    const entry = this.enter(seen)
    try {
      const result = work()
      if (entry.stopped) onStop?.(result)
      return result
    } finally { this.leave() }
  }

  /** What of a larger effect this one is; SAME: it is that effect, told already. */
  #partOf(seen: Seen): string | undefined {
    let part: string | undefined = seen.follows
    for (const { seen: outer } of this.#doing) {
      if (outer?.kind === seen.kind && outer.target === seen.target) return SAME
      if (outer && part === undefined && PARTS[outer.kind]?.includes(seen.kind)) part = outer.kind
    }
    return part
  }

  #record(frame: Frame | undefined, seen: Seen, why: Refusal | undefined, part: string | undefined): unknown {
    const background = frame?.kind === 'background' ? frame.name : frame || this.#accepted.length === 0 ? undefined : this.#accepted.find(({ patterns }) => within(patterns, seen))?.name
    const carriedBy = frame?.kind === 'call' && why === undefined ? carrier(frame.scope, seen) : undefined
    const by = frame === undefined && background === undefined ? this.#firstCaller(seen) : undefined
    const origin = frame?.kind === 'background' ? frame.within : undefined
    const detail = detailOf(seen, why, part, carriedBy, by, origin)
    const { kind, target } = seen
    const callId = frame?.kind === 'call' ? frame.scope.callId : null
    // Written out: a spread of what may be missing takes longer than all the rest, and this runs for every effect of the process.
    const effect: Effect = background === undefined
      ? detail === undefined ? { kind, target, blocked: why !== undefined, callId, at: Date.now(), watcher: 'node' } : { kind, target, blocked: why !== undefined, callId, at: Date.now(), watcher: 'node', detail }
      : { kind, target, blocked: why !== undefined, callId, at: Date.now(), watcher: 'node', background, ...detail && { detail } }
    return this.#tell(effect, frame?.kind === 'call' ? frame.effects : undefined)
  }

  /** Asked once for each kind and target: a stack costs more than all the rest. */
  #firstCaller({ kind, target }: Seen): string | undefined {
    if (this.#askedCount >= KEPT_CALLERS) return undefined
    // By kind, then by target: a joined key would be made for every effect only to be found known.
    let targets = this.#asked.get(kind)
    if (!targets) this.#asked.set(kind, targets = new Set())
    if (targets.has(target)) return undefined
    targets.add(target)
    this.#askedCount++
    return callingCode()
  }

  /** An effect that another watcher saw. */
  take(effect: Effect): void {
    this.#tell(effect, effect.callId === null ? undefined : this.#calls.get(effect.callId))
  }

  /** Hands an effect to every sink; what a sink does itself is no effect. Gives the first failure. */
  #tell(effect: Effect, known: Effect[] | undefined): unknown {
    if (known && known.length < KEPT_EFFECTS) known.push(effect)
    let failure: unknown
    this.#telling = true
    try {
      for (const sink of this.#sinks) {
        try { sink(effect) } catch (error) { failure ??= error }
      }
    } finally { this.#telling = false }
    if (failure !== undefined) this.#sinkFailure = failure instanceof Error ? failure.message : String(failure)
    return failure
  }
}

/** What a builtin does itself on the way to a larger effect: recorded as part of it. */
const PARTS: { readonly [kind: string]: readonly string[] | undefined } = {
  'net.connect': ['dns.lookup'],
  'net.listen': ['dns.lookup'],
  'udp.send': ['net.listen', 'dns.lookup'],
  'http.request': ['net.connect', 'dns.lookup'],
}

const SAME = 'same'

/** Details that only say which part of a larger effect it was, by what they add it to: the same ones come again for every connection. */
const parts = new WeakMap<JsonObject, Map<string, JsonObject>>()

function partOf(detail: JsonObject, part: string): JsonObject {
  let known = parts.get(detail)
  if (!known) parts.set(detail, known = new Map())
  let made = known.get(part)
  if (!made) known.set(part, made = Object.freeze({ ...detail, part }))
  return made
}

/** Most effects have nothing to add to what the builtin's arguments said. */
function detailOf({ detail, real }: Seen, reason: Refusal | undefined, part: string | undefined, carriedBy: string | undefined, by: string | undefined, within: string | undefined): JsonObject | undefined {
  if (reason === undefined && carriedBy === undefined && by === undefined && within === undefined && !real?.length) {
    if (part === undefined) return detail
    if (detail && Object.isFrozen(detail)) return partOf(detail, part)
  }
  return { ...detail, ...reason && { reason }, ...part !== undefined && { part }, ...carriedBy !== undefined && { carriedBy }, ...by !== undefined && { by }, ...real?.length && { real }, ...within !== undefined && { within } }
}

/** A builtin that runs right now, with its effect. */
interface Doing { readonly seen: Seen | undefined, stopped: boolean }

function unrecordedError(seen: Seen, cause: unknown): UsherError {
  return new UsherError('EFFECT_BLOCKED', `${seen.kind} ${quoted(capped(seen.target, 300))} was stopped because it could not be recorded; see to the log first`, { cause })
}

function blockedError(scope: EffectScope, seen: Seen, why: Refusal): UsherError {
  const also = seen.also?.length ? ` (with ${seen.also.map(name => quoted(capped(name, 300))).join(', ')})` : ''
  const what = `${seen.kind} ${quoted(capped(seen.target, 300))}${also}`
  const todo = why === 'not-declared'
    ? 'its tool does not declare this effect: declare it in the tool\'s `effects`, and in the route\'s `allow`'
    : 'its route does not allow this effect: add it to the route\'s `allow` if its owner wants it'
  return new UsherError('EFFECT_BLOCKED', `${what} was stopped before it happened (call ${scope.callId}): ${todo}`)
}
