/** Other ways to build the same request of the same words: the dative and the genitive turned round, a message or a place named first, verbs left to an "on" or "off". */
import type { Element, SlotElement } from './elements.ts'
import { kindsOf } from './kinds.ts'
import { isWord, may, split, stop, the, word, type Draft } from './orders.ts'
import { hintedType } from './slot-types.ts'
import { PREPOSITION } from './words/classes.ts'

/** Verbs with a receiver: "send Ann the list" is "send the list to Ann". */
const DATIVE = /^(?:give|send|lend|pay|hand|show|offer|mail|email|bring|issue|award|pass|sell|read|forward|grant|post|serve|wire|transfer|loan|ship|fax|text|teach|allot)$/
const back: Element = { kind: 'back', must: true }
const to = word('to')

const isDet = (element: Element | undefined): boolean => element?.kind === 'word' && element.det !== undefined
const isPlain = (element: Element | undefined): boolean => element?.kind === 'word' && element.det === undefined && !PREPOSITION.has(element.word)
/** A slot for a name, and not for a time or a number. */
const isNamed = (element: Element | undefined): element is SlotElement => element?.kind === 'slot' && !element.clausal && element.slot.type === undefined && hintedType(element.slot.name) === undefined && !element.modifier
/** What may be said of something without saying of what kind it is. */
const freed = (element: SlotElement): SlotElement => ({ ...element, identifier: false, modifier: false })

/** "send {harbour} our arrival time": to whom may come after what, or before all. */
function dative(elements: readonly Element[]): Draft[] {
  const [verb, receiver, ...object] = elements
  if (verb?.kind !== 'word' || !DATIVE.test(verb.word)) return []
  if (isNamed(receiver) && !receiver.possessive && object.length > 0 && !object.some(element => isWord(element, PREPOSITION) && !isWord(element, OF)) && object.some(isPlain)) {
    return [
      { elements: [verb, ...object, to, receiver], how: 'to whom last', paraphrase: false },
      { elements: [to, receiver, may, verb, ...object], how: 'place first', paraphrase: false },
      { elements: [...object, may, verb, back, to, receiver], how: 'object first', paraphrase: false },
    ]
  }
  const last = elements.at(-1)
  const what = elements.slice(1, -2)
  const whom = isWord(elements.at(-2), TO) && isNamed(last) ? last : undefined
  return whom && what.length > 1 && isDet(what[0]) && !what.some(element => isWord(element, PREPOSITION)) ? [{ elements: [verb, freed(whom), ...what], how: 'to whom first', paraphrase: false }] : []
}

const TO: ReadonlySet<string> = new Set(['to'])
const OF: ReadonlySet<string> = new Set(['of'])
/** Prepositions of whose it is. */
const OWNS: ReadonlySet<string> = new Set(['of', 'for', 'with', 'from', 'on'])

/** "delete the thread with {person}": "delete Ann's thread", "Ann's thread, delete it". */
function genitive(elements: readonly Element[]): Draft[] {
  const parts = split(elements)
  if (!parts || parts.verb.length > 1) return []
  const { verb, particle, object, rest } = parts
  const [link, owner, ...more] = rest
  const nouns = isDet(object[0]) ? object.slice(1) : object
  if (isWord(link, OWNS) && isNamed(owner) && nouns.length > 0 && nouns.every(isPlain) && !(isDet(object[0]) && object[0]?.kind === 'word' && object[0].det === 'indefinite') && (more.length === 0 || isWord(more[0], PREPOSITION))) {
    const whose: Element = { ...freed(owner), possessive: true }
    return [
      { elements: [...verb, ...particle, whose, ...nouns, ...more], how: 'whose it is', paraphrase: false },
      { elements: [{ ...whose, opens: true }, ...nouns, may, ...verb, back, ...particle, ...more], how: 'object first', paraphrase: false },
    ]
  }
  return []
}

/** "tell housekeeping {text}", "note in the lab book that {text}": who is told, and where it is written, may come first. */
function message(elements: readonly Element[]): Draft[] {
  const [verb, ...between] = elements.slice(0, -1)
  const text = elements.at(-1)
  if (verb?.kind !== 'word' || text?.kind !== 'slot' || !text.clausal || between.length === 0) return []
  const link = between.at(-1)
  const that = link?.kind === 'word' && /^(?:that|saying|with|as)$/.test(link.word) ? [link] : []
  const place = between.slice(0, between.length - that.length)
  const [first, ...named] = place
  if (isWord(first, PREPOSITION)) {
    if (named.length === 0) return []
    const told: Draft[] = [{ elements: [...place, may, verb, ...that, text], how: 'place first', paraphrase: false }, { elements: [...named, stop, verb, ...that, text], how: 'place first', paraphrase: false }]
    return isPlain(named[0]) ? [...told, { elements: [first as Element, the, ...named, may, verb, ...that, text], how: 'place first', paraphrase: false }] : told
  }
  if (place.length === 0 || place.some(element => isWord(element, PREPOSITION)) || first?.kind === 'slot' && place.length > 1) return []
  return [{ elements: [...place, may, verb, back, ...that, text], how: 'object first', paraphrase: false }, { elements: [to, ...place, may, verb, back, ...that, text], how: 'place first', paraphrase: false }]
}

/** "stand 88, send the bus there"; "{room}, ..."; "of kale, log 9 bundles". */
function places(elements: readonly Element[]): Draft[] {
  const parts = split(elements)
  if (!parts) return []
  const { verb, particle, object, rest } = parts
  const [link, ...of] = rest
  if (!isWord(link, PREPOSITION) || of.length === 0 || of.some(element => isWord(element, PREPOSITION) || element.kind === 'slot' && element.clausal)) return []
  if (isWord(link, OF)) return [{ elements: [...of, may, ...verb, ...particle, ...object], how: 'object first', paraphrase: false }]
  const there: Draft = { elements: [...of, may, ...verb, ...particle, ...object, word('there')], how: 'place first', paraphrase: false }
  // "Ann, send the list" speaks to Ann.
  return of[0]?.kind === 'slot' ? [there] : [there, { elements: [...of, stop, ...verb, ...particle, ...object], how: 'place first', paraphrase: false }]
}

/** "Frangelico, remove from the bar", "kafka: silence": the object stands before a pause, and nothing points back at it. */
function paused(elements: readonly Element[]): Draft[] {
  const parts = split(elements)
  const [object] = parts?.object ?? []
  if (!parts || parts.object.length !== 1 || object?.kind !== 'slot' || object.clausal || parts.verb.length > 1) return []
  const opening: Element = { ...object, opens: true, identifier: false }
  if (parts.rest.length > 0 && parts.rest.some(isPlain)) return [{ elements: [opening, stop, ...parts.verb, ...parts.particle, ...parts.rest], how: 'object first', paraphrase: false }]
  return parts.rest.length > 0 ? [] : [{ elements: [opening, { kind: 'pause', must: true }, ...parts.verb, ...parts.particle], how: 'object first', paraphrase: false }]
}

/** "mark it delivered": "delivered, mark it". */
function result(elements: readonly Element[]): Draft[] {
  const [verb, it, ...state] = elements
  if (verb?.kind !== 'word' || it?.kind !== 'word' || !/^(?:it|me|us|this)$/.test(it.word) || state.length === 0 || !state.every(element => element.kind === 'word')) return []
  return [{ elements: [...state, stop, verb, it], how: 'object first', paraphrase: false }]
}

/** "kettle on", "pump off": "the pump, off", "on: gas", "kettle, put it on", "turn the kettle on". */
function switched(elements: readonly Element[]): Draft[] {
  const particle = elements.at(-1)
  const nouns = elements.slice(0, -1)
  if (particle?.kind !== 'word' || !/^(?:on|off)$/.test(particle.word) || nouns.length === 0 || nouns.length > 3 || !nouns.every(isPlain)) return []
  const noun = nouns.at(-1)
  if (noun?.kind !== 'word' || kindsOf(noun.word) === undefined) return []
  const object = [the, ...nouns]
  return [
    { elements: [...object, stop, particle], how: 'object first', paraphrase: false },
    { elements: [particle, stop, ...object], how: 'place first', paraphrase: false },
    ...['put', 'turn', 'switch'].flatMap((verb): Draft[] => [
      { elements: [...object, may, word(verb), back, particle], how: 'object first', paraphrase: false },
      { elements: [{ kind: 'word', word: verb, head: true }, ...object, particle], how: 'with its verb', paraphrase: true },
      { elements: [{ kind: 'word', word: verb, head: true }, particle, ...object], how: 'with its verb', paraphrase: true },
    ]),
  ]
}

export function alternations(elements: readonly Element[]): Draft[] {
  return [dative, genitive, message, places, paused, result, switched].flatMap(build => build(elements))
}
