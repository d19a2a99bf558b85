/** Finds the patterns whose words all occur in a text: an inverted index, so that 1,500 triggers cost little more than one. */
import type { Lattice } from './lattice.ts'
import type { Pattern } from './patterns.ts'
import type { Token } from './tokens.ts'
import { ARTICLES, PREPOSITION } from './words/classes.ts'

const isFunction = (word: string): boolean => ARTICLES.has(word) || PREPOSITION.has(word)

/** Words and synonyms that a text must all hold, without order. Articles and prepositions only where there is nothing else. */
function keysOf(pattern: Pattern): string[] {
  const keys: string[] = []
  const add = (key: string): void => { if (!keys.includes(key)) keys.push(key) }
  for (const word of pattern.needs) if (!isFunction(word)) add(word)
  for (const element of pattern.elements) if (element.kind === 'synonym') add(`~${element.of}`)
  if (keys.length === 0) for (const word of pattern.needs) add(word)
  return keys
}

const NONE: readonly Posting[] = []
const NO_PARTS: readonly string[] = []

interface Member { readonly pattern: Pattern, readonly id: number }
/** Patterns that need the very same words: most orders of one trigger do. */
interface Posting { readonly others: readonly string[], readonly members: Member[] }

export class PatternIndex {
  /** Rarest word of some patterns -> next rarest, or `''` where there is none -> those that wait for both, with the other words they need. */
  readonly #postings = new Map<string, Map<string, Posting[]>>()
  /** Two words of a trigger written as one -> the two. */
  readonly #joined = new Map<string, readonly [string, string]>()
  /** First word of a synonym -> the verbs that it may stand for. */
  readonly #synonymStarts = new Map<string, Set<string>>()
  readonly #always: Pattern[] = []

  constructor(patterns: readonly Pattern[]) {
    const groups = new Map<string, { readonly keys: readonly string[], readonly members: Member[] }>()
    const frequency = new Map<string, number>()
    const learnt = new Set<string>()
    patterns.forEach((pattern, id) => {
      const keys = keysOf(pattern)
      this.#learnJoined(pattern)
      for (const key of keys) frequency.set(key, (frequency.get(key) ?? 0) + 1)
      const name = [...keys].sort().join('\n')
      const group = groups.get(name)
      if (group) group.members.push({ pattern, id })
      else groups.set(name, { keys, members: [{ pattern, id }] })
      this.#learnSynonyms(pattern, learnt)
    })
    for (const { keys, members } of groups.values()) {
      const [rarest, second = '', ...others] = [...keys].sort((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0) || (a < b ? -1 : 1))
      if (rarest === undefined) { for (const { pattern } of members) this.#always.push(pattern); continue }
      const seconds = this.#postings.get(rarest) ?? new Map<string, Posting[]>()
      this.#postings.set(rarest, seconds)
      const known = seconds.get(second)
      if (known) known.push({ others, members })
      else seconds.set(second, [{ others, members }])
    }
  }

  #learnJoined({ elements }: Pattern): void {
    elements.forEach((element, i) => {
      const next = elements[i + 1]
      if (element.kind === 'word' && next?.kind === 'word' && !element.det && !next.det) this.#joined.set(element.word + next.word, [element.word, next.word])
    })
  }

  #learnSynonyms(pattern: Pattern, learnt: Set<string>): void {
    for (const element of pattern.elements) {
      if (element.kind !== 'synonym' || learnt.has(element.of)) continue
      learnt.add(element.of)
      for (const synonym of element.words.entries()) {
        const first = synonym.split(' ')[0] ?? ''
        const verbs = this.#synonymStarts.get(first) ?? new Set<string>()
        verbs.add(`~${element.of}`)
        this.#synonymStarts.set(first, verbs)
      }
    }
  }

  /** In the order of the table. */
  candidates(tokens: readonly Token[], lattice: Lattice): Pattern[] {
    const present = new Set<string>([''])
    for (const hits of lattice) {
      for (const word of hits.keys()) {
        present.add(word)
        for (const part of this.#joined.get(word) ?? NO_PARTS) present.add(part)
      }
    }
    for (const token of tokens) for (const verb of this.#synonymStarts.get(token.norm) ?? []) present.add(verb)
    const found: Member[] = []
    for (const word of present) {
      const seconds = this.#postings.get(word)
      if (!seconds) continue
      const [fewer, more] = seconds.size < present.size ? [seconds, present] : [present, seconds]
      for (const second of fewer.keys()) {
        if (!more.has(second)) continue
        for (const { others, members } of seconds.get(second) ?? NONE) if (others.every(other => present.has(other))) found.push(...members)
      }
    }
    return [...this.#always, ...found.sort((a, b) => a.id - b.id).map(posting => posting.pattern)]
  }
}
