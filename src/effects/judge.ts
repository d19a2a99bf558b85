/** May this effect happen in this call? The tool's declaration and the route's `allow` both have to say so (`effect:bounded`). */
import type { EffectScope } from '../ports.ts'
import type { EffectPattern, JsonObject } from '../types.ts'
import { covers, FULFILS, parseEffect, targetCovers, type MeantEffect, type SeenEffect } from '../vocabulary/effects.ts'
import { realPattern } from './realpath.ts'

/** What a wrapped builtin is about to do. */
export interface Seen {
  readonly kind: SeenEffect
  readonly target: string
  /** Further targets that have to be allowed too: what a rename takes away, what a hard link shares. */
  readonly also?: readonly string[]
  /** Where the paths really lead, where that is elsewhere: has to be allowed too. */
  readonly real?: readonly string[]
  readonly detail?: JsonObject
  /** The effect, judged already, that this one only follows up: recorded as its part, and not judged again. */
  readonly follows?: SeenEffect
}

export type Refusal = 'not-declared' | 'not-allowed'

/** Undefined: it may happen. */
export function refusal(scope: EffectScope, seen: Seen): Refusal | undefined {
  if (scope.declared && !within(scope.declared, seen)) return 'not-declared'
  return within(scope.allowed ?? [], seen) ? undefined : 'not-allowed'
}

/** A pattern without a star, or with one at its end, taken apart once for all effects of a call. `text` undefined: any target. */
interface Plain { readonly kind: string, readonly text: string | undefined, readonly open: boolean }
const plain = new WeakMap<readonly EffectPattern[], readonly Plain[]>()

function plainOf(patterns: readonly EffectPattern[]): readonly Plain[] {
  const known = plain.get(patterns)
  if (known) return known
  const made = patterns.flatMap((pattern): Plain[] => {
    const parsed = parseEffect(pattern)
    const star = parsed?.target?.indexOf('*') ?? -1
    if (!parsed || (star >= 0 && star !== (parsed.target?.length ?? 0) - 1)) return []
    return [{ kind: parsed.kind, text: star < 0 ? parsed.target : parsed.target?.slice(0, -1), open: star >= 0 }]
  })
  plain.set(patterns, made)
  return made
}

/** What most effects are: one name, and a pattern that says it plainly. */
function plainly(patterns: readonly EffectPattern[], kind: string, target: string): boolean {
  for (const known of plainOf(patterns)) {
    if (known.kind === kind && (known.text === undefined || (known.open ? target.startsWith(known.text) : target === known.text))) return true
  }
  return false
}

/** Is every name that the effect touches within the patterns? */
export function within(patterns: readonly EffectPattern[], { kind, target, also = [], real = [] }: Seen): boolean {
  if (also.length === 0 && real.length === 0 && plainly(patterns, kind, target)) return true
  const allowed = (place: string) => patterns.some(pattern => coversOrCarries(pattern, { kind, target: place }))
  return [target, ...also].every(allowed) && real.every(place => allowed(place) || patterns.some(pattern => covers(realPattern(pattern), { kind, target: place })))
}

/**
 * Who may send a request may open its connection, who may connect may say anything there, and who may reach a host may look up its name.
 * The wide kinds of FULFILS (`http.get`, ...) name their parts themselves and carry nothing more.
 */
const CARRIES: { readonly [kind: string]: readonly string[] | undefined } = {
  'http.request': ['net.connect', 'dns.lookup'],
  'net.connect': ['http.request', 'dns.lookup'],
  'net.listen': ['dns.lookup'],
  'udp.send': ['dns.lookup'],
}
const CARRIED = new Set(Object.values(CARRIES).flat())

/** The permission that carries an effect which none names; undefined where one names it, or none carries it. */
export function carrier(scope: EffectScope, { kind, target }: Seen): EffectPattern | undefined {
  const allowed = scope.allowed ?? []
  if (!CARRIED.has(kind) || allowed.some(pattern => covers(pattern, { kind, target }))) return undefined
  return allowed.find(pattern => coversOrCarries(pattern, { kind, target }))
}

function coversOrCarries(pattern: EffectPattern, seen: { readonly kind: string, readonly target: string }): boolean {
  if (covers(pattern, seen)) return true
  const parsed = parseEffect(pattern)
  if (!parsed || !CARRIES[parsed.kind]?.includes(seen.kind)) return false
  const place = parsed.kind === 'http.request' ? placeOfRequest(parsed.target) : parsed.target
  if (seen.kind === 'dns.lookup') return targetCovers(place?.replace(/:[^:]*$/, ''), seen.target)
  return targetCovers(place, seen.kind === 'http.request' ? placeOfRequest(seen.target) ?? seen.target : seen.target)
}

/** A seen kind with the targets that each have to be covered; `http.place` is an `http.request` named by its `host:port`. */
export type PlainRule = readonly [kind: string, ...targets: readonly string[]]

/** The patterns taken apart, for a judge that does not know the vocabulary (a child in another language): an effect may happen if one rule covers it. */
export function plainRules(patterns: readonly EffectPattern[]): PlainRule[] {
  return patterns.flatMap(pattern => [pattern, ...pattern === realPattern(pattern) ? [] : [realPattern(pattern)]]).flatMap(pattern => {
    const parsed = parseEffect(pattern)
    if (!parsed) return []
    const own = parsed.target === undefined ? [] : [parsed.target]
    const meant: readonly string[] = Object.hasOwn(FULFILS, parsed.kind) ? FULFILS[parsed.kind as MeantEffect] : []
    const parts = meant.flatMap((part): PlainRule[] => {
      const inner = parseEffect(part)
      return inner ? [[inner.kind, ...inner.target === undefined ? [] : [inner.target], ...own]] : []
    })
    const place = parsed.kind === 'http.request' ? placeOfRequest(parsed.target) : parsed.target
    const carried = (CARRIES[parsed.kind] ?? []).map((kind): PlainRule => {
      const target = kind === 'dns.lookup' ? place?.replace(/:[^:]*$/, '') : place
      return [kind === 'http.request' ? 'http.place' : kind, ...target === undefined ? [] : [target]]
    })
    return [[parsed.kind, ...own] as const, ...parts, ...carried]
  })
}

/** `POST https://example.org` -> `example.org:443`; a pattern that leaves the origin open leaves the place open. */
function placeOfRequest(target: string | undefined): string | undefined {
  const origin = target?.slice(target.indexOf(' ') + 1)
  if (origin === undefined || origin === '*') return undefined
  const parts = /^(https?|\*):\/\/([^/\s]+)$/.exec(origin)
  if (!parts) return origin
  const [, scheme, host = ''] = parts
  return /:(\d+|\*)$/.test(host) || scheme === '*' ? host : `${host}:${scheme === 'https' ? 443 : 80}`
}
