/** For each place in a text, which trigger words may stand there: as written, inflected, mistyped, misheard, split or joined. */
import { inDictionary } from './dictionary.ts'
import { isBaseVerb, isInflection, isWord } from './english.ts'
import { pronounce } from './pronunciation.ts'
import { isTypicalSlip } from './slips.ts'
import type { Token } from './tokens.ts'
import { phonesOf, type Vocabulary } from './trigger-words.ts'
import { ARTICLES, AUX, BARE_SUBJECT, CHAT_SPELLINGS, INSIDE, NEGATION, PARTICLE, PREPOSITION, SUBJECT } from './words/classes.ts'
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
  /** Two letters swapped, or a double letter written once. */
  readonly typical?: boolean
  /** Misheard, though a verb of its own: it cannot stand for another verb. */
  readonly verb?: boolean
  /** Only roughly alike: needs other words that are sure. */
  readonly rough?: boolean
  /** The same word over more tokens. */
  readonly longer?: Hit
}
export type Lattice = readonly ReadonlyMap<string, Hit>[]

/** Said with every second request: never misheard for its verb or its object. */
const COURTEOUS = new Set(['please', 'pls', 'thanks', 'thank', 'you', 'now', 'just', 'ok', 'okay'])

/** Words that no longer word was torn into. */
const COMMON = new Set([...ARTICLES, ...PREPOSITION, ...AUX, ...SUBJECT, ...BARE_SUBJECT, ...INSIDE, 'and', 'but', 'or', 'if', 'when', 'not', 'please', 'thanks', 'thank', 'now', 'no', 'yes', 'so', 'just', 'what', 'who', 'how', 'why', 'can', 'you', 'me', 'us', 'them', 'him', 'her', 'get', 'got', 'was', 'then', 'go', 'as'])

/** "fsh" for "fish": the consonants are all there. */
const skeleton = (word: string): string => word.replace(/[aeiou]/g, '')

const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const keyOf = (letter: string): readonly [number, number] | undefined => {
  const row = ROWS.findIndex(keys => keys.includes(letter))
  return row < 0 ? undefined : [row, (ROWS[row] ?? '').indexOf(letter)]
}

/** "bloxk" for "block": one letter, and its key is beside the one that was meant. From five letters on. */
function neighbours(typed: string, meant: string): boolean {
  if (typed.length !== meant.length || typed.length < 5) return false
  const at = [...typed].findIndex((letter, i) => letter !== meant[i])
  const [one, other] = [keyOf(typed[at] ?? ''), keyOf(meant[at] ?? '')]
  return at > 0 && one !== undefined && other !== undefined && Math.abs(one[0] - other[0]) <= 1 && Math.abs(one[1] - other[1]) <= 1
}

/** A verb in any form: "pulled" is no "upload" misheard. */
const isAct = (word: string): boolean => isBaseVerb(word) || lemmas(word).some(lemma => lemma.form !== 's' && isBaseVerb(lemma.word))

function keep(hits: Map<string, Hit>, hit: Hit): void {
  const known = hits.get(hit.word)
  if (!known || known.cost > hit.cost) hits.set(hit.word, hit)
}

/** Beside the hit on one word the one on two or three: "time" may be a slip of "timer", but in "time her" nothing is left over. */
function keepLonger(hits: Map<string, Hit>, hit: Hit): void {
  const known = hits.get(hit.word)
  if (!known) hits.set(hit.word, hit)
  else if (known.length > 1) keep(hits, hit)
  else if (known.how !== 'exact' && (!known.longer || known.longer.cost > hit.cost)) hits.set(hit.word, { ...known, longer: hit })
}

function single(vocabulary: Vocabulary, norm: string, hits: Map<string, Hit>): void {
  if (vocabulary.has(norm)) keep(hits, { word: norm, length: 1, cost: 0, how: 'exact' })
  const plain = CHAT_SPELLINGS.get(norm)
  if (plain && vocabulary.has(plain)) keep(hits, { word: plain, length: 1, cost: 0.2, how: 'exact' })
  // "the d.n.a. match"
  const letters = /^(?:\p{L}\.)+\p{L}$/u.test(norm) ? norm.replaceAll('.', '') : undefined
  if (letters !== undefined && vocabulary.has(letters)) keep(hits, { word: letters, length: 1, cost: 0.1, how: 'exact' })
  const possessive = norm.endsWith('\'s') ? norm.slice(0, -2) : undefined
  if (possessive && vocabulary.has(possessive)) keep(hits, { word: possessive, length: 1, cost: 0.1, how: 'exact' })
  for (const { word, form } of lemmas(norm)) if (vocabulary.has(word)) keep(hits, { word, length: 1, cost: 0.5, how: 'form', form })
  // "don't" is never "down" misheard.
  if (!/^[\p{L}']+$/u.test(norm) || (norm.length > 2 && NEGATION.has(norm))) return
  // "raies" is a form of "ray" by rule only.
  const common = isWord(norm) && (!isInflection(norm) || inDictionary(norm))
  // Rare words, which no pronouncing dictionary has ("byke", "sav"), are more often slips; never sure ones.
  const listed = !common && inDictionary(norm)
  const real = common || (listed && pronounce(norm) !== undefined)
  // A real word is no slip, unless in one of the two ways that everybody slips.
  const near = real ? vocabulary.typical(norm) : vocabulary.near(norm)
  for (const [word, distance] of near) {
    const typical = isTypicalSlip(norm, word)
    if (!real || typical) keep(hits, { word, length: 1, cost: common ? 1.2 : typical ? 0.6 : 0.5 + distance * 0.5, how: 'slip', typical, sure: typical && (!common || norm.length !== word.length) || !real && !listed && (word.length >= 6 || distance === 1 && (skeleton(word) === skeleton(norm) || neighbours(norm, word))) })
  }
  if (norm.length === 2) {
    // "ad" for "add": a double letter written once.
    const doubled = norm + (norm[1] ?? '')
    if (vocabulary.has(doubled)) keep(hits, { word: doubled, length: 1, cost: 1.2, how: 'slip' })
  }
  sounds(vocabulary, norm, hits)
  if (norm.length < 3 || vocabulary.has(norm) || COURTEOUS.has(norm)) return
  for (const word of vocabulary.roughly(norm)) {
    if (word !== norm) keep(hits, { word, length: 1, cost: 1.9, how: 'sound', verb: isAct(norm), rough: true })
  }
  for (const word of vocabulary.sounding(norm)) {
    if (word !== norm) keep(hits, { word, length: 1, cost: 1.5, how: 'sound', verb: isAct(norm) })
  }
}

/** "renewal" and "renew", "unbook" and "book": another word of one family, or its opposite, is no slip. */
function related(word: string, other: string): boolean {
  const [short, long] = word.length < other.length ? [word, other] : [other, word]
  if (/^(?:un|re|dis|de|in|im|non|mis|over|out|pre)/.test(long) && long.endsWith(short)) return true
  const stem = short.length >= 6 && /[et]$/.test(short) ? short.slice(0, -1) : short
  return stem.length >= 4 && long.startsWith(stem) && /^(?:e|t)?(?:s|al|als|e|er|ers|or|ors|ment|ments|ion|ions|tion|y|ly|able|ing|ings|ed|ee|ity|ness|ful|ance|ence|ce|ive|ic|ish|less|man|like)$/.test(long.slice(stem.length))
}

/** Words that speech recognition writes as this one: homophones, and where it is no trigger's word itself, words that sound much like it. */
function sounds(vocabulary: Vocabulary, norm: string, hits: Map<string, Hit>): void {
  const phones = pronounce(norm)
  if (phones === undefined || COURTEOUS.has(norm)) return
  for (const [word, distance] of vocabulary.pronounced(phones)) {
    if (word === norm || (distance > 0 && (vocabulary.has(norm) || related(norm, word)))) continue
    const rough = distance > 0 || COMMON.has(norm)
    keep(hits, { word, length: 1, cost: 0.9 + distance, how: 'sound', sure: distance === 0, verb: distance > 0 && (isBaseVerb(norm) || (norm.endsWith('ed') && isAct(norm))), ...(rough ? { rough } : {}) })
  }
}

/** Only pieces that are no words, or short ones, are what is left of a longer word: looking up every pair would cost too much. */
function tornApart(parts: readonly string[]): boolean {
  if (parts.every(part => COMMON.has(part))) return false
  if (parts.some(part => !isWord(part) && !inDictionary(part))) return true
  return parts.length === 2 ? parts.some(part => part.length <= 4) && parts.every(part => part.length <= 7) : parts.every(part => part.length <= 4)
}

/** Of its phonemes a word that was torn apart may differ by a fifth. */
const TORN = 0.2

/** "set up", "shut down": a verb with its particle is an act of its own, and no "stop" or "shutter" that was torn apart. */
const isPhrasal = (parts: readonly string[]): boolean => isAct(parts[0] ?? '') && PARTICLE.has(parts[1] ?? '')

/** Words that two or three tokens run together may stand for. */
function runTogether(vocabulary: Vocabulary, parts: readonly string[]): readonly Hit[] {
  const glued = parts.join('')
  const length = parts.length
  const hits = new Map<string, Hit>()
  const verb = isPhrasal(parts)
  if (vocabulary.has(glued)) keep(hits, { word: glued, length, cost: 0.3, how: 'joined' })
  // "the deploy" is no slip of "deploy": what is a trigger's word by itself was not torn apart.
  if (glued.length >= 5 && tornApart(parts) && !parts.some(part => part.length > 3 && vocabulary.has(part))) {
    for (const word of vocabulary.roughly(glued)) if (word.length >= 5) keep(hits, { word, length, cost: 1.6, how: 'sound', verb, rough: true })
    for (const word of vocabulary.sounding(glued)) keep(hits, { word, length, cost: 1.2, how: 'sound', verb })
    for (const [word, distance] of vocabulary.near(glued)) if (word.length >= 6 && distance === 1) keep(hits, { word, length, cost: 1.3, how: 'slip', verb, sure: word.length >= 7 })
  }
  const phones = glued.length >= 5 && !parts.some(part => part.length > 3 && vocabulary.has(part)) ? phonesOf(parts) : undefined
  if (phones !== undefined) for (const [word, distance] of vocabulary.pronounced(phones)) if (word.length >= 4 && distance <= phones.length * TORN) keep(hits, { word, length, cost: 1.2 + distance, how: 'sound', verb, rough: true })
  return [...hits.values()]
}

const LETTERS = /^\p{L}+$/u
/** Looked-up words and word pairs that are kept: a function of the triggers alone, so keeping them changes no answer. */
const MOST_KEPT = 20_000

/** Looks words up, and remembers what it found. */
export class LatticeBuilder {
  readonly #vocabulary: Vocabulary
  readonly #singles = new Map<string, ReadonlyMap<string, Hit>>()
  readonly #pairs = new Map<string, readonly Hit[]>()

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  build(tokens: readonly Token[]): Lattice {
    if (this.#singles.size > MOST_KEPT) this.#singles.clear()
    if (this.#pairs.size > MOST_KEPT) this.#pairs.clear()
    return tokens.map((token, at) => {
      const alone = this.#single(token.norm)
      const together = this.#together(tokens, at)
      if (together.length === 0) return alone
      const hits = new Map(alone)
      for (const hit of together) keepLonger(hits, hit)
      return hits
    })
  }

  #single(norm: string): ReadonlyMap<string, Hit> {
    let known = this.#singles.get(norm)
    if (!known) {
      const hits = new Map<string, Hit>()
      single(this.#vocabulary, norm, hits)
      this.#singles.set(norm, known = hits)
    }
    return known
  }

  #together(tokens: readonly Token[], at: number): readonly Hit[] {
    const parts = [tokens[at]?.norm ?? '']
    if (!LETTERS.test(parts[0] ?? '')) return []
    const found: Hit[] = []
    for (let length = 2; length <= 3; length++) {
      const next = tokens[at + length - 1]
      if (!next || (next.pause !== 'space' && next.pause !== 'glue') || !LETTERS.test(next.norm)) break
      parts.push(next.norm)
      const key = parts.join(' ')
      if (key.length > 24) break
      let known = this.#pairs.get(key)
      if (!known) this.#pairs.set(key, known = runTogether(this.#vocabulary, parts))
      found.push(...known)
    }
    return found
  }
}
