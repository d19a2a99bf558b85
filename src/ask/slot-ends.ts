/** Where the words of a slot can end, and what a slot refuses to hold. */
import { inDictionary } from './dictionary.ts'
import { hasTag, isBaseVerb, isFinite, isWord } from './english.ts'
import type { Element } from './patterns.ts'
import { retractionAt } from './right.ts'
import { fitsType, hintedType, isQuantityName, quantity } from './slot-types.ts'
import { conditionAt, timeAhead, wholeTime } from './times.ts'
import type { Token } from './tokens.ts'
import { AUX, BARE_SUBJECT, INSIDE_PHRASES, NEGATION, NO_ONE, NUMBER_WORDS, PREPOSITION, SUBJECT } from './words/classes.ts'
import { lemmas } from './words/verbs.ts'
import { PREFIX_LIST } from './words/prefixes.ts'
import { COURTESY, SUFFIXES, VOCATIVES } from './words/suffixes.ts'

type SlotElement = Extract<Element, { kind: 'slot' }>
export type SlotEnds = (slot: SlotElement, at: number, last: boolean, may: (end: number) => boolean) => readonly number[]

const MAX_NAME = 12
const MAX_MESSAGE = 80
const JOIN = new Set(['and', 'but', 'then', 'so', 'because', 'cos', 'cuz', 'coz', 'since', 'otherwise', '&', 'or', 'also', 'plus', 'although', 'though'])
const PRONOUN = new Set(['me', 'you', 'it', 'him', 'her', 'them', 'us', 'myself', 'yourself', 'this', 'that', 'these', 'those', 'i', 'we', 'he', 'she', 'they'])
const WH_EVER = /^(?:whoever|whatever|whichever|wherever|who|that|which|what|how|where|when|why)$/
const NOT_FIRST = new Set(['not', 'to', 'and', 'or', 'but', 'is', 'are', 'was', 'be', 'by', 'of', 'than', 'as', 'if', 'when', 'because', 'through', 'into', 'onto', 'against', 'about', 'between', 'up', 'down', 'off', 'out', 'away', 'back', 'over', 'with', 'without', 'from', 'for', 'until', 'there', 'here', 'very', 'too', 'so', 'then', 'please', 'how', 'why', 'where', 'whether', 'at', 'on', 'in', 'under', 'after', 'before'])

/** Why a free slot cannot hold these words, or undefined. */
export function refuses(slot: SlotElement, tokens: readonly Token[], start: number, end: number): string | undefined {
  const words = tokens.slice(start, end).map(token => token.norm)
  const [first = '', second = ''] = words
  const final = words[words.length - 1] ?? ''
  if (words.length === 0) return 'nothing to hold'
  if (words.length > 1 && /^(?:um+|uh+m?|er+m?|hmm+|oh|ah)$/.test(final)) return 'ends with a filler'
  if (NO_ONE.has(first)) return `"${first}" is nobody`
  if (/^(?:um+|uh+m?|er+m?|hmm*|eh)$/.test(first)) return 'begins with a filler'
  if (!tokens[start]?.capital && (words.length > 1 || first === 'oh') && (INSIDE_PHRASES.lengthsAt(tokens, start, end).length > 0 || (first === 'like' && /^(?:a|an|the|my|\d.*)$/.test(second) || NUMBER_WORDS.has(second) && first === 'like'))) return 'begins with a filler'
  if (/^(?:please|pls|thanks)$/.test(final)) return 'ends with a courtesy'
  if (!slot.clausal && words.some((word, i) => i > 0 && (/^(?:um+|uh+m?|er+m?|hmm+)$/.test(word) || INSIDE_PHRASES.lengthsAt(tokens, start + i, end).some(length => length >= 3)))) return 'holds a filler'
  if (slot.after === 'that') {
    const subject = SUBJECT.has(first) || ['the', 'my', 'our', 'his', 'her', 'their', 'your', 'a', 'an', 'this', 'these', 'those', 'there', 'no', 'all', 'every', 'some', 'we', 'both'].includes(first)
    const breaks = tokens.findIndex((token, i) => i > start && i < end && token.pause !== 'space' && token.pause !== 'glue')
    const verb = words.slice(0, breaks < 0 ? words.length : breaks - start).findIndex((word, i) => isFinite(word) || (i > 0 && isBaseVerb(word)))
    const second = words[1] ?? ''
    if (verb < 0 || (!subject && (SUBJECT.has(second) || BARE_SUBJECT.has(second)))) return 'is no statement'
  }
  if (PREPOSITION.has(first) && timeAhead(tokens, start, end) > 0) return 'begins with a time'
  if (slot.clausal) return undefined
  if (words.length === 1 && /^(?:him|her|them)$/.test(first) && PREPOSITION.has(slot.after ?? '')) return undefined
  if (words.length === 1 && PRONOUN.has(first)) return `"${first}" names nothing`
  if (PRONOUN.has(first) && !['this', 'that', 'these', 'those', 'her'].includes(first)) return `"${first} ${second}" is no name`
  if (!/^(?:as|called|named|titled|caption)$/.test(slot.after ?? '') && (AUX.has(first) || NEGATION.has(first))) return `a name does not begin with "${first}"`
  if (words.includes('your') && !tokens[start]?.capital) return 'is the listener\'s'
  const named = /^(?:as|called|named|titled|caption)$/.test(slot.after ?? '') || tokens[start + 1]?.pause === 'glue'
  if (!slot.modifier && !named && NOT_FIRST.has(first) && !wholeTime(tokens, start, end)) return `a name does not begin with "${first}"`
  if ((PREPOSITION.has(final) || AUX.has(final) || final === 'the' || final === 'a' || final === 'my' || final === 'and' || final === 'to') && words.length > 1 && !/^(?:on|off|up|down|in|out)$/.test(final)) return `a name does not end with "${final}"`
  const finite = words.findIndex((word, i) => i > 0 && ((AUX.has(word) && i < words.length - 1 && !(/^(?:can|will|may|might|must)$/.test(word) && PREPOSITION.has(words[i + 1] ?? ''))) || /^(?:i|we|they|he|she|it|you)'(?:s|re|ve|ll|d|m)$/.test(word)) )
  if (finite > 0 && !words.slice(0, finite).some(word => WH_EVER.test(word))) return `"${words[finite] ?? ''}" makes it a sentence`
  for (let at = start + 1; at < end; at++) if (timeAhead(tokens, at, end) > 0 && !wholeTime(tokens, start, end)) return 'holds a time'
  if (slot.modifier && !slot.possessive && (final.endsWith('\'s') || words.some((word, i) => i > 0 && PREPOSITION.has(word) && /^(?:the|my|our|this|that|a|an|his|her|their|your)$/.test(words[i + 1] ?? '')))) return 'names somebody else\'s thing, or a part of one'
  if (!words.some(word => WH_EVER.test(word)) && words.some((word, i) => i > 0 && i < words.length - 1 && hasTag(word, 'PresentTense') && word.endsWith('s'))) return 'makes it a sentence'
  if (words.some((word, i) => i > 0 && /[^s]s$/.test(word) && /^(?:up|down|off|out|the|a|an|my|me|you|it|too|twice|only|always|never|not)$/.test(words[i + 1] ?? '') && lemmas(word).some(({ word: stem }) => isBaseVerb(stem)))) return 'makes it a sentence'
  if (words.includes('than') || words.includes('whether')) return 'compares'
  const or = words.indexOf('or')
  if (or > 0 && /^(?:is|are|do|does|did|only|not|will|can|should|just|whether|both|do|what)$/.test(words[or + 1] ?? '')) return 'is a choice'
  return undefined
}

/** "invoice 4471", "release gold-2": after a noun a slot holds a number or a name, not another noun: "release notes" is another thing. */
function identifies(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at]?.norm ?? ''
  return /\d/.test(word) || NUMBER_WORDS.has(word) || (tokens[at + 1]?.pause === 'glue' && /\d/.test(tokens[at + 1]?.norm ?? '')) || !(isWord(word) || inDictionary(word)) || /^(?:the|my|our|this|that|number|no|nr)$/.test(word) || tokens[at]?.capital === true
}

/** "Flat 4, 12 Quay Road", "Hollow Hill, studio version": after a comma the name goes on, to the end of the sentence. */
function appositive(tokens: readonly Token[], at: number): boolean {
  let end = at
  while (end < tokens.length && (end === at || tokens[end]?.pause === 'space' || tokens[end]?.pause === 'glue')) end++
  if (end - at > 4 || (end < tokens.length && tokens[end]?.pause !== 'hard')) return false
  const words = tokens.slice(at, end).map(token => token.norm)
  const first = words[0] ?? ''
  if (SUFFIXES.lengthsAt(tokens, at, end).length > 0 || PREFIX_LIST.lengthsAt(tokens, at, end).length > 0 || VOCATIVES.lengthsAt(tokens, at, end).length > 0) return false
  if (isBaseVerb(first) || PREPOSITION.has(first) || NEGATION.has(first) || SUBJECT.has(first) || BARE_SUBJECT.has(first) || JOIN.has(first) || /^(?:que|weil|denn|parce|porque|che|want)$/.test(first) || WH_EVER.test(first) || retractionAt(tokens, at, true) !== undefined) return false
  return !words.some(word => /^#\d/.test(word) || isFinite(word) || word.endsWith('ing') || SUBJECT.has(word)) && timeAhead(tokens, at, end) === 0 && !conditionAt(tokens, at) && !/^(?:the|my|our|both|all|same|usual|wrong|right|last|first|full|quick|quickly|too|also|fast|slow|nothing|no)$/.test(first)
}

export function slotEndsOf(tokens: readonly Token[], quotedTo: (at: number) => number | undefined, edits: ReadonlyMap<number, number>): SlotEnds {
  const corrected = (start: number, end: number): boolean => {
    for (let at = start; at < end; at++) if (edits.has(at)) return true
    return false
  }
  const clauseStarts = (at: number): boolean => {
    const word = tokens[at]?.norm ?? ''
    const next = tokens[at + 1]?.norm ?? ''
    if (/^(?:i|we|they|he|she|it|you|that|there|here|who|what)'(?:s|re|ve|ll|d|m)$/.test(word)) return true
    if (word === 'that' && /^(?:would|is|was|should)$/.test(next) && tokens[at + 2]?.norm !== undefined) return true
    return BARE_SUBJECT.has(word) && (AUX.has(next) || next === 'just' || next === 'only' || next === 'need' || next === 'want' || next === 'think')
  }
  const joins = (at: number): boolean => {
    const word = tokens[at]?.norm ?? ''
    if (!JOIN.has(word)) return false
    const next = tokens[at + 1]?.norm ?? ''
    if (word === 'and' || word === '&' || word === 'or') return isBaseVerb(next) && !PREPOSITION.has(next) || SUBJECT.has(next) || /^(?:then|please|also|can|could|tell|just|don't|maybe|let's|if|when|see)$/.test(next)
    if (word === 'so' || word === 'since' || word === 'plus' || word === 'also' || word === 'then') return tokens[at]?.pause !== 'space' || SUBJECT.has(next) || isBaseVerb(next) || /^(?:the|my|that|please|we|please)$/.test(next)
    return true
  }
  const takenBack = (at: number): boolean => {
    const word = tokens[at]?.norm ?? ''
    if (!/^(?:oh|no|ah|uh|um|hmm|actually|wait|scratch|scrap|never|forget|cancel|hang|belay|nah|nope|don't|not|sorry|er|but)$/.test(word)) return false
    return retractionAt(tokens, at, false) !== undefined && (word !== 'not' && word !== 'no' || retractionAt(tokens, at, true) !== undefined)
  }
  const limitOf = (slot: SlotElement, at: number): number => {
    const most = Math.min(tokens.length, at + (slot.clausal ? MAX_MESSAGE : MAX_NAME))
    const timeSlot = timeAhead(tokens, at, tokens.length) > 0 || ['date', 'datetime', 'time'].includes(slot.slot.type ?? hintedType(slot.slot.name) ?? '')
    for (let end = at + 1; end < most; end++) {
      const token = tokens[end]
      if (!token || token.pause === 'hard') return end
      if (takenBack(end) && !/^(?:not|don't|never|forget|but)$/.test(token.norm)) return end
      if (!slot.clausal && edits.has(end)) return end
      if (slot.after === 'that' && !/^(?:message|text|msg|announcement)$/.test(slot.slot.name) && token.pause === 'soft' && SUBJECT.has(token.norm)) return end
      if (slot.clausal) {
        if (token.pause === 'soft' && /^(?:which|who)$/.test(token.norm)) return end
        if (token.pause === 'soft' && /^(?:and|then|but)$/.test(token.norm) && isBaseVerb(tokens[end + 1]?.norm ?? '')) return end
        continue
      }
      if (edits.has(end) && retractionAt(tokens, end, false) !== undefined) return end
      if (token.norm === 'by' && /^(?:accident|mistake|error)$/.test(tokens[end + 1]?.norm ?? '')) return end
      if (token.pause === 'colon') return end
      if (token.pause === 'soft' && /[^\s"'“”‘’]/u.test(token.before) && !appositive(tokens, end)) return end
      if (joins(end) || clauseStarts(end)) return end
      if (SUFFIXES.lengthsAt(tokens, end, tokens.length).some(length => length >= 2 && (tokens[end + length]?.pause ?? 'hard') !== 'space' && tokens[end + length]?.pause !== 'glue')) return end
      if (conditionAt(tokens, end) && token.norm !== 'the' && !(timeSlot && /^(?:after|before|until|till)$/.test(token.norm) && !AUX.has(tokens[end + 2]?.norm ?? '') && (end + 1 >= tokens.length || wholeTime(tokens, end, Math.min(end + 2, tokens.length))))) return end
      if (!timeSlot && timeAhead(tokens, end, tokens.length) > 0) return end
    }
    return most
  }
  const trim = (slot: SlotElement, at: number, limit: number): number => {
    const list = slot.clausal ? COURTESY : SUFFIXES
    let end = limit
    for (let moved = true; moved;) {
      moved = false
      for (let start = Math.max(at + 1, end - 7); start < end; start++) {
        const called = tokens[start]?.pause === 'soft' && VOCATIVES.lengthsAt(tokens, start, end).includes(end - start)
        const both = list.lengthsAt(tokens, start, end).some(length => start + length < end && VOCATIVES.lengthsAt(tokens, start + length, end).includes(end - start - length))
        if (!called && tokens[start]?.capital && end - start === 1 && tokens[start]?.pause === 'space') continue
        if (!called && !both && !list.lengthsAt(tokens, start, end).includes(end - start)) continue
        end = start
        moved = true
        break
      }
    }
    return end
  }
  return (slot, at, last, may) => {
    const quoted = quotedTo(at)
    if (quoted !== undefined) return [quoted]
    const limit = limitOf(slot, at)
    const { type } = slot.slot
    const hint = type ?? hintedType(slot.slot.name)
    const ends: number[] = []
    const loose = type === undefined && (hint === 'date' || hint === 'time' || hint === 'datetime')
    if (hint !== undefined && hint !== 'rest' && !slot.values) {
      const most = Math.min(last ? limit : tokens.length, at + MAX_NAME)
      for (let end = at + 1; end <= most && (end === at + 1 || tokens[end - 1]?.pause !== 'hard'); end++) if (fitsType(hint, tokens, at, end)) ends.push(end)
      if (loose && last && ends.length > 0) return [...new Set([...ends.slice(-1), trim(slot, at, limit)])]
      if (!loose || ends.length > 0) return last ? ends.slice(-1) : ends
    }
    if (last && isQuantityName(slot.slot.name)) {
      const length = quantity(tokens, at, limit)
      if (length > 0) return [at + length]
    }
    if (last && !slot.values && (type === undefined || type === 'rest')) {
      const end = trim(slot, at, limit)
      ends.push(end)
    } else {
      const stop = last ? limit : Math.min(tokens.length, at + (slot.clausal ? MAX_MESSAGE : MAX_NAME))
      for (let end = at + 1; end <= stop; end++) {
        if (end > at + 1 && (tokens[end - 1]?.pause === 'hard' || (!slot.clausal && tokens[end - 1]?.pause === 'colon'))) break
        if (last || may(end)) ends.push(end)
      }
      if (last) ends.reverse()
    }
    return ends.filter(end => {
      if (slot.possessive && !/(?:'s|s'?)$/.test(tokens[end - 1]?.norm ?? '')) return false
      if (slot.values) return slot.values.has(tokens.slice(at, end).map(token => token.norm).join(' '))
      if (type !== undefined && type !== 'rest') return fitsType(type, tokens, at, end)
      if (!slot.clausal && corrected(at, end)) return false
      return refuses(slot, tokens, at, end) === undefined && (!slot.identifier || identifies(tokens, at))
    })
  }
}
