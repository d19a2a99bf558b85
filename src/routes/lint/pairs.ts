/** Rules about two routes: sentences that are told apart by too little. */
import { quoted } from '../../util/mask.ts'
import { finding, type Finding } from '../finding.ts'
import type { LintContext, Sentence } from './context.ts'
import { DEFINITE, FUNCTION_WORDS, INDEFINITE, SMALL_WORDS } from './words.ts'

/** Above this two sentences of different routes count as near duplicates, whatever the encoder. */
const NEAR_DUPLICATE = 0.95
/** Comparing all with all beyond this takes long; sentences of the largest tables are sampled by trigger. */
const MAX_COMPARED = 3000

/** The same words but for articles, politeness, particles, number and order. */
export function nearDuplicates({ sentences }: LintContext): Finding[] {
  return clashes(sentences, sentence => sentence.content.length === 0 ? undefined : bagOf(sentence))
    .filter(([a, b]) => !articleClash(a, b))
    .map(([a, b]) => finding('warning', 'near-duplicate', b.route, `${quoted(b.phrase.text)} differs only in small words or their order from ${quoted(a.phrase.text)} of route ${JSON.stringify(a.route.name)}, so people will mix them up; name the thing that tells the two apart`, b.phrase.line))
}

/** "open a ticket" makes a new one, "open the ticket" shows one: one small word, heard badly or left out, decides. */
export function articleClashes({ sentences }: LintContext): Finding[] {
  return clashes(sentences, sentence => articlesOf(sentence) === '' ? undefined : articlesDropped(sentence))
    .filter(([a, b]) => articleClash(a, b))
    .map(([a, b]) => finding('warning', 'article-clash', b.route, `${quoted(b.phrase.text)} and ${quoted(a.phrase.text)} of route ${JSON.stringify(a.route.name)} differ only in a definite or indefinite word, which speech often swallows; use another verb in one of them ("create a ...", "show the ...")`, b.phrase.line))
}

/** With a similarity: nearer to a phrase of another route than to any other of its own. */
export function nearerToAnother(context: LintContext): Finding[] {
  const { score, sentences } = context
  if (!score) return []
  const compared = sentences.length <= MAX_COMPARED ? sentences : sampled(sentences)
  return compared.flatMap(sentence => {
    const { route, phrase } = sentence
    let own = -1
    let other: { readonly sentence: Sentence, readonly score: number } | undefined
    for (const candidate of compared) {
      if (candidate === sentence) continue
      const similarity = score(phrase.text, candidate.phrase.text)
      if (candidate.route === route) own = Math.max(own, similarity)
      else if (!other || similarity > other.score) other = { sentence: candidate, score: similarity }
    }
    return other ? nearerFinding(sentence, own, other) : []
  })
}

function nearerFinding({ route, phrase }: Sentence, own: number, other: { readonly sentence: Sentence, readonly score: number }): Finding[] {
  const there = `${quoted(other.sentence.phrase.text)} of route ${JSON.stringify(other.sentence.route.name)}`
  if (other.score >= NEAR_DUPLICATE) return [finding('warning', 'near-duplicate', route, `${quoted(phrase.text)} means nearly the same as ${there} (${other.score.toFixed(2)}), so the margin of ${route.margin} will stop both; word one of them differently, or make them one route`, phrase.line)]
  // Without a second phrase of its own there is nothing to compare with, unless the other is near enough to match.
  if (own < 0 ? other.score < Math.max(route.threshold, 0.8) : other.score <= own || other.score < route.threshold) return []
  return [finding('warning', 'nearer-to-another', route, `${quoted(phrase.text)} is nearer to ${there} (${other.score.toFixed(2)}) than to any other phrase of its own route${own < 0 ? '' : ` (${own.toFixed(2)})`}; add phrases that are like it, or list the other's words under \`not\``, phrase.line)]
}

/** One sentence of each trigger, at most as many as can be compared. */
function sampled(sentences: readonly Sentence[]): readonly Sentence[] {
  const byTrigger = new Map(sentences.map(sentence => [`${sentence.route.name}\n${sentence.phrase.template}`, sentence]))
  return [...byTrigger.values()].slice(0, MAX_COMPARED)
}

/** Pairs of sentences of different routes with one key; the first pair of each two triggers. */
function clashes(sentences: readonly Sentence[], keyOf: (sentence: Sentence) => string | undefined): (readonly [Sentence, Sentence])[] {
  const byKey = new Map<string, Sentence[]>()
  const pairs = new Map<string, readonly [Sentence, Sentence]>()
  for (const sentence of sentences) {
    const key = keyOf(sentence)
    if (key === undefined) continue
    const before = byKey.get(key) ?? []
    for (const other of before) {
      if (other.route === sentence.route) continue
      const pair = JSON.stringify([other.route.name, sentence.route.name, other.phrase.template, sentence.phrase.template])
      if (!pairs.has(pair)) pairs.set(pair, [other, sentence])
    }
    // A few of each route are enough to show the clash, and keep the work linear.
    if (before.filter(({ route }) => route === sentence.route).length < 2) byKey.set(key, [...before, sentence])
  }
  return [...pairs.values()]
}

/** Plural and tense off, roughly; only ever to find what looks alike. */
function stem(word: string): string {
  if (word.length > 5 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 4 && word.endsWith('ing')) return word.slice(0, -3)
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

/** The words that tell sentences apart (particles do: on and off, in and out), in no order. */
function bagOf({ words, phrase }: Sentence): string {
  return words.filter(word => !SMALL_WORDS.has(word)).map(stem).sort().concat(slotSigns(phrase.parts)).join(' ')
}

function slotSigns(parts: Sentence['phrase']['parts']): string[] {
  return parts.flatMap(part => part.kind === 'slot' ? [`{${part.slot.type ?? part.slot.list ?? ''}}`] : []).sort()
}

function articlesDropped({ words, phrase }: Sentence): string {
  return [...words.filter(word => !DEFINITE.has(word) && !INDEFINITE.has(word)), ...slotSigns(phrase.parts)].join(' ')
}

function articlesOf({ words }: Sentence): string {
  return words.flatMap(word => DEFINITE.has(word) ? ['the'] : INDEFINITE.has(word) ? ['a'] : []).join(' ')
}

function articleClash(a: Sentence, b: Sentence): boolean {
  return articlesDropped(a) === articlesDropped(b) && articlesOf(a) !== articlesOf(b) && articlesOf(a) !== '' && articlesOf(b) !== ''
}

/** An open slot of one route that takes in a fixed sentence of another: "play {x}" and "play the news". */
export function coveredBySlot({ sentences }: LintContext): Finding[] {
  const openings = new Map<string, Sentence[]>()
  for (const sentence of sentences) {
    const opening = openingOf(sentence)
    if (opening) openings.set(opening, [...openings.get(opening) ?? [], sentence].slice(0, 4))
  }
  const found = new Map<string, Finding>()
  for (const { route, phrase, words, hasSlot } of sentences) {
    if (hasSlot) continue
    for (let length = 1; length < words.length; length++) {
      for (const wide of openings.get(words.slice(0, length).join(' ')) ?? []) {
        const key = JSON.stringify([wide.route.name, route.name, wide.phrase.template, phrase.template])
        if (wide.route === route || found.has(key)) continue
        found.set(key, finding('info', 'covered-by-slot', route, `${quoted(phrase.text)} also fits ${quoted(wide.phrase.text)} of route ${JSON.stringify(wide.route.name)}; give that slot a list or a type, or name this sentence under its \`not\``, phrase.line))
      }
    }
  }
  return [...found.values()]
}

/** The words before an open slot that ends the sentence. */
function openingOf({ phrase, words }: Sentence): string | undefined {
  const last = phrase.parts[phrase.parts.length - 1]
  const isEnd = phrase.parts.length === 2 && last?.kind === 'slot' && last.slot.list === undefined && (last.slot.type === undefined || last.slot.type === 'rest')
  return isEnd && words.some(word => !FUNCTION_WORDS.has(word)) ? words.join(' ') : undefined
}
