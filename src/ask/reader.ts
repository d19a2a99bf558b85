/** START HERE. Does a text ask for a route, in words? Reads it clause by clause and says what it read (`gate:explicit`). */
import { conjoined } from './conjoined.ts'
import type { AskReader, BegunReading } from '../ports.ts'
import type { Ask, AskReading, Candidate, Capture, NotAsk, Phrase } from '../types.ts'
import { align, type Alignment, type Reading } from './align.ts'
import { editingTerms } from './corrections.ts'
import { Beginnings, type BreakOff } from './incomplete.ts'
import { beginning, isIn, languageOf } from './languages.ts'
import { Opposites, type Opposite } from './opposites.ts'
import { featuresOf } from './features.ts'
import type { PhraseFeatures } from './phrase-features.ts'
import { MOST_WORDS, offerOf } from './offers.ts'
import { requestsOf, type Request } from './request.ts'
import { PatternIndex } from './index-patterns.ts'
import { judgeAlignment, type Judged, type Scene } from './judge.ts'
import { LatticeBuilder, type Lattice } from './lattice.ts'
import { findMasks, inside } from './mask.ts'
import { NotPhrases, type Said } from './not-phrases.ts'
import type { Pattern } from './patterns.ts'
import { PhraseStore, type AskRoute } from './phrase-store.ts'
import { select } from './select.ts'
import { MAX_MESSAGE, MAX_NAME } from './slot-limits.ts'
import { slotEndsOf } from './slot-ends.ts'
import { isQuantityName, signed } from './slot-types.ts'
import { isTalk } from './plain-talk.ts'
import { ALL_PREFIXES } from './words/prefixes.ts'
import { MAX_TEXT, tokenise, type Token } from './tokens.ts'
import { Vocabulary } from './trigger-words.ts'

export type { AskRoute } from './phrase-store.ts'

/** Bounds the work on one text, whatever it is: aligner steps. */
const BUDGET = 60_000
/** Cosine from which a text in another language is said to be near a route. */
const NEAR = 0.3

/** Words ahead in which the fixed word after an opening slot must come: the longest name or message, wrappers and all. */
const AHEAD = MAX_NAME + 12
const AHEAD_MESSAGE = MAX_MESSAGE + 12

/** After a slot that opens a pattern, does its next fixed word come within reach? */
function comes({ elements }: Pattern, lattice: Lattice, at: number): boolean {
  const next = elements.findIndex(element => element.kind === 'word' && !element.det)
  const word = elements[next]
  if (word?.kind !== 'word') return true
  const after = elements[next + 1]
  const pair = after?.kind === 'word' && !after.det ? word.word + after.word : undefined
  const opening = elements[0]
  const to = Math.min(lattice.length, at + (opening?.kind === 'slot' && opening.clausal ? AHEAD_MESSAGE : AHEAD))
  for (let place = at + 1; place < to; place++) {
    const hits = lattice[place]
    if (hits && hits.size > 0 && (hits.has(word.word) || (pair !== undefined && hits.has(pair)))) return true
  }
  return false
}

/** May the pattern begin at this word? */
function begins(pattern: Pattern, tokens: readonly Token[], lattice: Lattice, at: number): boolean {
  const first = pattern.elements[0]
  switch (first?.kind) {
    case 'word': {
      if (!first.det) {
        const after = pattern.elements[1]
        return lattice[at]?.has(first.word) === true || (after?.kind === 'word' && lattice[at]?.has(first.word + after.word) === true)
      }
      const second = pattern.elements[1]
      return tokens[at]?.norm === first.word || second?.kind === 'slot' || (second?.kind === 'word' && (lattice[at]?.has(second.word) === true || lattice[at + 1]?.has(second.word) === true))
    }
    case 'synonym': return first.words.lengthsAt(tokens, at, tokens.length).length > 0
    // A slot that begins a sentence begins with it: anywhere else it would swallow any words.
    case 'slot': return comes(pattern, lattice, at) && ((tokens[at]?.pause !== 'space' && tokens[at]?.pause !== 'glue') || (pattern.how === 'as written' && ALL_PREFIXES.endingAt(tokens, 0, at).length > 0))
    default: return false
  }
}

function capturesOf(text: string, tokens: readonly Token[], alignment: Alignment): Capture[] {
  return alignment.fills.map(fill => {
    let start = tokens[fill.start]?.start ?? 0
    if (isQuantityName(fill.slot.name) && signed(text, start)) start--
    let end = tokens[fill.end - 1]?.end ?? start
    if (fill.possessive) end -= /['’]s$/i.exec(text.slice(start, end))?.[0].length ?? 0
    // `the "Fjord" blanket`: a quotation that closes within the value opens in it.
    if (/["“«]$/u.test(text.slice(0, start)) && /^[^"“”«»]+["”»]/u.test(text.slice(start, end))) start--
    // "the 2019 (rainy half)": a bracket that opens in the value closes in it.
    if (text[end] === ')' && text.slice(start, end).includes('(')) end++
    return { slot: fill.slot, text: text.slice(start, end), span: { start, end } }
  })
}

/** A reading as far as it goes without candidates. `notAsks`: what the words alone say; `finish` adds to them where nothing is asked for. */
export interface Begun extends BegunReading { readonly notAsks: readonly NotAsk[] }

class Reader implements AskReader {
  readonly #lattice: LatticeBuilder
  readonly #index: PatternIndex
  readonly #beginnings: Beginnings
  readonly #opposites: Opposites
  readonly #not: NotPhrases
  readonly #store: PhraseStore

  constructor(store: PhraseStore, features: PhraseFeatures) {
    this.#store = store
    this.#not = new NotPhrases(store.routes)
    const ids = new Map(features.words.map((word, id) => [word, id]))
    const joined = joinedWordsOf(features)
    this.#index = new PatternIndex(features, store, ids, joined)
    this.#beginnings = new Beginnings(features, store, ids)
    this.#opposites = new Opposites(features, store, ids)
    this.#lattice = new LatticeBuilder(new Vocabulary(features, joined))
  }

  read(text: string, candidates: readonly Candidate[]): AskReading {
    return this.begin(text).finish(candidates)
  }

  begin(text: string): Begun {
    const tokens = text.length > MAX_TEXT ? [] : tokenise(text)
    const never = this.#not.said(text, tokens)
    if (tokens.length === 0) {
      const read = { asks: [], notAsks: this.#barred(never, tokens, []) }
      return { ...read, finish: () => read }
    }
    const masks = findMasks(text)
    const lattice = this.#lattice.build(tokens)
    const edits = editingTerms(tokens)
    const scene: Scene = { text, tokens, masks, edits, own: route => this.#store.own(route), left: new Map(), right: new Map(), before: new Map(), after: new Map() }
    const quotedTo = (at: number): number | undefined => {
      const token = tokens[at]
      const quote = token && masks.quotes.find(span => token.start > span.start && token.start <= span.start + 2 && token.end <= span.end)
      if (!quote) return undefined
      let end = at
      while (end < tokens.length && inside([quote], tokens[end]?.start ?? 0, tokens[end]?.end ?? 0)) end++
      return end
    }
    const reading: Reading = { tokens, lattice, edits, slotEnds: slotEndsOf({ tokens, edits, quotedTo }), budget: { left: BUDGET } }
    const judged: Judged[] = []
    for (const pattern of this.#index.candidates(tokens, lattice)) {
      for (let at = 0; at < tokens.length; at++) {
        if (!begins(pattern, tokens, lattice, at)) continue
        for (const alignment of align(pattern, reading, at)) judged.push(judgeAlignment(alignment, scene))
      }
    }
    return this.#report(text, scene, judged, lattice, never)
  }

  #report(text: string, scene: Scene, judged: readonly Judged[], lattice: Lattice, never: ReadonlyMap<string, Said>): Begun {
    const { tokens } = scene
    const { asks, objected } = select(judged)
    const found: Ask[] = []
    const not: NotAsk[] = []
    for (const item of asks) {
      const { alignment } = item
      const { pattern } = alignment
      const span = { start: tokens[alignment.start]?.start ?? 0, end: tokens[alignment.end - 1]?.end ?? 0 }
      const captures = capturesOf(text, tokens, alignment)
      if (!never.has(pattern.route)) found.push({ kind: 'ask', route: pattern.route, phrase: pattern.phrase, span, captures, steps: item.steps })
    }
    for (const item of objected) {
      const { alignment, objection } = item
      if (!objection || never.has(alignment.pattern.route) || found.some(ask => ask.route === alignment.pattern.route)) continue
      const span = { start: tokens[alignment.start]?.start ?? 0, end: tokens[alignment.end - 1]?.end ?? 0 }
      not.push({ kind: 'not-ask', route: alignment.pattern.route, phrase: alignment.pattern.phrase, reason: objection.reason, why: objection.why, span, offer: objection.reason === 'abstain:similar' && found.length === 0, captures: capturesOf(text, tokens, alignment), steps: item.steps })
    }
    not.push(...this.#barred(never, tokens, asks, new Set(objected.map(item => item.alignment.pattern.route))))
    const requests = found.length === 0 && tokens.length <= MOST_WORDS ? requestsOf(tokens, scene.masks) : []
    const read = { asks: found.sort((a, b) => a.span.start - b.span.start), notAsks: not }
    if (found.length > 0) return { ...read, finish: () => read }
    // Whatever the candidates are: found while they are waited for.
    const broken = this.#beginnings.brokenOff(tokens, lattice)
    const talk = isTalk(text, tokens) ? { talk: true as const } : {}
    const opposite = broken ? undefined : this.#opposites.find(tokens, requests)
    const finish = (candidates: readonly Candidate[]): AskReading => {
      const notAsks = [...not]
      const plain = this.#explain(scene, broken, opposite, notAsks, candidates)
      if (plain?.reason !== 'abstain:incomplete') this.#offer(scene, requests, notAsks, new Set([...never.keys(), ...plain ? [plain.route] : [], ...objected.flatMap(item => item.objection?.firm ? [item.alignment.pattern.route] : [])]), candidates)
      return { asks: read.asks, notAsks, ...talk }
    }
    return { ...read, finish }
  }

  /** Routes whose near miss is said, last: what else was read of the text says more. */
  #barred(never: ReadonlyMap<string, Said>, tokens: readonly Token[], asks: readonly Judged[], objected: ReadonlySet<string> = new Set()): NotAsk[] {
    return [...never].flatMap(([route, { phrase: near, start, end }]): NotAsk[] => {
      const asked = asks.find(item => item.alignment.pattern.route === route)
      const phrase = asked?.alignment.pattern.phrase ?? this.#store.gists(route)?.[0]?.phrase
      if (!phrase) return []
      const span = { start: tokens[start]?.start ?? 0, end: tokens[end - 1]?.end ?? 0 }
      return [{ kind: 'not-ask', route, phrase, reason: 'abstain:not-phrase', why: `says "${near}", which is listed under \`not\``, span, offer: false, captures: [], steps: asked?.steps ?? [], ...asked || objected.has(route) ? {} : { bars: true } }]
    })
  }

  /** Nothing was asked for: does it break off, ask for the opposite, or speak another language? */
  #explain({ tokens }: Scene, broken: BreakOff | undefined, opposite: Opposite | undefined, not: NotAsk[], candidates: readonly Candidate[]): NotAsk | undefined {
    const add = (route: string, phrase: Phrase, reason: string, why: string, from: number, to: number): NotAsk => {
      const known = not.findIndex(item => item.route === route)
      const item: NotAsk = { kind: 'not-ask', route, phrase, reason, why, span: { start: tokens[from]?.start ?? 0, end: tokens[to - 1]?.end ?? 0 }, offer: false, captures: [], steps: [] }
      // What was read of its words already says more, unless it was only doubtful.
      if (known < 0) not.push(item)
      else if (/left-over|other-object|similar/.test(not[known]?.reason ?? '')) not[known] = item
      return item
    }
    if (broken) return add(broken.route, broken.phrase, 'abstain:incomplete', `it breaks off before "${broken.phrase.text}" is complete`, broken.start, tokens.length)
    if (opposite) return add(opposite.gist.route, opposite.gist.phrase, 'abstain:opposite', `it asks for the opposite of "${opposite.gist.phrase.text}"`, opposite.request.start, opposite.request.end)
    const [best] = candidates
    const language = best && best.score >= NEAR ? languageOf(tokens) : undefined
    const gist = best && this.#store.gists(best.route)?.find(item => item.phrase.text === best.phrase) || best && this.#store.gists(best.route)?.[0]
    if (language === undefined || !best || !gist || this.#store.gists(best.route)?.some(item => isIn(language, tokenise(item.phrase.text)))) return undefined
    return add(best.route, gist.phrase, 'abstain:language', `"${beginning(tokens)}" is in ${language}, and no trigger of the route is`, 0, tokens.length)
  }

  /** Nothing was asked for: is it a paraphrase that the owner could be asked about? */
  #offer(scene: Scene, requests: readonly Request[], not: NotAsk[], firm: ReadonlySet<string>, candidates: readonly Candidate[]): void {
    const { tokens } = scene
    if (requests.length === 0) return
    const barred = (route: string): boolean => firm.has(route)
    const offer = offerOf(tokens, requests, candidates, route => this.#store.gists(route), barred)
    if (!offer) return
    const { route, phrase } = offer.gist
    const known = not.findIndex(item => item.route === route)
    if (known >= 0) not[known] = { ...(not[known] as NotAsk), offer: true }
    else not.push({ kind: 'not-ask', route, phrase, reason: 'abstain:similar', why: `a request that is near "${phrase.text}" in meaning (${offer.score.toFixed(2)})`, span: { start: tokens[offer.request.start]?.start ?? 0, end: tokens[offer.request.end - 1]?.end ?? 0 }, offer: true, captures: [], steps: [] })
  }
}

/** Two words written as one -> the two. */
function joinedWordsOf({ words: all, joined }: PhraseFeatures): ReadonlyMap<string, readonly [number, number]> {
  const pairs = new Map<string, readonly [number, number]>()
  for (let at = 0; at < joined.length; at += 2) {
    const pair = [joined[at] as number, joined[at + 1] as number] as const
    pairs.set((all[pair[0]] ?? '') + (all[pair[1]] ?? ''), pair)
  }
  return pairs
}

/**
 * A reader for one table of routes. Pure: what it keeps between two texts changes no answer.
 * @param features of these very phrases, where they are known already; default: they are found, 0.1 ms a phrase
 */
export function createAskReader(routes: Iterable<AskRoute>, features?: PhraseFeatures): AskReader {
  const list = [...routes]
  return conjoined(new Reader(new PhraseStore(list), features ?? featuresOf(list)))
}
