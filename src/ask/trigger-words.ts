/** The words of all triggers, to be looked up as written, mistyped or misheard. */
import { NO_WORD, type PhraseFeatures } from './phrase-features.ts'
import { SoundIndex } from './phones.ts'
import { pronounce } from './pronunciation.ts'
import { SlipIndex } from './slips.ts'
import { roughSound, soundKey } from './sounds.ts'

/** How words are pronounced in one go, or undefined where one of them is in no dictionary. */
export function phonesOf(parts: readonly string[]): string | undefined {
  let phones = ''
  for (const part of parts) {
    const said = pronounce(part)
    if (said === undefined) return undefined
    phones += said
  }
  return phones
}

/** Above this number of two-word spellings they are looked up as written only: their sounds would take seconds and 200 MB to index, for words that hardly anybody says as one. */
const MOST_PAIRS_BY_SOUND = 60_000

/** The words of all triggers, ready to be looked up. What a lookup needs is made at the first lookup of its kind. */
export class Vocabulary {
  readonly #features: PhraseFeatures
  readonly #joined: ReadonlyMap<string, unknown>
  readonly #words = new Set<string>()
  readonly #pairsBySound: boolean
  #slips: SlipIndex | undefined
  #bySound: ReadonlyMap<string, readonly string[]> | undefined
  #byRoughSound: ReadonlyMap<string, readonly string[]> | undefined
  #byPhones: SoundIndex | undefined

  /** @param joined two words written as one -> the two */
  constructor(features: PhraseFeatures, joined: ReadonlyMap<string, unknown>) {
    this.#features = features
    this.#joined = joined
    const { words, vocabulary } = features
    for (let at = 0; at < vocabulary.length; at += 2) if (vocabulary[at + 1] === NO_WORD) this.#words.add(words[vocabulary[at] as number] ?? '')
    this.#pairsBySound = vocabulary.length / 2 - this.#words.size <= MOST_PAIRS_BY_SOUND
  }

  /** Words of letters only; two that may be written as one are looked up by sound and spelling, not by slip. */
  #each(step: (word: string, pair: readonly string[] | undefined) => void): void {
    const { words, vocabulary } = this.#features
    for (let at = 0; at < vocabulary.length; at += 2) {
      const first = words[vocabulary[at] as number] ?? ''
      const second = vocabulary[at + 1] === NO_WORD ? undefined : words[vocabulary[at + 1] as number] ?? ''
      if (second !== undefined && !this.#pairsBySound) continue
      const word = second === undefined ? first : first + second
      if (/^\p{L}+$/u.test(word)) step(word, second === undefined ? undefined : [first, second])
    }
  }

  has(word: string): boolean {
    return this.#words.has(word) || this.#joined.has(word)
  }

  /** Words that differ by two letters swapped or by a double letter. */
  typical(word: string): Map<string, number> {
    const found = new Map<string, number>()
    const look = (other: string) => { if (other !== word && this.has(other)) found.set(other, 1) }
    for (let i = 0; i + 1 < word.length && word.length > 2; i++) {
      if (word[i] === word[i + 1]) look(word.slice(0, i) + word.slice(i + 1))
      else look(`${word.slice(0, i)}${word[i + 1] ?? ''}${word[i] ?? ''}${word.slice(i + 2)}`)
      look(`${word.slice(0, i)}${word[i] ?? ''}${word.slice(i)}`)
    }
    const last = word.at(-1) ?? ''
    if (word.length > 2) look(word + last)
    return found
  }

  near(word: string): Map<string, number> {
    return (this.#slips ??= this.#indexSlips()).near(word)
  }

  /** Words that a listener may have taken for this one. */
  roughly(word: string): readonly string[] {
    this.#byRoughSound ??= this.#group(other => {
      const { consonants } = roughSound(other)
      return consonants.length >= 2 && other.length >= 3 ? consonants : undefined
    })
    const rough = roughSound(word)
    return (this.#byRoughSound.get(rough.consonants) ?? []).filter(other => rough.consonants.length >= 3 || roughSound(other).vowel === rough.vowel)
  }

  /** Words that are pronounced nearly like these phonemes, with their distance. */
  pronounced(phones: string): Map<string, number> {
    return (this.#byPhones ??= this.#indexPhones()).near(phones)
  }

  sounding(word: string): readonly string[] {
    this.#bySound ??= this.#group(other => {
      const key = soundKey(other)
      return key.length < 2 ? undefined : key
    })
    return this.#bySound.get(soundKey(word)) ?? []
  }

  #indexSlips(): SlipIndex {
    const index = new SlipIndex()
    this.#each((word, pair) => { if (!pair) index.add(word) })
    return index
  }

  #indexPhones(): SoundIndex {
    const index = new SoundIndex()
    this.#each((word, pair) => {
      const phones = phonesOf(pair ?? [word])
      if (phones !== undefined) index.add(word, phones)
    })
    return index
  }

  #group(keyOf: (word: string) => string | undefined): ReadonlyMap<string, readonly string[]> {
    const groups = new Map<string, string[]>()
    this.#each(word => {
      const key = keyOf(word)
      if (key === undefined) return
      const known = groups.get(key)
      if (known) known.push(word)
      else groups.set(key, [word])
    })
    return groups
  }
}
