/** The words of all triggers, to be looked up as written, mistyped or misheard. */
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

/** The words of all triggers, ready to be looked up. */
export class Vocabulary {
  readonly #words = new Set<string>()
  readonly #slips = new SlipIndex()
  readonly #bySound = new Map<string, string[]>()
  readonly #byRoughSound = new Map<string, string[]>()
  readonly #byPhones = new SoundIndex()

  /** @param pair the two trigger words that `word` is, written as one: looked up by sound and spelling, not by slip */
  add(word: string, pair?: readonly string[]): void {
    if (this.#words.has(word)) return
    this.#words.add(word)
    if (!/^\p{L}+$/u.test(word)) return
    if (!pair) this.#slips.add(word)
    const phones = phonesOf(pair ?? [word])
    if (phones !== undefined) this.#byPhones.add(word, phones)
    const rough = roughSound(word)
    if (rough.consonants.length >= 2 && word.length >= 3) this.#byRoughSound.set(rough.consonants, [...this.#byRoughSound.get(rough.consonants) ?? [], word])
    const key = soundKey(word)
    if (key.length < 2) return
    const known = this.#bySound.get(key)
    if (known) known.push(word)
    else this.#bySound.set(key, [word])
  }

  has(word: string): boolean {
    return this.#words.has(word)
  }

  /** Words that differ by two letters swapped or by a double letter. */
  typical(word: string): Map<string, number> {
    const found = new Map<string, number>()
    const look = (other: string) => { if (other !== word && this.#words.has(other)) found.set(other, 1) }
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
    return this.#slips.near(word)
  }

  /** Words that a listener may have taken for this one. */
  roughly(word: string): readonly string[] {
    const rough = roughSound(word)
    return (this.#byRoughSound.get(rough.consonants) ?? []).filter(other => rough.consonants.length >= 3 || roughSound(other).vowel === rough.vowel)
  }

  /** Words that are pronounced nearly like these phonemes, with their distance. */
  pronounced(phones: string): Map<string, number> {
    return this.#byPhones.near(phones)
  }

  sounding(word: string): readonly string[] {
    return this.#bySound.get(soundKey(word)) ?? []
  }
}
