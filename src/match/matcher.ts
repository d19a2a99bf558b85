/** Which route's trigger phrases come nearest to a text: equal after normalisation first, then by cosine. */
import { UsherError } from '../errors.ts'
import type { Embedder, Matcher } from '../ports.ts'
import type { Candidate } from '../types.ts'
import { normalise } from '../util/text.ts'
import { textId } from './files.ts'
import { openHnsw } from './hnsw-store.ts'
import type { PhraseIndex } from './phrase-index.ts'
import { phraseWords } from './phrase-words.ts'
import { ScanIndex } from './scan.ts'
import { VectorStore } from './vectors.ts'

export interface RoutePhrase {
  readonly route: string
  /** As people read it, slots as `{name}`. */
  readonly text: string
}

export interface MatcherOptions {
  /** Folder for the trigger vectors and the index, made when needed; without it every start embeds anew. */
  readonly cacheDir?: string
  /** Tables of fewer phrases are scanned; default 50,000: up to there the graph is hardly faster and may miss. */
  readonly exactBelow?: number
  /** Told after each phrase that had to be embedded. */
  readonly onProgress?: (done: number, total: number) => void
}

/** Of any table: white space and invisible characters around a phrase are still that phrase. */
const LONG = 4096
/** Measured: see the curve in bench/RESULTS-speed.md. */
const EXACT_BELOW = 50_000
/** Routes that match() gives back unless it is told. */
const ROUTES = 8
/** Phrases looked at for each route that is wanted, before looking wider: as many as a route has, within these. A second scan costs more than a wider one. */
const PHRASES_A_ROUTE = { least: 4, most: 16 } as const

class PhraseMatcher implements Matcher {
  readonly #phrases: readonly RoutePhrase[]
  readonly #index: PhraseIndex
  /** Normalised phrase -> its places. Phrases with slots are none: their text is not what anybody says. */
  readonly #exact = new Map<string, number[]>()
  readonly #routes: number
  readonly #phrasesARoute: number
  /** Texts longer than this are no phrase: normalising a megabyte would hold the event loop for nothing. */
  readonly #longest: number

  constructor(phrases: readonly RoutePhrase[], index: PhraseIndex) {
    this.#phrases = phrases
    this.#index = index
    this.#longest = phrases.reduce((longest, { text }) => Math.max(longest, text.length * 8), LONG)
    this.#routes = new Set(phrases.map(phrase => phrase.route)).size
    this.#phrasesARoute = Math.min(PHRASES_A_ROUTE.most, Math.max(PHRASES_A_ROUTE.least, Math.ceil(phrases.length / Math.max(1, this.#routes))))
    phrases.forEach(({ text }, place) => {
      if (text.includes('{')) return
      const key = normalise(text)
      const places = this.#exact.get(key)
      if (places) places.push(place)
      else this.#exact.set(key, [place])
    })
  }

  #places(text: string): readonly number[] {
    return text.length > this.#longest ? [] : this.#exact.get(normalise(text)) ?? []
  }

  vectorOf(text: string): Float32Array | undefined {
    const place = this.#places(text)[0]
    return place === undefined ? undefined : this.#index.vector(place)
  }

  match(text: string, vector: Float32Array, k: number = ROUTES): readonly Candidate[] {
    const best = new Map<string, Candidate>()
    for (const place of this.#places(text)) {
      const phrase = this.#phrases[place] as RoutePhrase
      if (!best.has(phrase.route)) best.set(phrase.route, { route: phrase.route, phrase: phrase.text, score: 1, exact: true })
    }
    const wanted = Math.min(k, this.#routes)
    for (let width = Math.max(wanted * this.#phrasesARoute, this.#index.width ?? 0); ; width *= 4) {
      const found = this.#index.search(vector, width)
      for (const { key, score } of found) {
        const phrase = this.#phrases[key] as RoutePhrase
        const before = best.get(phrase.route)
        if (!before || (!before.exact && score > before.score)) {
          best.set(phrase.route, { route: phrase.route, phrase: phrase.text, score: Math.max(-1, Math.min(1, score)), exact: false })
        }
      }
      if (best.size >= wanted || found.length >= this.#index.size || width >= this.#index.size) break
    }
    return [...best.values()].sort((a, b) => Number(b.exact) - Number(a.exact) || b.score - a.score).slice(0, Math.max(0, k))
  }
}

/**
 * Embeds the phrases (or takes their vectors from the cache) and indexes them.
 * Rejects with EMBED_FAILED, MODEL_MISSING or MODEL_CHANGED where the encoder does: without vectors there is no matcher.
 */
export async function buildMatcher(phrases: readonly RoutePhrase[], embedder: Embedder, options: MatcherOptions = {}): Promise<Matcher> {
  const { cacheDir, exactBelow = EXACT_BELOW, onProgress } = options
  if (!Number.isSafeInteger(exactBelow) || exactBelow < 0) throw new UsherError('BAD_OPTION', `exactBelow must be a whole number from 0, got ${String(exactBelow)}`)
  const { id: encoder, dimension } = embedder
  const texts = phrases.map(phrase => phraseWords(phrase.text))
  const vectorsOf = async (wanted: readonly string[]): Promise<Float32Array[]> => {
    const store = await VectorStore.open(cacheDir, encoder, dimension)
    return await store.vectors(wanted, async text => (await embedder.embed(text)).vector, onProgress)
  }
  const index = phrases.length < exactBelow
    ? await ScanIndex.build(await vectorsOf(texts), dimension)
    : await openHnsw({ dir: cacheDir, encoder, dimension, ids: texts.map(textId), vectorsOf: keys => vectorsOf(keys.map(key => texts[key] as string)) })
  return new PhraseMatcher(phrases, index)
}
