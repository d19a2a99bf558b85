/** Puts a head before the nearest phrase: routes come in the order of their scores, and those with a head bring what their threshold rests on. */
import type { Matcher } from '../ports.ts'
import type { Candidate, HeadReading } from '../types.ts'
import type { Head, Scored } from './head.ts'
import { framed } from './kernel.ts'

/** Routes that match() gives back unless it is told: as many as the nearest phrases. */
const ROUTES = 8

export class HeadMatcher implements Matcher {
  readonly head: string
  readonly #inner: Matcher
  readonly #head: Head
  constructor(inner: Matcher, head: Head) {
    this.#inner = inner
    this.#head = head
    this.head = head.hash
  }

  vectorOf(text: string): Float32Array | undefined {
    return this.#inner.vectorOf?.(text)
  }

  /** A phrase to the letter needs no head. */
  further(text: string): string | undefined {
    return this.#inner.vectorOf?.(text) ? undefined : framed(text)
  }

  /** @param inFrame vector of what `further` gave; without it the nearest phrase decides alone, and no route with a head is among what it may fire */
  match(text: string, vector: Float32Array, k: number = ROUTES, inFrame?: Float32Array): readonly Candidate[] {
    const nearest = this.#inner.match(text, vector, k)
    const exact = nearest.filter(candidate => candidate.exact)
    if (!inFrame) return exact.length > 0 ? nearest : nearest.map(candidate => this.#unread(candidate))
    const known = new Map(nearest.map(candidate => [candidate.route, candidate]))
    const ranked = this.#head.rank(text, { plain: vector, framed: inFrame })
    const wanted = ranked.slice(0, k)
    if (wanted.some(({ route }) => !known.has(route))) for (const candidate of this.#inner.match(text, vector, ranked.length)) known.set(candidate.route, candidate)
    const read = wanted.flatMap(scored => {
      const candidate = known.get(scored.route)
      return candidate && !candidate.exact ? [{ ...candidate, probability: scored.probability, ...this.#reading(scored) }] : []
    })
    return [...exact, ...read].slice(0, Math.max(0, k))
  }

  #reading({ route, probability }: Scored): { head?: HeadReading } {
    const { facts, hash } = this.#head
    const evidence = facts.evidence.get(route)
    if (!evidence) return {}
    const { budget, neutral, fired, bound, thin } = facts
    return { head: { hash, probability, ...evidence, budget, neutral, fired, bound, thin } }
  }

  /** Not judged: what cannot be read by its head does not fire by it. */
  #unread(candidate: Candidate): Candidate {
    return { ...candidate, probability: 0, ...this.#reading({ route: candidate.route, score: 0, probability: 0 }) }
  }
}
