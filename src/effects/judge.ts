/** May this effect happen in this call? The tool's declaration and the route's `allow` both have to say so (`effect:bounded`). */
import type { EffectScope } from '../ports.ts'
import type { EffectPattern, JsonObject } from '../types.ts'
import { covers, parseEffect, targetCovers, type SeenEffect } from '../vocabulary/effects.ts'

/** What a wrapped builtin is about to do. */
export interface Seen {
  readonly kind: SeenEffect
  readonly target: string
  /** Further targets that have to be allowed too: what a rename takes away, what a symbolic link leads to. */
  readonly also?: readonly string[]
  readonly detail?: JsonObject
}

export type Refusal = 'not-declared' | 'not-allowed'

/** Undefined: it may happen. */
export function refusal(scope: EffectScope, seen: Seen): Refusal | undefined {
  if (scope.declared && !within(scope.declared, seen)) return 'not-declared'
  return within(scope.allowed ?? [], seen) ? undefined : 'not-allowed'
}

function within(patterns: readonly EffectPattern[], seen: Seen): boolean {
  return [seen.target, ...seen.also ?? []].every(target => patterns.some(pattern => coversOrCarries(pattern, { kind: seen.kind, target })))
}

/** Who may send a request may open its connection, and who may connect to a host may look up its name. */
function coversOrCarries(pattern: EffectPattern, seen: { readonly kind: string, readonly target: string }): boolean {
  if (covers(pattern, seen)) return true
  const parsed = parseEffect(pattern)
  if (!parsed) return false
  const place = parsed.kind === 'net.connect' ? parsed.target : parsed.kind === 'http.request' ? placeOfRequest(parsed.target) : undefined
  if (parsed.target !== undefined && place === undefined) return false
  if (!['net.connect', 'http.request'].includes(parsed.kind)) return false
  if (seen.kind === 'net.connect') return targetCovers(place, seen.target)
  return seen.kind === 'dns.lookup' && targetCovers(place?.replace(/:[^:]*$/, ''), seen.target)
}

/** `POST https://example.org` -> `example.org:443`. */
function placeOfRequest(target: string | undefined): string | undefined {
  const parts = /^\S+ (https?):\/\/([^/\s]+)$/.exec(target ?? '')
  if (!parts) return undefined
  const [, scheme, host = ''] = parts
  return /:(\d+|\*)$/.test(host) ? host : `${host}:${scheme === 'https' ? 443 : 80}`
}
