/**
 * Exact bytes that a runtime puts to a person: what runs after a yes is what the person saw, once, and within its time. In this process's
 * memory: after a restart the runtime asks again.
 */
import type { Clock } from '../ports.ts'
import type { JsonObject } from '../types.ts'
import { canonicalJson, sha256 } from '../util/canonical.ts'

/** Default ms that a yes is waited for. */
export const APPROVAL_TTL = 10 * 60_000
/** A runtime that asks and never answers must not fill the memory. */
const MAX_WAITING = 10_000

export type Redeemed =
  | { readonly kind: 'approved' }
  | { readonly kind: 'none' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'changed' }

export class ApprovedBytes {
  readonly #clock: Clock
  readonly #ttl: number
  readonly #waiting = new Map<string, { readonly digest: string, readonly expiresAt: number }>()
  constructor(options: { readonly clock?: Clock, readonly ttl?: number } = {}) {
    this.#clock = options.clock ?? { now: () => Date.now() }
    this.#ttl = options.ttl ?? APPROVAL_TTL
  }

  /** The first bytes under an id stay: a later request with the same id must not slip others under the person's yes. */
  ask(id: string, tool: string, args: JsonObject): void {
    const now = this.#clock.now()
    const before = this.#waiting.get(id)
    if (before && before.expiresAt > now) return
    this.#waiting.set(id, { digest: digestOf(tool, args), expiresAt: now + this.#ttl })
    for (const [old, { expiresAt }] of this.#waiting) if (this.#waiting.size > MAX_WAITING || expiresAt <= now) this.#waiting.delete(old)
  }

  /** Once: whatever it says, the id is used up then. */
  redeem(id: string, tool: string, args: JsonObject): Redeemed {
    const asked = this.#waiting.get(id)
    if (!asked) return { kind: 'none' }
    this.#waiting.delete(id)
    if (asked.expiresAt <= this.#clock.now()) return { kind: 'expired' }
    return { kind: asked.digest === digestOf(tool, args) ? 'approved' : 'changed' }
  }
}

/** An array, not a joined text: no tool name may pass as the beginning of other arguments. */
function digestOf(tool: string, args: JsonObject): string {
  return sha256(canonicalJson(['runtime-approval-v1', tool, args]))
}
