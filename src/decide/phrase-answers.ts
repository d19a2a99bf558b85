/**
 * A phrase word for word: what matcher and reader give of it is found before anybody says it, while nothing else is to do, so that such an event waits for nothing. Both are pure, so it is
 * what they would give then.
 */
import type { AskReader, Matcher } from '../ports.ts'
import type { AskReading, Candidate, Route } from '../types.ts'

export interface PhraseAnswer {
  readonly vector: Float32Array
  readonly candidates: readonly Candidate[]
  readonly reading: AskReading
}

/** Of larger tables only what is said is kept (known.ts): reading a phrase makes patterns of its neighbours, some 16 KB each. */
const MOST_PHRASES = 2000
/** Ms between two phrases, at least, and as a multiple of what the last one took: a tenth of one core at most. */
const PAUSE = { least: 4, times: 9 } as const

export class PhraseAnswers {
  readonly #matcher: Matcher
  readonly #reader: AskReader
  readonly #known = new Map<string, PhraseAnswer>()
  /** Still to be found, the first at the end. */
  readonly #left: string[]
  /** Longer texts are no phrase with a mark: a megabyte of marks must not hold the event loop. */
  readonly #longest: number
  #timer: NodeJS.Timeout | undefined

  constructor(matcher: Matcher, reader: AskReader, routes: Iterable<Route>) {
    this.#matcher = matcher
    this.#reader = reader
    const phrases = [...routes].flatMap(route => route.phrases).filter(({ parts }) => parts.every(part => part.kind === 'text')).map(({ text }) => text)
    this.#left = matcher.vectorOf && phrases.length <= MOST_PHRASES ? [...new Set(phrases)].reverse() : []
    this.#longest = phrases.reduce((longest, text) => Math.max(longest, text.length), 0) + 8
  }

  /** Finds the answers between other work. Keeps no process alive. */
  start(): void {
    this.#after(PAUSE.least)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#left.length = 0
  }

  /** Of a phrase as it stands, or as people and recognisers write it: with a capital first, with marks at the end. The reader reads all of these alike (a test compares them). */
  find(text: string): PhraseAnswer | undefined {
    if (this.#known.size === 0 || text.length > this.#longest) return undefined
    const bare = withoutMarks(text)
    return this.#known.get(bare) ?? this.#known.get(bare.charAt(0).toLowerCase() + bare.slice(1))
  }

  #after(ms: number): void {
    if (this.#left.length === 0) return
    this.#timer = setTimeout(() => {
      const begun = performance.now()
      this.#findNext()
      this.#after(Math.max(PAUSE.least, PAUSE.times * (performance.now() - begun)))
    }, ms).unref()
  }

  #findNext(): void {
    const phrase = this.#left.pop()
    const vector = phrase === undefined ? undefined : this.#matcher.vectorOf?.(phrase)
    if (phrase === undefined || vector === undefined) return
    const candidates = this.#matcher.match(phrase, vector)
    const reading = this.#reader.read(phrase, candidates)
    // What the words alone do not ask for is read with its marks, when it comes.
    if (reading.asks.length > 0) this.#known.set(phrase, { vector, candidates, reading })
  }
}

const MARK = /[.!,\s]/

function withoutMarks(text: string): string {
  let end = text.length
  while (end > 0 && MARK.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
