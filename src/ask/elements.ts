/** What a trigger phrase consists of: its words, with what they are for it, and its slots, with what they may hold. */
import type { Phrase, Slot } from '../types.ts'
import { DEFINITE, INDEFINITE, META, NUMBER_WORDS, PARTICLE, PREPOSITION, SUBJECT } from './words/classes.ts'
import { lemmas } from './words/verbs.ts'
import { isBaseVerb, isFinite } from './english.ts'
import { kindsOf } from './kinds.ts'
import type { PhraseList } from './phrases-at.ts'
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
  /** A colon that must be there (`must`; `comma`: or a comma), or any pause or none. */
  | { readonly kind: 'pause', readonly must: boolean, readonly comma?: boolean }
  | { readonly kind: 'synonym', readonly of: string, readonly words: PhraseList }
  /** `it` or `them`, for an object that was named before its verb. */
  | { readonly kind: 'back', readonly must: boolean }

export type SlotElement = Extract<Element, { kind: 'slot' }>

/** Words after which a slot holds a message or anybody's name, not the number of a thing. */
const CLAUSE_WORD = new Set(['that', 'saying', 'says', 'say', 'as', 'called', 'named', 'titled', 'caption', 'me', 'us', 'them', 'him', 'her', 'it', 'and', 'or'])

export function elementsOf(phrase: Phrase): Element[] {
  const elements: Element[] = []
  const opening = phrase.parts[0]
  const tellsLast = opening?.kind === 'text' && TELLS.test(words(opening.text)[0] ?? '')
  for (const part of phrase.parts) {
    if (part.kind === 'slot') {
      const previous = elements[elements.length - 1]
      const clausal = part.slot.type === 'rest' || /^(?:message|text|msg|note|body|content|caption|announcement|news|update|notice|notification|news|warning|greeting|apology|remark|response|feedback|description|memo|status|statement|thought|feedback|complaint|observation|answer|fact|issue|comment|reply|reason|question|sentence|entry)$/.test(part.slot.name) && !(part.slot.name === 'status' && previous?.kind === 'word' && /^(?:as|to)$/.test(previous.word))
        || (tellsLast && part === phrase.parts.at(-1) && elements.length > 1 && part.slot.type === undefined && previous?.kind === 'word' && !previous.det && !PREPOSITION.has(previous.word))
        || (previous?.kind === 'word' && (previous.word !== 'that' || phrase.parts[phrase.parts.indexOf(part) + 1]?.kind !== 'text') && ['that', 'saying', 'says', 'say', 'know', 'whether'].includes(previous.word))
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
  return elements.map((element, i) => element.kind === 'slot' ? { ...element, ...around(elements, i, element.clausal) } : element)
}

/** "order more {item}", "start cooking {dish}": what stands before the slot is no noun that it could be the number of. */
const isNoNoun = (word: string): boolean => /^(?:more|another|extra|some|any|all|both|every|each|new|additional|further|again)$/.test(word) || (word.endsWith('ing') && lemmas(word).some(({ word: stem }) => isBaseVerb(stem)))

/** Verbs whose last slot is what somebody is told. */
const TELLS = /^(?:tell|message|text|inform|notify|warn|remind|email|mail|ping|advise|answer|brief|alert)$/

/** "we need {item}", "I spent {amount}", "force quit {app}": a verb that a subject or another verb stands before, and no noun. */
function isVerb(elements: readonly Element[], at: number): boolean {
  const [before, word] = [elements[at - 1], elements[at]]
  if (word?.kind !== 'word' || before?.kind !== 'word') return false
  return (SUBJECT.has(before.word) && (isBaseVerb(word.word) || isFinite(word.word))) || (isBaseVerb(word.word) && kindsOf(word.word) === undefined)
}

function around(elements: readonly Element[], at: number, clausal: boolean): { identifier: boolean, modifier: boolean, opens: boolean, after: string } {
  const [before, after] = [elements[at - 1], elements[at + 1]]
  const noun = !clausal && at > 1 && before?.kind === 'word' && !isNoNoun(before.word) && !before.det && !PREPOSITION.has(before.word) && !PARTICLE.has(before.word) && !isVerb(elements, at - 1) && !CLAUSE_WORD.has(before.word) && !META.has(before.word) && !NUMBER_WORDS.has(before.word) && !isFinite(before.word)
  const modifier = before?.kind === 'word' && before.det !== undefined && after?.kind === 'word' && !PREPOSITION.has(after.word)
  return { identifier: noun, modifier, opens: at === 0, after: before?.kind === 'word' ? before.word : '' }
}
