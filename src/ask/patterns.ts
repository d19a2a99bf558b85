/** Turns a trigger phrase into the word patterns that ask for it: as written, and in the orders that people say it in. */
import type { Phrase, Slot } from '../types.ts'
import { ARTICLES, DEFINITE, INDEFINITE, META, NUMBER_WORDS, PARTICLE, PREPOSITION } from './words/classes.ts'
import { SYNONYMS } from './words/thesaurus.ts'
import { lemmas } from './words/verbs.ts'
import { hasTag, isBaseVerb, isFinite } from './english.ts'
import type { PhraseList } from './phrases-at.ts'
import { hintedType } from './slot-types.ts'
import { words } from './tokens.ts'

export type Element =
  | { readonly kind: 'word', readonly word: string, readonly det?: 'definite' | 'indefinite', readonly head?: boolean }
  | { readonly kind: 'slot', readonly slot: Slot, readonly clausal: boolean, readonly values?: ReadonlySet<string>
    /** Right after a noun: `invoice {number}`. */
    readonly identifier?: boolean
    /** Between a determiner and a noun: `my {card} card`. */
    readonly modifier?: boolean
    /** `{customer}'s`: the value ends before its 's. */
    readonly possessive?: boolean
    /** The trigger begins with it. */
    readonly opens?: boolean
    /** The word before it. */
    readonly after?: string }
  /** A pause that must be there (`must`), or may. */
  | { readonly kind: 'pause', readonly must: boolean }
  | { readonly kind: 'synonym', readonly of: string, readonly words: PhraseList }
  /** `it` or `them`, for an object that was named before its verb. */
  | { readonly kind: 'back', readonly must: boolean }

export type SlotElement = Extract<Element, { kind: 'slot' }>

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

/** Words after which a slot holds a message or anybody's name, not the number of a thing. */
const CLAUSE_WORD = new Set(['that', 'saying', 'says', 'say', 'as', 'called', 'named', 'titled', 'caption', 'me', 'us', 'them', 'him', 'her', 'and', 'or'])

function elementsOf(phrase: Phrase): Element[] {
  const elements: Element[] = []
  const opening = phrase.parts[0]
  const tellsLast = opening?.kind === 'text' && TELLS.test(words(opening.text)[0] ?? '')
  for (const part of phrase.parts) {
    if (part.kind === 'slot') {
      const previous = elements[elements.length - 1]
      const clausal = part.slot.type === 'rest' || /^(?:message|text|msg|note|body|content|caption|announcement|news|update|notice|notification|news|warning|greeting|apology|remark|response|feedback|description|memo|status|statement|thought|feedback|complaint|observation|answer|fact|issue|comment|reply|reason|question|sentence|entry)$/.test(part.slot.name) && !(part.slot.name === 'status' && previous?.kind === 'word' && /^(?:as|to)$/.test(previous.word))
        || (tellsLast && part === phrase.parts.at(-1) && elements.length > 1 && part.slot.type === undefined && previous?.kind === 'word' && !previous.det && !PREPOSITION.has(previous.word))
        || (previous?.kind === 'word' && ['that', 'saying', 'says', 'say', 'know', 'whether'].includes(previous.word))
      // "that" before a slot begins a clause; elsewhere it points.
      if (previous?.kind === 'word' && previous.word === 'that') elements[elements.length - 1] = { kind: 'word', word: 'that' }
      elements.push({ kind: 'slot', slot: part.slot, clausal })
    } else {
      let text = part.text
      const owner = elements[elements.length - 1]
      if (owner?.kind === 'slot' && /^['’]s\b/.test(text)) {
        elements[elements.length - 1] = { ...owner, possessive: true }
        text = text.slice(2)
      }
      for (const word of words(text)) {
        const det = DEFINITE.has(word) ? 'definite' : INDEFINITE.has(word) && word !== 'one' && word !== 'some' ? 'indefinite' : undefined
        elements.push(det ? { kind: 'word', word, det } : { kind: 'word', word })
      }
    }
  }
  const first = elements[0]
  if (first?.kind === 'word') elements[0] = { ...first, head: true }
  return elements.map((element, i) => element.kind === 'slot' ? { ...element, ...around(elements[i - 1], elements[i + 1], i, element.clausal) } : element)
}

/** "order more {item}", "start cooking {dish}": what stands before the slot is no noun that it could be the number of. */
const isNoNoun = (word: string): boolean => /^(?:more|another|extra|some|any|all|both|every|each|new|additional|further|again)$/.test(word) || (word.endsWith('ing') && lemmas(word).some(({ word: stem }) => isBaseVerb(stem)))

/** Verbs whose last slot is what somebody is told. */
const TELLS = /^(?:tell|message|text|inform|notify|warn|remind|email|mail|ping|advise|answer|brief|alert)$/

function around(before: Element | undefined, after: Element | undefined, at: number, clausal: boolean): { identifier: boolean, modifier: boolean, opens: boolean, after: string } {
  const noun = !clausal && at > 1 && before?.kind === 'word' && !isNoNoun(before.word) && !before.det && !PREPOSITION.has(before.word) && !CLAUSE_WORD.has(before.word) && !META.has(before.word) && !NUMBER_WORDS.has(before.word) && !isFinite(before.word)
  const modifier = before?.kind === 'word' && before.det !== undefined && after?.kind === 'word' && !PREPOSITION.has(after.word)
  return { identifier: noun, modifier, opens: at === 0, after: before?.kind === 'word' ? before.word : '' }
}

const isWord = (element: Element | undefined, set: ReadonlySet<string>): boolean => element?.kind === 'word' && set.has(element.word)

interface Parts { readonly verb: Element[], readonly particle: Element[], readonly object: Element[], readonly rest: Element[] }

/** "ring {bell} {count} times": how often is no part of what. */
function countFollows(object: readonly Element[], next: Element | undefined): boolean {
  return object[object.length - 1]?.kind === 'slot' && next?.kind === 'slot' && (next.slot.type ?? hintedType(next.slot.name)) === 'number'
}

/** "saying ...", "that ..."; but not "that" in "hide that comment". */
const opensClause = (element: Element | undefined): boolean => element?.kind === 'word' && !element.det && /^(?:saying|that|as)$/.test(element.word)

const FOR_WHOM: ReadonlySet<string> = new Set(['me', 'us'])
/** Verbs that make something what the last word says. */
const RESULT_VERBS = /^(?:make|set|mark|turn|leave|keep|get|paint)$/

/** verb + particle? + object + prepositional rest. The object ends at a preposition that is no part of a slot. */
function split(elements: readonly Element[]): Parts | undefined {
  const [verb, ...all] = elements
  if (verb?.kind !== 'word') return undefined
  // "make me a coffee": for whom is no part of what.
  const whom = all.length > 1 && isWord(all[0], FOR_WHOM) && !isWord(all[1], PREPOSITION) ? all.slice(0, 1) : []
  const more = all.slice(whom.length)
  let at = 0
  const particle: Element[] = []
  if (isWord(more[0], PARTICLE) && more.length > 1 && !isWord(more[1], PREPOSITION)) particle.push(more[at++] as Element)
  const object: Element[] = []
  while (at < more.length && !isWord(more[at], PREPOSITION) && !(object.length > 0 && isWord(more[at], PARTICLE)) && !countFollows(object, more[at]) && !opensClause(more[at])) object.push(more[at++] as Element)
  // "run the checks again", "make the list public": said of the object, and no part of its name.
  const told = object.length > 2 && object[0]?.kind === 'word' && object[0].det !== undefined && object.every(element => element.kind === 'word') ? object.at(-1) : undefined
  const rest = more.slice(at)
  if (told?.kind === 'word' && rest.length === 0 && (told.word === 'again' || (RESULT_VERBS.test(verb.word) && hasTag(told.word, 'Adjective')))) return { verb: [verb, ...whom], particle, object: object.slice(0, -1), rest: [told] }
  return object.length === 0 ? undefined : { verb: [verb, ...whom], particle, object, rest }
}

const may: Element = { kind: 'pause', must: false }
const must: Element = { kind: 'pause', must: true }

interface Draft { readonly elements: Element[], readonly how: string, readonly paraphrase: boolean, readonly form?: 'ed' | 'ing' }

const word = (text: string): Element => ({ kind: 'word', word: text })

/** "stop at {place} on the way": no object, but places that may come first. */
function placeless(elements: readonly Element[]): Draft[] {
  // "to the night shift, apply", "the delay, claim for it"
  const place = elements.findIndex((element, i) => i > 0 && isWord(element, PREPOSITION) && elements[i + 1] !== undefined && !isWord(elements[i + 1], PREPOSITION))
  const moved: Draft[] = place > 0 && elements[0]?.kind === 'word' ? [
    { elements: [...elements.slice(place), may, ...elements.slice(0, place)], how: 'place first', paraphrase: false },
    { elements: [...elements.slice(place + 1), may, ...elements.slice(0, place + 1), { kind: 'back', must: true }], how: 'object first', paraphrase: false },
  ] : []
  const at = elements.findIndex((element, i) => i > 1 && isWord(element, PREPOSITION) && !isWord(elements[i - 1], PREPOSITION))
  // "those guests, look after them"
  const slot = elements[2]
  const fronted: Draft[] = isWord(elements[1], PREPOSITION) && slot?.kind === 'slot' && elements[0]?.kind === 'word' ? [{ elements: [slot, may, ...elements.slice(0, 2), { kind: 'back', must: true }, ...elements.slice(3)], how: 'object first', paraphrase: false }] : []
  if (at < 0 || elements[0]?.kind !== 'word') return [...fronted, ...moved]
  return [...fronted, ...moved, { elements: [...elements.slice(at), may, ...elements.slice(0, at)], how: 'place first', paraphrase: false }]
}

function orders(elements: readonly Element[]): Draft[] {
  const drafts: Draft[] = []
  const parts = split(elements)
  if (!parts) return placeless(elements)
  const { verb, particle, object, rest } = parts
  const add = (how: string, list: Element[], paraphrase = false, form?: 'ed' | 'ing') => drafts.push(form ? { elements: list, how, paraphrase, form } : { elements: list, how, paraphrase })
  const named = object.some(element => element.kind === 'word' && element.det === undefined)
  const back = (needed: boolean): Element => ({ kind: 'back', must: needed })
  if (object[0]?.kind === 'word' && object[0].det === 'definite' && named) {
    add('object last', [...verb, back(true), ...particle, ...rest, may, ...object])
    if (rest.length > 0 && !isWord(rest[0], PARTICLE)) add('place before object', [...verb, ...particle, ...rest, ...object])
  }
  if (particle.length > 0) add('particle moved', [...verb, ...object, ...particle, ...rest])
  const tail = rest[0]
  if (particle.length === 0 && tail?.kind === 'word' && PARTICLE.has(tail.word) && rest.length >= 1) add('particle moved', [...verb, tail, ...object, ...rest.slice(1)])
  if (object[0]?.kind === 'word' && object[0].det !== 'indefinite' || object[0]?.kind === 'slot') {
    add('object first', [...object, may, ...verb, back(!named), ...particle, ...rest])
    if (particle.length > 0) add('object first', [...object, may, ...verb, ...particle, back(true), ...rest])
  }
  if (object[0]?.kind === 'word' && object[0].det === 'indefinite') add('object first', [...object, may, ...verb, back(true), ...particle, ...rest])
  // "Ann, mark her absent": what is said of the object stays with the verb.
  if (object[0]?.kind === 'slot' && object.length > 1) add('object first', [object[0], may, ...verb, ...particle, back(true), ...object.slice(1), ...rest])
  const core = isWord(rest[0], PARTICLE) && isWord(rest[1], PREPOSITION) ? rest.slice(0, 1) : []
  const place = rest.slice(core.length)
  if (isWord(place[0], PREPOSITION) && (core.length > 0 || !(place.length === 1 && isWord(place[0], PARTICLE)))) {
    add('place first', [...place, may, ...verb, ...particle, ...object, ...core])
    if (core.length > 0) add('place first', [...place, may, ...verb, ...core, ...object])
    add('object first', [...object, may, ...place, may, ...verb, back(true), ...particle, ...core])
    if (object[0]?.kind === 'word') add('place first', [...place, may, ...object, may, ...verb, back(true), ...particle, ...core])
    add('place before object', [...verb, ...particle, ...core, ...place, must, ...object])
    add('object first', [...object, ...place, may, ...verb, back(true), ...particle, ...core])
  }
  const firstRest = rest.findIndex((element, i) => i > 0 && isWord(element, PREPOSITION) && !isWord(rest[i - 1], PREPOSITION))
  if (firstRest > 0) {
    const [a, b] = [rest.slice(0, firstRest), rest.slice(firstRest)]
    add('places swapped', [...verb, ...particle, ...object, ...b, ...a])
    add('place first', [...b, may, ...verb, ...particle, ...object, ...a])
    add('place first', [...a, may, ...verb, ...particle, ...object, ...b])
  }
  // "my cv, take the gap year off it", "room six, add a breakfast to it": the place is named first, and pointed back at.
  const governs = rest.findIndex((element, i) => isWord(element, PREPOSITION) && rest[i + 1] !== undefined && !isWord(rest[i + 1], PREPOSITION))
  if (governs >= 0 && (object.length > 0)) {
    const [before, of] = [rest.slice(0, governs + 1), rest.slice(governs + 1)]
    add('object first', [...of, may, ...verb, ...particle, ...object, ...before, back(true)])
    if (governs > 0) add('place first', [...rest, may, ...verb, ...particle, ...object])
  }
  if (firstRest > 0) {
    const [a, b] = [rest.slice(0, firstRest), rest.slice(firstRest)]
    if (object[0]?.kind === 'slot' || object[0]?.kind === 'word' && object[0].det !== 'indefinite') add('object first', [...object, ...b, may, ...verb, back(true), ...particle, ...a])
  }
  // "4 quid, tip the driver"
  const ending = object[object.length - 1]
  if (rest.length === 0 && ending?.kind === 'slot' && !ending.clausal && object.length > 1 && object[0]?.kind === 'word' && object[0].det) add('object first', [ending, may, ...verb, ...particle, ...object.slice(0, -1)])
  const last = elements[elements.length - 1]
  if (last?.kind === 'slot' && rest.length > 1) add('object first', [last, may, ...elements.slice(0, -1), back(true)])
  if (named && particle.length === 0) {
    for (const get of ['get', 'have', 'want', 'need', 'like']) add(`${get} it done`, [word(get), ...object, ...verb, ...rest], true, 'ed')
    add('make sure it is done', [word('make'), word('sure'), ...object, word('gets'), ...verb, ...rest], true, 'ed')
    add('make sure it is done', [word('make'), word('sure'), ...object, word('is'), ...verb, ...rest], true, 'ed')
  }
  return drafts
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
  const drafts: Draft[] = [{ elements, how: 'as written', paraphrase: false }, ...orders(elements), ...paraphrases(elements)]
  return drafts.filter(draft => draft.elements.length > 0).map(draft => finish(route, phrase, draft))
}
