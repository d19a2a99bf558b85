/** For each place in a text, which trigger words may stand there: as written, inflected, mistyped, misheard, split or joined. */
import { inDictionary } from './dictionary.ts'
import { isBaseVerb, isWord } from './english.ts'
import { SlipIndex, isTypicalSlip } from './slips.ts'
import { soundKey } from './sounds.ts'
import type { Token } from './tokens.ts'
import { CHAT_SPELLINGS } from './words/classes.ts'
import { lemmas, type Lemma } from './words/verbs.ts'

export type HitHow = 'exact' | 'joined' | 'form' | 'slip' | 'sound'
export interface Hit {
  readonly word: string
  /** Text tokens it covers. */
  readonly length: number
  readonly cost: number
  readonly how: HitHow
  readonly form?: Lemma['form']
  /** A slip that can hardly be anything else. */
  readonly sure?: boolean
  /** Misheard, though a verb of its own: it cannot stand for another verb. */
  readonly verb?: boolean
}
export type Lattice = readonly ReadonlyMap<string, Hit>[]

/** The words of all triggers, ready to be looked up. */
export class Vocabulary {
  readonly #words = new Set<string>()
  readonly #slips = new SlipIndex()
  readonly #bySound = new Map<string, string[]>()

  add(word: string): void {
    if (this.#words.has(word)) return
    this.#words.add(word)
    if (!/^\p{L}+$/u.test(word)) return
    this.#slips.add(word)
    const key = soundKey(word)
    if (key.length < 2) return
    const known = this.#bySound.get(key)
    if (known) known.push(word)
    else this.#bySound.set(key, [word])
  }

  has(word: string): boolean {
    return this.#words.has(word)
  }

  near(word: string): Map<string, number> {
    return this.#slips.near(word)
  }

  sounding(word: string): readonly string[] {
    return this.#bySound.get(soundKey(word)) ?? []
  }
}

/** "fsh" for "fish": the consonants are all there. */
const skeleton = (word: string): string => word.replace(/[aeiou]/g, '')

function keep(hits: Map<string, Hit>, hit: Hit): void {
  const known = hits.get(hit.word)
  if (!known || known.cost > hit.cost) hits.set(hit.word, hit)
}

function single(vocabulary: Vocabulary, norm: string, hits: Map<string, Hit>): void {
  if (vocabulary.has(norm)) keep(hits, { word: norm, length: 1, cost: 0, how: 'exact' })
  const plain = CHAT_SPELLINGS.get(norm)
  if (plain && vocabulary.has(plain)) keep(hits, { word: plain, length: 1, cost: 0.2, how: 'exact' })
  const possessive = norm.endsWith('\'s') ? norm.slice(0, -2) : undefined
  if (possessive && vocabulary.has(possessive)) keep(hits, { word: possessive, length: 1, cost: 0.1, how: 'exact' })
  for (const { word, form } of lemmas(norm)) if (vocabulary.has(word)) keep(hits, { word, length: 1, cost: 0.5, how: 'form', form })
  if (!/^[\p{L}']+$/u.test(norm)) return
  const near = vocabulary.near(norm)
  const real = isWord(norm) || (near.size > 0 && norm.length >= 5 && inDictionary(norm))
  for (const [word, distance] of near) {
    const typical = isTypicalSlip(norm, word)
    if (!real || typical) keep(hits, { word, length: 1, cost: real ? 1.2 : typical ? 0.6 : 0.5 + distance * 0.5, how: 'slip', sure: typical && (!real || norm.length !== word.length) || !real && (word.length >= 6 || distance === 1 && skeleton(word) === skeleton(norm)) })
  }
  if (norm.length === 2) {
    // "ad" for "add": a double letter written once.
    const doubled = norm + (norm[1] ?? '')
    if (vocabulary.has(doubled)) keep(hits, { word: doubled, length: 1, cost: 1.2, how: 'slip' })
  }
  if (norm.length < 3 || vocabulary.has(norm)) return
  for (const word of vocabulary.sounding(norm)) {
    if (word !== norm) keep(hits, { word, length: 1, cost: 1.5, how: 'sound', verb: isBaseVerb(norm) })
  }
}

function joined(vocabulary: Vocabulary, tokens: readonly Token[], at: number, hits: Map<string, Hit>): void {
  let glued = tokens[at]?.norm ?? ''
  for (let length = 2; length <= 3; length++) {
    const next = tokens[at + length - 1]
    if (!next || next.pause === 'hard' || next.pause === 'colon' || next.pause === 'soft') return
    glued += next.norm
    if (glued.length > 22 || !/^\p{L}+$/u.test(glued)) return
    if (vocabulary.has(glued)) keep(hits, { word: glued, length, cost: 0.3, how: 'joined' })
    if (glued.length < 5) continue
    for (const word of vocabulary.sounding(glued)) keep(hits, { word, length, cost: 1.2, how: 'sound' })
    for (const [word, distance] of vocabulary.near(glued)) if (word.length >= 6 && distance === 1) keep(hits, { word, length, cost: 1.3, how: 'slip', sure: word.length >= 7 })
  }
}

export function buildLattice(vocabulary: Vocabulary, tokens: readonly Token[]): Lattice {
  const cache = new Map<string, ReadonlyMap<string, Hit>>()
  return tokens.map((token, at) => {
    let alone = cache.get(token.norm)
    if (!alone) {
      const hits = new Map<string, Hit>()
      single(vocabulary, token.norm, hits)
      cache.set(token.norm, alone = hits)
    }
    const hits = new Map(alone)
    joined(vocabulary, tokens, at, hits)
    return hits
  })
}
