/** A slot that is named for people, places or food is not filled with another kind of thing: "check on {person}" is no "check on the oven". */
import { kindsOf } from './kinds.ts'
import type { Token } from './tokens.ts'
import { lemmas } from './words/verbs.ts'
import { DEFINITE, INDEFINITE, NUMBER_WORDS, POSSESSIVE_OTHER, PREPOSITION, QUANTIFIER } from './words/classes.ts'

/** What a slot of a kind may hold besides: a firm is called, a taxi is let in, the dentist is driven to. */
interface Bounds {
  readonly fits: string
  /** Fits too where it is the noun's most usual kind. */
  readonly leading?: string
  /** Fits too where it is a known one: "the vet" is a place, "a tuner" is none. */
  readonly definite?: string
  /** `a`: only what an indefinite article shows to be described. `the`: any article. `s`: and the plural of a noun. A name may be any word. */
  readonly shown: 'a' | 'the' | 's'
  /** Another noun in the phrase may tell: "the choir lead". */
  readonly compound?: string
}

const PEOPLE: Bounds = { fits: 'pgalsv', shown: 's', compound: 'pg' }
const PLACE: Bounds = { fits: 'lsgov', leading: 'rn', definite: 'p', shown: 'the' }
const BOUNDS: ReadonlyMap<string, Bounds> = new Map<string, Bounds>([
  ['p', PEOPLE],
  ['a', { fits: 'apgf', shown: 'the' }],
  ['l', PLACE], ['s', PLACE],
  ['f', { fits: 'fnabuq', shown: 's' }],
  // What a make or a model is named after may be anything that is not made otherwise.
  ['v', { fits: 'vapgnoqlf', definite: 'iox', shown: 'the' }], ['r', { fits: 'rvsoufnbacqdgl', shown: 'a' }],
  ['u', { fits: 'ufnrboqvs', shown: 'a' }], ['n', { fits: 'nfalsroguqb', shown: 'a' }],
])
/** Words of what is no name of anybody any more, where its last word is another kind of thing: "credit card bill". */
const LONG_NAME = 3
/** Verbs whose place may be one where things are read: a page, an album. */
const PUBLISHING = /^(?:post|share|publish|upload|tweet|blog|put)$/
/** Names of slots that say nothing of what they hold, though their words are nouns of a kind. */
const OPEN = new Set(['item', 'thing', 'object', 'target', 'name', 'title', 'subject', 'unit', 'part', 'piece', 'one', 'what', 'it', 'which', 'kind', 'type', 'label', 'value', 'entity', 'element', 'set', 'group', 'site', 'page', 'account', 'source'])
/** Stand for whatever was spoken of. */
const STAND_IN = new Set(['one', 'ones', 'thing', 'things', 'stuff', 'lot', 'rest', 'other', 'others', 'bit', 'bits', 'same', 'everything', 'everyone', 'everybody', 'anyone', 'all', 'both', 'whatever', 'whoever', 'half'])
const nameOf = (slot: string): string => slot.split(/[_-]|(?<=\p{Ll})(?=\p{Lu})/u).at(-1)?.toLowerCase() ?? ''

/** Words [start, end) without what stands before and behind their noun; empty: no noun can be told. */
function nounPhrase(tokens: readonly Token[], start: number, end: number): readonly Token[] {
  let to = start
  while (to < end && !(to > start && (PREPOSITION.has(tokens[to]?.norm ?? '') || /^(?:that|which|who|and|or)$/.test(tokens[to]?.norm ?? '') || (tokens[to]?.pause !== 'space' && tokens[to]?.pause !== 'glue')))) to++
  return tokens.slice(start, to)
}

/** Where a thing begins and ends. */
const RELATIVE_PLACE = new Set(['start', 'end', 'beginning', 'middle', 'top', 'bottom', 'edge', 'side', 'back', 'front', 'centre', 'center', 'corner', 'head', 'foot', 'rest'])
/** Said behind a noun: "the lady upstairs". */
const TRAILING = new Set(['upstairs', 'downstairs', 'outside', 'inside', 'there', 'here', 'again', 'back', 'now', 'too', 'first', 'please', 'instead', 'today', 'tonight', 'yesterday', 'tomorrow'])

function headOf(phrase: readonly Token[]): string | undefined {
  if (phrase.some(token => STAND_IN.has(token.norm) || token.camel)) return undefined
  let last = phrase.length - 1
  while (last > 0 && (TRAILING.has(phrase[last]?.norm ?? '') || /.{3}ly$/.test(phrase[last]?.norm ?? ''))) last--
  const head = phrase[last]
  return head && /^\p{Ll}+$/u.test(head.norm) && !NUMBER_WORDS.has(head.norm) ? head.norm : undefined
}

/** What a slot may hold, read off its name; undefined: anything. */
export function boundsOf(slot: string): Bounds | undefined {
  const name = nameOf(slot)
  const kinds = OPEN.has(name) ? undefined : kindsOf(name)
  if (kinds === undefined) return undefined
  // "family", "team": people; "meeting" is a group and an event. A dish is eaten, whatever else it is.
  return BOUNDS.get(/^g+$|^g.*p/.test(kinds) ? 'p' : /^r.*f/.test(kinds) ? 'f' : kinds[0] ?? '')
}

function shows(bounds: Bounds, first: string, head: string, described: boolean): boolean {
  if (INDEFINITE.has(first)) return true
  if (bounds.shown === 'a') return false
  if (described || DEFINITE.has(first) || POSSESSIVE_OTHER.has(first) || QUANTIFIER.has(first)) return true
  return bounds.shown === 's' && /[^s]s$/.test(head) && lemmas(head).some(({ word, form }) => form === 's' && kindsOf(word) !== undefined)
}

/**
 * @param own words of the route itself: what they name is what it is about
 * @param described an article of the trigger stands right before the slot
 * @returns the noun that is another kind of thing than the slot is for, or undefined
 */
export function misfit(slot: string, tokens: readonly Token[], start: number, end: number, own: ReadonlySet<string>, described: boolean): string | undefined {
  const bounds = boundsOf(slot)
  if (!bounds || (bounds === PLACE && [...own].some(word => PUBLISHING.test(word)))) return undefined
  const phrase = nounPhrase(tokens, start, end)
  const head = headOf(phrase)
  const opens = start === 0 || tokens[start]?.pause === 'hard'
  const named = phrase.some((token, at) => token.capital && !(opens && at === 0) && (at + 1 >= phrase.length || token.norm === head))
  if (head === undefined || own.has(head) || named) return undefined
  if (!shows(bounds, phrase[0]?.norm ?? '', head, described) && !(bounds === PEOPLE && phrase.length >= LONG_NAME)) return undefined
  const name = (kindsOf(nameOf(slot)) ?? '').replace(/[xitcqm]/g, '')
  const known = INDEFINITE.has(phrase[0]?.norm ?? '') ? '' : bounds.definite ?? ''
  const fits = (noun: string): boolean => {
    const kinds = kindsOf(noun)
    return kinds === undefined || [...kinds].some(kind => bounds.fits.includes(kind) || name.includes(kind)) || known.includes(kinds[0] ?? ' ') || bounds.leading?.includes(kinds[0] ?? ' ') === true
  }
  const { compound } = bounds
  const after = start + phrase.length
  // "credit card bill, task": two things, and no name.
  if (bounds === PEOPLE && after < end && tokens[after]?.pause === 'soft' && phrase.length > 1 && !tokens.slice(start, end).some(token => token.capital)) return head
  const link = tokens[after]?.norm ?? ''
  const other = after + 1 < end ? headOf(nounPhrase(tokens, after + 1, end)) : undefined
  // "the end of the street" is a place, "the end of the song" is none.
  if (link === 'of' && other !== undefined && RELATIVE_PLACE.has(head)) return fits(other) ? undefined : other
  if (fits(head) || (compound !== undefined && phrase.slice(1, -1).some(({ norm }) => compound.includes(kindsOf(norm)?.[0] ?? ' ')))) return undefined
  if (other !== undefined && (link === 'and' || (link === 'of' && /^[qrgm]/.test(kindsOf(head) ?? ''))) && fits(other)) return undefined
  return head
}
