/** Where the words of a slot can end, and what a slot refuses to hold. */
import { inDictionary } from './dictionary.ts'
import { hasTag, isBaseVerb, isFinite, isWord } from './english.ts'
import { kindsOf } from './kinds.ts'
import type { SlotElement } from './patterns.ts'
import { MAX_MESSAGE, MAX_NAME, WH_EVER, limitOf, trimmed } from './slot-limits.ts'
import { fitsType, hintedType, isAmount, isMeasure, isMeasured, isPersonName, isQuantityName, mayBePerson, quantity } from './slot-types.ts'
import { conditionAt, timeAhead, wholeTime } from './times.ts'
import type { Token } from './tokens.ts'
import { ARTICLES, AUX, BARE_SUBJECT, INSIDE_PHRASES, NEGATION, NO_ONE, NUMBER_WORDS, PARTICLE, PREPOSITION, SUBJECT } from './words/classes.ts'
import { PREFIX_LIST } from './words/prefixes.ts'
import { PhraseList } from './phrases-at.ts'
import { STRONG_RETRACTIONS } from './words/retractions.ts'
import { lemmas } from './words/verbs.ts'

export type SlotEnds = (slot: SlotElement, at: number, last: boolean, may: (end: number) => boolean) => readonly number[]

const PRONOUN = new Set(['me', 'you', 'it', 'him', 'her', 'them', 'us', 'myself', 'yourself', 'this', 'that', 'these', 'those', 'i', 'we', 'he', 'she', 'they'])
const NOT_FIRST = new Set(['not', 'to', 'and', 'or', 'but', 'is', 'are', 'was', 'be', 'by', 'of', 'than', 'as', 'if', 'when', 'because', 'through', 'into', 'onto', 'against', 'about', 'between', 'up', 'down', 'off', 'out', 'away', 'back', 'over', 'with', 'without', 'from', 'for', 'until', 'there', 'here', 'very', 'too', 'so', 'then', 'please', 'how', 'why', 'where', 'whether', 'at', 'on', 'in', 'under', 'after', 'before'])

/** "such and such that's how you dictate it" */
const PLACEHOLDER = /(?:^| )(?:that's|that is) (?:how (?:you|we|i|they|people|it)|the (?:syntax|command|phrase|wording|trigger|way (?:you|to)))(?: |$)|^(?:such and such|so and so|blah blah|bla bla|something something|whatever(?: that's| it is)?|this and that)(?: |$)/

const BROKEN_OFF = /[—–]|\.\.|…| - /
const TAKEN_BACK = new PhraseList(['never mind', 'nevermind', 'nvm', 'forget it', 'wait no', 'no wait', 'hold on', 'scratch that'])

const ACTS_ON = /^(?:the|a|an|my|our|his|her|their|your|it|them|me|us|this|that|these|those|all|some)$/

/** Why a free slot cannot hold these words, or undefined. */
export function refuses(slot: SlotElement, tokens: readonly Token[], start: number, end: number): string | undefined {
  const words = tokens.slice(start, end).map(token => token.norm)
  const [first = '', second = ''] = words
  const final = words[words.length - 1] ?? ''
  if (words.length === 0) return 'nothing to hold'
  if (words.length > 1 && /^(?:um+|uh+m?|er+m?|hmm+|oh|ah)$/.test(final)) return 'ends with a filler'
  if (slot.opens && PREFIX_LIST.lengthsAt(tokens, start, end).length > 0) return 'begins with a wrapper'
  if (words.length === 1 && /^(?:the|a|an|my|our|your|his|its|their|every|some|no|of|and|or)$/.test(first)) return 'breaks off'
  if (NO_ONE.has(first) && !(slot.clausal && words.length > 1)) return `"${first}" is nobody`
  if (/^(?:um+|uh+m?|er+m?|hmm*|eh)$/.test(first)) return 'begins with a filler'
  if (!tokens[start]?.capital && (words.length > 1 || first === 'oh') && (INSIDE_PHRASES.lengthsAt(tokens, start, end).length > 0 || (first === 'like' && /^(?:a|an|the|my|\d.*)$/.test(second) || NUMBER_WORDS.has(second) && first === 'like'))) return 'begins with a filler'
  if (/^(?:please|pls|thanks)$/.test(final)) return 'ends with a courtesy'
  if (words.every(word => /^(?:ugh+|argh+|gah|oops|whoops|ow|ouch|aw+|phew|meh|bah|huh|grr+)$/.test(word))) return 'is an exclamation'
  if (!slot.clausal && words.some((word, i) => i > 0 && (/^(?:um+|uh+m?|er+m?|hmm+)$/.test(word) || INSIDE_PHRASES.lengthsAt(tokens, start + i, end).some(length => length >= 3)))) return 'holds a filler'
  if (slot.clausal && slot.after === 'that') {
    const subject = SUBJECT.has(first) || ['the', 'my', 'our', 'his', 'her', 'their', 'your', 'a', 'an', 'this', 'these', 'those', 'there', 'no', 'all', 'every', 'some', 'we', 'both'].includes(first)
    const breaks = tokens.findIndex((token, i) => i > start && i < end && token.pause !== 'space' && token.pause !== 'glue')
    const verb = words.slice(0, breaks < 0 ? words.length : breaks - start).findIndex((word, i) => isFinite(word) || (i > 0 && isBaseVerb(word)))
    const second = words[1] ?? ''
    if (verb < 0 || (!subject && (SUBJECT.has(second) || BARE_SUBJECT.has(second)))) return 'is no statement'
  }
  if (PREPOSITION.has(first) && timeAhead(tokens, start, end) > 0) return 'begins with a time'
  // "let Ann know if it rains": what she is to be told is not known yet.
  if (slot.clausal && slot.after === 'know' && /^(?:if|whether|when|once|unless|until)$/.test(first)) return 'is not known yet'
  if (slot.clausal && /^(?:is|was|are)$/.test(first) && /^(?:what|how|not|a|an|the|why|where|all)$/.test(second)) return 'says something of it'
  if (slot.clausal && timeAhead(tokens, start, end) > 0 && tokens.slice(start + 1, end).some((token, i) => /^(?:that|how|what|about|whether)$/.test(token.norm) && i < 4)) return 'begins with a time'
  if (tokens.slice(start + 1, end).some((token, i) => token.pause === 'soft' && ((slot.clausal && STRONG_RETRACTIONS.lengthsAt(tokens, start + 1 + i, end).length > 0) || (BROKEN_OFF.test(token.before) && TAKEN_BACK.lengthsAt(tokens, start + 1 + i, end).length > 0)))) return 'is taken back'
  // "let Noor know that, never mind", "text Nadia actually don't I'll ring her".
  if (slot.clausal && tokens[start]?.pause === 'soft' && STRONG_RETRACTIONS.lengthsAt(tokens, start, end).length + TAKEN_BACK.lengthsAt(tokens, start, end).length > 0) return 'is taken back'
  if (slot.clausal && first === 'actually' && /^(?:no|don't|dont|leave|forget|scrap|never)$/.test(second) && (words.length === 2 || SUBJECT.has(words[2] ?? '') || /^(?:it|that|mind)$/.test(words[2] ?? ''))) return 'is taken back'
  if (slot.clausal && /^(?:(?:it|that|this) )?(?:later|soon|eventually|sometime|afterwards)$/.test(words.join(' '))) return 'is a time'
  // "... but only when they ask", "as soon as the band arrives, not before": when it is to be sent.
  if (slot.clausal && tokens.slice(start + 1, end).some((token, i) => token.norm === 'but' && tokens[start + i + 2]?.norm === 'only' && conditionAt(tokens, start + 1 + i))) return 'is to be told later'
  if (slot.clausal && /(?:^| )not (?:before|earlier|sooner)$/.test(words.join(' '))) return 'is to be told later'
  if (slot.clausal && /^(?:and|or)$/.test(first)) return 'is joined on'
  if (slot.clausal && /^\p{N}/u.test(first) && /^(?:if|when|once|unless|until)$/.test(second)) return 'is not known yet'
  if (slot.clausal && words.length > 2 && /(?:^| )(?:never mind|nevermind|nvm|forget it|skip that|skip it|scrap that)$/.test(words.join(' '))) return 'is taken back'
  // "write down is written on my hand": the trigger is what is spoken of.
  if (slot.clausal && slot.after !== '' && /^(?:is|was|are|were)$/.test(first) && hasTag(second, 'PastTense', 'Participle')) return 'says something of it'
  if (slot.clausal && PLACEHOLDER.test(words.join(' '))) return 'shows how it is said'
  // "text Oma wrote on the back": what she did, and no message.
  if (slot.clausal && slot.after === '' && !slot.opens && hasTag(first, 'PastTense') && !isBaseVerb(first) && !tokens[start]?.capital) return 'tells what was done'
  if (slot.clausal && slot.after === '' && !slot.opens && /^(?:don't|dont|no|wait)$/.test(first) && SUBJECT.has(second) && second.startsWith('i')) return 'is taken back'
  // "reply to Sandra": to whom, and not what.
  if (slot.clausal && first === 'to' && !isBaseVerb(second) && words.length > 1) return 'says to whom'
  if (slot.clausal && first === 'about' && tokens.slice(start, end).some((_, i) => i > 1 && conditionAt(tokens, start + i))) return 'is to be told later'
  if (slot.clausal) return undefined
  if (words.length === 1 && /^(?:himself|herself|themselves|itself|ourselves|yourself|myself)$/.test(first)) return 'names nothing'
  if (words.length > 1 && words.length <= 3 && !tokens[end - 1]?.capital && (/^(?:yesterday|ago|what|who|which|how|why)$/.test(final))) return `a name does not end with "${final}"`
  if (slot.opens && conditionAt(tokens, start)) return 'puts a condition'
  // "undo lights off", "stop the sell order": a verb, and no name.
  if (slot.opens && !tokens[start]?.camel && isBaseVerb(first) && (words.length === 1 ? /^(?:undo|stop|cancel|abort|skip|revert|unset)$/.test(first) : ARTICLES.has(second) || PARTICLE.has(second) || second === 'once')) return 'makes it a sentence'
  if (slot.opens && words.length > 1 && !isBaseVerb(final) && lemmas(final).some(({ word, form }) => form === 'ed' && isBaseVerb(word)) && !tokens[end - 1]?.capital && tokens[end]?.pause === 'space') return 'makes it a sentence'
  if (slot.opens && words.length === 1 && /^(?:i|we|they|he|she|you|it)'(?:ve|d|ll|re|m|s)$/.test(first)) return 'names nothing'
  if (!slot.clausal && words.length === 1 && /^(?:later|soon|eventually|sometime|afterwards)$/.test(first) && !tokens[start]?.capital) return 'is a time'
  if (slot.opens && /^(?:who|what|which|whose|why|how|where|when)$/.test(first)) return 'asks'
  if (!tokens[start]?.capital && /^(?:stay|leave|wait)$/.test(first) && words.length > 1) return 'makes it a sentence'
  if (words.some((word, i) => i > 0 && isBaseVerb(word) && /^(?:the|my|our|a|an)$/.test(words[i + 1] ?? '') && /[^s]s$/.test(words[i - 1] ?? '')) && !tokens[start]?.capital) return 'makes it a sentence'
  if (slot.modifier && ARTICLES.has(tokens[end]?.norm ?? '')) return 'is no part of the name'
  if (words.length === 1 && /^(?:something|someone|somebody|anything|anyone|whatever|whoever|blah)$/.test(first)) return 'names nothing'
  if (words.length > 1 && /^(?:actually|really|well|wait|sorry|oops|nope|such)$/.test(final) && !tokens[end - 1]?.capital) return 'ends with a filler'
  // "there is no reason to Oscar is late": not his name.
  if (slot.opens && words.some((word, i) => i > 0 && (word === 'to' || /^(?:is|are|was|were)$/.test(word)))) return 'makes it a sentence'
  if (slot.modifier && PREPOSITION.has(final)) return `a name does not end with "${final}"`
  if (words.length === 1 && /^(?:wait|sorry|oops|nope|nah|nevermind|nvm)$/.test(first)) return 'breaks off'
  if (words.some((word, i) => word === 'what' && /^an?$/.test(words[i + 1] ?? '') && i > 0)) return 'is an exclamation'
  if (isBaseVerb(first) && /^(?:it|them|me|us|him)$/.test(second) && !tokens[start]?.capital) return 'makes it a sentence'
  if (words.length === 1 && /^(?:him|her|them)$/.test(first) && PREPOSITION.has(slot.after ?? '') && !PARTICLE.has(slot.after ?? '')) return undefined
  if (words.length === 1 && /^(?:me|us|myself)$/.test(first) && isPersonName(slot.slot.name)) return undefined
  if (words.length === 1 && PRONOUN.has(first)) return `"${first}" names nothing`
  // "invite Noor to edit the plan": what she is to do.
  if (slot.after === 'to' && isBaseVerb(first) && ACTS_ON.test(second) && !tokens[start]?.capital) return 'says what is to be done'
  if (words.length > 1 && /^(?:it|them)$/.test(final) && isBaseVerb(words[words.length - 2] ?? '') && !tokens[start]?.capital) return 'makes it a sentence'
  if (PRONOUN.has(first) && !['this', 'that', 'these', 'those', 'her'].includes(first)) return `"${first} ${second}" is no name`
  if (!/^(?:as|called|named|titled|caption)$/.test(slot.after ?? '') && (AUX.has(first) || NEGATION.has(first))) return `a name does not begin with "${first}"`
  if (words.includes('your') && !tokens[start]?.capital) return 'is the listener\'s'
  const named = /^(?:as|called|named|titled|caption)$/.test(slot.after ?? '') || tokens[start + 1]?.pause === 'glue'
  if (words.length === 1 && slot.after === 'to' && /^(?:on|off)$/.test(first)) return undefined
  if (!slot.modifier && !named && NOT_FIRST.has(first) && !wholeTime(tokens, start, end)) return `a name does not begin with "${first}"`
  if ((PREPOSITION.has(final) || AUX.has(final) || final === 'the' || (final === 'a' && tokens[end - 1]?.capital !== true) || final === 'my' || final === 'and' || final === 'to' || final === 'not' || final === 'never') && words.length > 1 && !/^(?:on|off|up|down|in|out)$/.test(final)) return `a name does not end with "${final}"`
  const finite = words.findIndex((word, i) => i > 0 && ((AUX.has(word) && i < words.length - 1 && !(/^(?:can|will|may|might|must)$/.test(word) && PREPOSITION.has(words[i + 1] ?? ''))) || /^(?:i|we|they|he|she|it|you)'(?:s|re|ve|ll|d|m)$/.test(word)) )
  if (finite > 0 && (!words.slice(0, finite).some(word => WH_EVER.test(word)) || (second === 'that' && /^(?:now|so|given|seeing|provided|except)$/.test(first)))) return `"${words[finite] ?? ''}" makes it a sentence`
  for (let at = start + 1; at < end; at++) if (timeAhead(tokens, at, end) > 0 && !wholeTime(tokens, start, end)) return 'holds a time'
  if (slot.modifier && !slot.possessive && (final.endsWith('\'s') || words.some((word, i) => i > 0 && PREPOSITION.has(word) && /^(?:the|my|our|this|that|a|an|his|her|their|your)$/.test(words[i + 1] ?? '')))) return 'names somebody else\'s thing, or a part of one'
  if (!words.some(word => WH_EVER.test(word)) && words.some((word, i) => i > 0 && i < words.length - 1 && hasTag(word, 'PresentTense') && word.endsWith('s') && !(i > 1 && ARTICLES.has(words[i - 1] ?? '')) && !/^(?:who|which|that)$/.test(words[i - 1] ?? ''))) return 'makes it a sentence'
  if (words.some((word, i) => i > 0 && /[^s]s$/.test(word) && /^(?:up|down|off|out|the|a|an|my|me|you|it|too|twice|only|always|never|not)$/.test(words[i + 1] ?? '') && lemmas(word).some(({ word: stem }) => isBaseVerb(stem)))) return 'makes it a sentence'
  if (words.some((word, i) => i > 0 && /^(?:always|never|usually|often|sometimes|keeps|barely|hardly|rarely)$/.test(word) && i < words.length - 1 && words[i + 1] !== 'the') && !tokens[start]?.capital) return 'makes it a sentence'
  if (tokens[end]?.norm === 'only' && words.includes('for')) return 'is limited'
  if (words.includes('than') || words.includes('whether')) return 'compares'
  const or = words.indexOf('or')
  if (or > 0 && /^(?:is|are|do|does|did|only|not|will|can|should|just|whether|both|do|what)$/.test(words[or + 1] ?? '')) return 'is a choice'
  return undefined
}

/** "invoice 4471", "release gold-2": after a noun a slot holds a number or a name, not another noun: "release notes" is another thing. */
function identifies(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at]?.norm ?? ''
  return /\d/.test(word) || NUMBER_WORDS.has(word) || (/^(?:double|triple|treble)$/.test(word) && NUMBER_WORDS.has(tokens[at + 1]?.norm ?? '')) || tokens[at + 1]?.pause === 'glue' || !(isWord(word) || inDictionary(word)) || /^(?:the|my|our|this|that|number|no|nr)$/.test(word) || tokens[at]?.capital === true
}

/** What the ends of slots are read from. */
export interface SlotScene {
  readonly tokens: readonly Token[]
  readonly edits: ReadonlyMap<number, number>
  /** The word after the quotation that begins here. */
  readonly quotedTo: (at: number) => number | undefined
}

function corrected(edits: ReadonlyMap<number, number>, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (edits.has(at)) return true
  return false
}

/** Ends of a slot with a type, or with a name that says one; undefined: read it as free text. */
function typedEnds(slot: SlotElement, { tokens, edits }: SlotScene, at: number, limit: number, last: boolean): number[] | undefined {
  const { type, name } = slot.slot
  const hint = type ?? hintedType(name)
  if (hint !== undefined && hint !== 'rest' && !slot.values) {
    const loose = type === undefined && (hint === 'date' || hint === 'time' || hint === 'datetime')
    const ends: number[] = []
    const most = Math.min(last ? limit : tokens.length, at + MAX_NAME)
    for (let end = at + 1; end <= most && (end === at + 1 || tokens[end - 1]?.pause !== 'hard'); end++) if (fitsType(hint, tokens, at, end)) ends.push(end)
    // "put the oven on at one eighty": two prepositions, and no day.
    if (loose && PREPOSITION.has(slot.after ?? '') && PREPOSITION.has(tokens[at]?.norm ?? '') && !/^(?:after|before|until|till|around|about)$/.test(tokens[at]?.norm ?? '')) return []
    if (loose && last && ends.length > 0) return [...new Set([...ends.slice(-1), trimmed(slot, tokens, at, limit)])]
    if (type === undefined && isAmount(name, hint, tokens, at)) return amountEnds(slot, { tokens, edits }, at, last ? limit : most, last, ends)
    if (!loose || ends.length > 0) return last ? ends.slice(-1) : ends
  }
  if (!last || !isQuantityName(name)) return undefined
  const length = quantity(tokens, at, limit)
  return length > 0 ? [at + length] : undefined
}

/** Words of the longest amount that is not in a known unit: "half a bucket of small change". */
const MAX_AMOUNT = 5

/** An amount in a unit that no list knows: "two kilos", "three sacks". What the type would hold comes first. */
function amountEnds(slot: SlotElement, scene: Pick<SlotScene, 'tokens' | 'edits'>, at: number, limit: number, last: boolean, typed: readonly number[]): number[] {
  const { tokens, edits } = scene
  const plain = (end: number): boolean => isMeasured(tokens, at, end) && tokens.slice(at, end).every(token => token.norm === 'of' || !PREPOSITION.has(token.norm))
  if (last) {
    const end = trimmed(slot, tokens, at, limit)
    const best = typed[typed.length - 1]
    const known = best === undefined ? [] : [best]
    return end - at <= MAX_AMOUNT && end !== best && plain(end) && holds(slot, { tokens, edits }, at, end) ? [...known, end] : known
  }
  const ends = [...typed]
  for (let end = at + 1; end <= Math.min(limit, at + MAX_AMOUNT) && (end === at + 1 || tokens[end - 1]?.pause === 'space' || tokens[end - 1]?.pause === 'glue'); end++) {
    if (!ends.includes(end) && plain(end) && holds(slot, { tokens, edits }, at, end)) ends.push(end)
  }
  return ends
}

function holds(slot: SlotElement, { tokens, edits }: Pick<SlotScene, 'tokens' | 'edits'>, at: number, end: number): boolean {
  const { type } = slot.slot
  if (slot.possessive && !/s'?$/.test(tokens[end - 1]?.norm ?? '')) return false
  if (slot.values) return slot.values.has(tokens.slice(at, end).map(token => token.norm).join(' '))
  if (type !== undefined && type !== 'rest') return fitsType(type, tokens, at, end)
  if (!slot.clausal && corrected(edits, at, end)) return false
  if (!isMeasure(slot.slot.name, tokens, at, end) || !mayBePerson(slot.slot.name, tokens, at, end)) return false
  return refuses(slot, tokens, at, end) === undefined && (!slot.identifier || identifies(tokens, at))
}

/** `the "Fjord" blanket`: after a quotation of a word or two a noun goes on with the name. */
function goesOn(slot: SlotElement, { tokens }: SlotScene, quoted: number, last: boolean): boolean {
  const next = tokens[quoted]
  return !slot.clausal && slot.slot.type === undefined && !slot.values && next?.pause === 'space' && /^["”’»]? ?$/.test(next.before) && kindsOf(next.norm) !== undefined && !PREPOSITION.has(next.norm) && (last ? (tokens[quoted + 1]?.pause ?? 'hard') !== 'space' : PREPOSITION.has(tokens[quoted + 1]?.norm ?? ''))
}

export function slotEndsOf(scene: SlotScene): SlotEnds {
  const { tokens, edits, quotedTo } = scene
  return (slot, at, last, may) => {
    const quoted = quotedTo(at)
    if (quoted !== undefined) return goesOn(slot, scene, quoted, last) ? [quoted, quoted + 1] : [quoted]
    const limit = limitOf(slot, tokens, edits, at)
    const typed = typedEnds(slot, scene, at, limit, last)
    if (typed) return typed
    const { type } = slot.slot
    if (last && !slot.values && (type === undefined || type === 'rest')) {
      const end = trimmed(slot, tokens, at, limit)
      return holds(slot, scene, at, end) ? [end] : []
    }
    const ends: number[] = []
    const stop = last ? limit : Math.min(tokens.length, at + (slot.clausal ? MAX_MESSAGE : MAX_NAME))
    for (let end = at + 1; end <= stop; end++) {
      const pause = end > at + 1 ? tokens[end - 1]?.pause : 'space'
      if (pause === 'hard' || (!slot.clausal && pause === 'colon')) break
      if ((last || may(end)) && holds(slot, scene, at, end)) ends.push(end)
    }
    return last ? ends.reverse() : ends
  }
}
