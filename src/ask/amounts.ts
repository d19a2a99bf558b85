/** What a slot holds, or what follows it, may be more than its one value: a sign that was lost, a second payment, another amount, a repetition. */
import type { Alignment } from './align.ts'
import { spoken } from './around.ts'
import type { Token } from './tokens.ts'
import { isQuantityName, signed } from './slot-types.ts'
import { object, type Objection } from './verdict.ts'
import { NUMBER_WORDS, PREPOSITION, TIME_UNIT } from './words/classes.ts'

const NUMBER = `(?:[$€£¥₹]?\\d[\\d.,]*[%€$£]?|${[...NUMBER_WORDS].filter(word => !/^(?:and|point|oh|couple|half|quarter)$/.test(word)).join('|')})`
/** "Ann a month": not "half an hour", where it is the value. */
const REPEATED = /^[^\s,]+(?: [^\s,]+)*? (?:a|per|each|every|an) (?:second|minute|hour|day|night|week|fortnight|month|quarter|year)s?$/u
const REPEATED_AFTER = /^(?:a|per|each|every|an) (?:second|minute|hour|day|night|week|fortnight|month|quarter|year)s?(?: |$)/u
const INSTEAD = /(?:^| )(?:instead of|rather than|in place of|and not|but not|, not) /u
const SECOND = new RegExp(`(?:^| )(?:and|plus|,|, and) (?:another |also |then )?${NUMBER} (?:\\S+ )?(?:to|for|from|in|into|at) `, 'u')
const CORRECTING = '(?:sorry|no|nope|i mean|i meant|make (?:it|that)|rather|wait|actually|correction|oops|scratch that|better)'
const CORRECTION = new RegExp(`(?:[ ,:](?:oh|or|hmm|hm|um|uh|er|erm|ah|sorry)(?: [,:])?)*(?:[ ,:](?:${CORRECTING}|you know what)(?: [,:])?)+$`, 'u')
const CORRECTED_AFTER = new RegExp(`^(?:(?:oh|or|hmm|um|uh|,) )*(?:${CORRECTING}(?: ,)? )+${NUMBER}(?: \\S+)?$`, 'u')
const RANGE = new RegExp(`^${NUMBER} .*\\b(?:to|for) `, 'u')
const TWO = new RegExp(`^${NUMBER}(?: \\S+)? , ${NUMBER}(?: |$)`, 'u')
const SHARED = / (?:each|apiece|twice|thrice|weekly|monthly|daily|yearly|hourly|again and again)$/u
const STARTS_NUMBER = new RegExp(`^${NUMBER}(?: |$)`, 'u')

/** Undefined where every slot may hold what it took. */
export function wrongValue(text: string, tokens: readonly Token[], alignment: Alignment): Objection | undefined {
  for (const fill of alignment.fills) {
    const first = tokens[fill.start]
    if (!first || fill.clausal) continue
    if (!(isQuantityName(fill.slot.name) && signed(text, first.start)) && /^[$€£¥₹]?\p{N}/u.test(first.norm) && /(?:^|[\s(])[-−–—+~<>≤≥±]\s?$/u.test(text.slice(Math.max(0, first.start - 3), first.start)) && !/[\s\p{L}]-\s$/u.test(text.slice(Math.max(0, first.start - 3), first.start))) return object('left-over', 'the sign before a number would be lost', false)
    const said = spoken(tokens, fill.start, fill.end)
    if (SECOND.test(`${said} `) || (alignment.fills.length > 1 && (TWO.test(said) || (fill !== alignment.fills[0] && RANGE.test(said))))) return object('left-over', `"${said}" is more than one value`, false)
    if (alignment.fills.length > 1 && fill.slot.type === undefined && / or /.test(said) && numeric(tokens, alignment)) return object('question', `"${said}" leaves a choice`, false)
    if (INSTEAD.test(said)) return object('other-object', `"${said}" names what it is not`, false)
    if (fill.slot.type === undefined && !said.split(' ').some(word => NUMBER_WORDS.has(word) || PREPOSITION.has(word) || /\p{N}/u.test(word)) && numeric(tokens, alignment) && REPEATED.test(said)) return object('later', `"${said}" is a repetition; scheduled asks are not supported`)
  }
  if (!numeric(tokens, alignment)) return undefined
  if (alignment.fills.some(fill => SHARED.test(spoken(tokens, fill.start, fill.end)))) return object('left-over', 'it is to be done more than once', false)
  if (alignment.fills.some(fill => corrects(tokens, alignment, fill.start))) return object('undo', 'a number corrects what was none', false)
  let stop = alignment.end + 1
  while (stop < tokens.length && tokens[stop]?.pause !== 'hard') stop++
  if (CORRECTED_AFTER.test(spoken(tokens, alignment.end, Math.min(tokens.length, stop)))) return object('undo', 'a number after it corrects a value', false)
  const rest = spoken(tokens, alignment.end, Math.min(tokens.length, alignment.end + 8))
  if (REPEATED_AFTER.test(rest)) return object('later', `"${rest}" is a repetition; scheduled asks are not supported`)
  return SECOND.test(`${rest} `) ? object('left-over', `"${rest}" is a second value`, false) : undefined
}

/** "to Ann - sorry, 15": which of the two values it corrects is not for a rule to guess. */
function corrects(tokens: readonly Token[], alignment: Alignment, at: number): boolean {
  if (!STARTS_NUMBER.test(tokens[at]?.norm ?? '')) return false
  const before = spoken(tokens, alignment.start, at) + (tokens[at]?.pause === 'soft' ? ' ,' : '')
  const cut = before.search(CORRECTION)
  return cut > 0 && !before.slice(0, cut).split(' ').slice(-3).some(word => STARTS_NUMBER.test(word) || TIME_UNIT.has(word))
}

function numeric(tokens: readonly Token[], alignment: Alignment): boolean {
  return alignment.fills.some(fill => tokens.slice(fill.start, fill.end).some(token => /^[$€£¥₹]?\p{N}/u.test(token.norm) || NUMBER_WORDS.has(token.norm)))
}
