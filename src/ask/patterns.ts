/** Turns a trigger phrase into the word patterns that ask for it: as written, and in the orders that people say it in. */
import type { Phrase } from '../types.ts'
import { alternations } from './alternations.ts'
import { elementsOf, type Element } from './elements.ts'
import { orders, split, type Draft } from './orders.ts'
import { ARTICLES, PARTICLE, PREPOSITION } from './words/classes.ts'
import { SYNONYMS } from './words/thesaurus.ts'

export type { Element, SlotElement } from './elements.ts'

export interface Pattern {
  readonly route: string
  readonly phrase: Phrase
  readonly elements: readonly Element[]
  /** `as written`, `object first`, ... */
  readonly how: string
  readonly paraphrase: boolean
  /** The form of its verb: `get the door locked` has `ed`. */
  readonly form?: 'ed' | 'ing'
  /** Words that a text must hold (after slips) before this pattern is tried. */
  readonly needs: readonly string[]
  /** Words that are neither article nor preposition: how much the trigger says. */
  readonly content: number
  /** One verb and an open slot: fires only on a clean object. */
  readonly bare: boolean
}

/** The verb, with its particle if it has one, replaced by others that mean the same of the same object. */
function paraphrases(elements: readonly Element[]): Draft[] {
  const drafts: Draft[] = []
  const lead = elements.slice(0, 4)
  for (let length = Math.min(4, lead.length - 1); length >= 1; length--) {
    const taken = lead.slice(0, length)
    if (!taken.every(element => element.kind === 'word')) continue
    const verb = taken.map(element => element.kind === 'word' ? element.word : '').join(' ')
    const synonyms = SYNONYMS.get(verb)
    if (synonyms) drafts.push({ elements: [{ kind: 'synonym', of: verb, words: synonyms }, ...elements.slice(length)], how: 'another verb', paraphrase: true })
    if (synonyms) break
  }
  const parts = split(elements)
  if (parts && parts.particle.length === 0 && parts.verb[0]?.kind === 'word') {
    const tail = parts.rest[0]
    const verb = parts.verb[0].word
    const withParticle = tail?.kind === 'word' && PARTICLE.has(tail.word) ? `${verb} ${tail.word}` : undefined
    const synonyms = withParticle ? SYNONYMS.get(withParticle) : undefined
    if (withParticle && synonyms) drafts.push({ elements: [{ kind: 'synonym', of: withParticle, words: synonyms }, ...parts.object, ...parts.rest.slice(1)], how: 'another verb', paraphrase: true })
  }
  return drafts
}

const FUNCTION = (word: string): boolean => ARTICLES.has(word) || PREPOSITION.has(word)

function finish(route: string, phrase: Phrase, draft: Draft): Pattern {
  const needs: string[] = []
  let [content, slot, synonym] = [0, false, false]
  for (const element of draft.elements) {
    if (element.kind === 'word' && !element.det) {
      needs.push(element.word)
      if (!FUNCTION(element.word)) content++
    } else if (element.kind === 'slot') slot = true
    else if (element.kind === 'synonym') synonym = true
  }
  if (synonym) content++
  return { route, phrase, elements: draft.elements, how: draft.how, paraphrase: draft.paraphrase, ...(draft.form ? { form: draft.form } : {}), needs, content, bare: content <= 1 && slot }
}

/** The first of a phrase's patterns, for a twentieth of the work. */
export function asWritten(route: string, phrase: Phrase): Pattern {
  return finish(route, phrase, { elements: elementsOf(phrase), how: 'as written', paraphrase: false })
}

/** Every pattern of a phrase, as written first. */
export function patternsOf(route: string, phrase: Phrase): Pattern[] {
  const elements = elementsOf(phrase)
  const drafts: Draft[] = [{ elements, how: 'as written', paraphrase: false }, ...orders(elements), ...alternations(elements), ...paraphrases(elements)]
  return drafts.filter(draft => draft.elements.length > 0).map(draft => finish(route, phrase, draft))
}
