/** The orders in which people say the parts of a request: object first, place first, a particle moved. */
import type { Element } from './elements.ts'
import { hasTag } from './english.ts'
import { hintedType } from './slot-types.ts'
import { PARTICLE, PREPOSITION } from './words/classes.ts'

export const isWord = (element: Element | undefined, set: ReadonlySet<string>): boolean => element?.kind === 'word' && set.has(element.word)

export interface Parts { readonly verb: Element[], readonly particle: Element[], readonly object: Element[], readonly rest: Element[] }

/** "ring {bell} {count} times": how often is no part of what. */
function countFollows(object: readonly Element[], next: Element | undefined): boolean {
  return object[object.length - 1]?.kind === 'slot' && next?.kind === 'slot' && (next.slot.type ?? hintedType(next.slot.name)) === 'number'
}

/** "saying ...", "that ..."; but not "that" in "hide that comment". */
const opensClause = (element: Element | undefined): boolean => element?.kind === 'word' && !element.det && /^(?:saying|that|as)$/.test(element.word)

const AGAIN: ReadonlySet<string> = new Set(['again'])
const FOR_WHOM: ReadonlySet<string> = new Set(['me', 'us'])
/** Verbs that make something what the last word says. */
const RESULT_VERBS = /^(?:make|set|mark|turn|leave|keep|get|paint)$/

/** verb + particle? + object + prepositional rest. The object ends at a preposition that is no part of a slot. */
export function split(elements: readonly Element[]): Parts | undefined {
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
  const again = object.at(-1)
  if (rest.length === 0 && object.length > 1 && isWord(again, AGAIN)) return { verb: [verb, ...whom], particle, object: object.slice(0, -1), rest: [again as Element] }
  if (told?.kind === 'word' && rest.length === 0 && RESULT_VERBS.test(verb.word) && hasTag(told.word, 'Adjective')) return { verb: [verb, ...whom], particle, object: object.slice(0, -1), rest: [told] }
  return object.length === 0 ? undefined : { verb: [verb, ...whom], particle, object, rest }
}

export const the: Element = { kind: 'word', word: 'the', det: 'definite' }
export const may: Element = { kind: 'pause', must: false }
const must: Element = { kind: 'pause', must: true }
/** A comma or a colon. */
export const stop: Element = { kind: 'pause', must: true, comma: true }

export interface Draft { readonly elements: Element[], readonly how: string, readonly paraphrase: boolean, readonly form?: 'ed' | 'ing' }

export const word = (text: string): Element => ({ kind: 'word', word: text })

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

export function orders(elements: readonly Element[]): Draft[] {
  const drafts: Draft[] = []
  const parts = split(elements)
  if (!parts) return placeless(elements)
  const { verb, particle, object, rest } = parts
  const add = (how: string, list: Element[], paraphrase = false, form?: 'ed' | 'ing') => drafts.push(form ? { elements: list, how, paraphrase, form } : { elements: list, how, paraphrase })
  // Triggers in short: "the incident, resolve it" for "resolve incident".
  const first = object[0]
  const front: Element[] = first?.kind === 'word' && first.det === undefined && !PREPOSITION.has(first.word) ? [the, ...object] : object
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
    add('object first', [...front, may, ...verb, back(!named), ...particle, ...rest])
    if (particle.length > 0) add('object first', [...front, may, ...verb, ...particle, back(true), ...rest])
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
