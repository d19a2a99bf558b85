/** Reads what stands farther from a request than its own clause: a "do not" at a distance, the sentences on both sides, the marks of its line. */
import { inDictionary } from './dictionary.ts'
import { hasTag, isBaseVerb, isFinite, isWord } from './english.ts'
import { kindsOf } from './kinds.ts'
import { IRONY } from './words/retractions.ts'
import { conditionAt, timeAhead } from './times.ts'
import type { Token } from './tokens.ts'
import { object, type Objection } from './verdict.ts'
import { PREFIX_LIST, PREFIXES } from './words/prefixes.ts'
import { ARTICLES, AUX, BARE_SUBJECT, CONJUNCTION, META, NEGATION, PREPOSITION, SUBJECT } from './words/classes.ts'
import { SUFFIXES, VOCATIVES } from './words/suffixes.ts'
import { AFTER, BEFORE, CLOSING, EARLIER, HANDED, NEXT, REMARKS, type Rule } from './words/around.ts'
import { finiteAt } from './statements.ts'

/** Words looked at on each side: what counts is near. */
const REACH = 200

/** `do not , under any circumstances ,`: words with their pauses, as the rules read them. */
export function spoken(tokens: readonly Token[], from: number, to: number): string {
  let said = ''
  for (let at = from; at < to; at++) {
    const token = tokens[at] as Token
    if (at > from) said += token.pause === 'colon' ? ' : ' : token.pause === 'soft' ? ' , ' : ' '
    said += token.norm
  }
  return said
}

const edge = (token: Token | undefined): string => token?.pause === 'colon' ? ' :' : token?.pause === 'soft' ? ' ,' : ''

function broken(rules: readonly Rule[], said: string): Objection | undefined {
  const found = rules.find(rule => rule.pattern.test(said))
  return found && object(found.reason, `"${said.slice(0, 60)}" ${found.why}`)
}

/** Words [from, to) behind what only leads in: "ok so", "please". */
function head(tokens: readonly Token[], from: number, to: number): number {
  let at = from
  for (;;) {
    const length = PREFIX_LIST.lengthsAt(tokens, at, to).find(size => !(size === 1 && conditionAt(tokens, at)))
    if (length === undefined || length === 0) return at
    at += length
  }
}

const AFTERTHOUGHT = / , (?:that is|i mean|i meant|of course|please|obviously|though)$/u

/** "If Bob calls.", "Tomorrow.": a sentence that is no more than the frame of another one. */
function fragment(tokens: readonly Token[], from: number, until: number): Objection | undefined {
  const to = until - (AFTERTHOUGHT.exec(spoken(tokens, from, until))?.[0].trim().split(' ').length ?? 1) + 1
  const at = head(tokens, from, to)
  if (at >= to) return undefined
  const said = spoken(tokens, from, to)
  const paused = tokens.slice(at + 1, to).some(token => token.pause === 'soft')
  if (conditionAt(tokens, at) && to - at <= 8 && !paused && !tokens[to - 1]?.asks) {
    const first = finiteAt(tokens, at + 1, to)
    if (first < 0 || finiteAt(tokens, first + 2, to) < 0) return object('condition', `"${said}" puts a condition`)
  }
  const time = timeAhead(tokens, at, to)
  return time > 0 && /^(?: ?,? ?(?:i mean|i meant|instead|please|that is|then|at \S+|on \S+|morning|evening|afternoon|night|not (?:now|today)|first thing|or so|o'clock|am|pm))*$/u.test(spoken(tokens, at + time, to))
    ? object('later', `"${said}" is a later time; scheduled asks are not supported`) : undefined
}

function sentencesBefore(tokens: readonly Token[], from: number): [number, number][] {
  const found: [number, number][] = []
  for (let end = from; end > 0 && from - end < REACH;) {
    let start = end - 1
    while (start > 0 && tokens[start]?.pause !== 'hard') start--
    found.push([start, end])
    end = start
  }
  return found
}

/** "Bob, can you ...": one word with a comma that is a name or a trade, and no word of politeness. */
function addressee(tokens: readonly Token[], from: number, start: number): Objection | undefined {
  const at = head(tokens, from, start)
  // "Bob and Ann, please ..."
  if (tokens[at + 1]?.norm === 'and' && at + 2 < start && person(tokens[at] as Token)) return addressee(tokens, at + 2, start)
  const titled = /^(?:mr|mrs|ms|miss|dr|prof|professor|sir|madam|lady|lord|aunt|uncle|auntie)$/u.test(tokens[at]?.norm ?? '') && tokens[at + 1]?.pause === 'space' ? 1 : 0
  const name = tokens[at + titled]
  const after = tokens[at + titled + 1]
  if (!name || at >= start || !after || after.pause !== 'soft' || !/^ ?,/.test(after.before)) return undefined
  if (PREFIXES.has(name.norm)) return undefined
  const rest = head(tokens, at + titled + 1, start)
  if (rest < start) return person(name) && person(tokens[rest] as Token) ? addressee(tokens, at + titled + 1, start) : undefined
  const polite = /^(?:please|kindly|can you|could you|would you|will you)(?: |$)/u.test(spoken(tokens, at + titled + 1, start))
  if (polite && hasTag(name.norm, 'Noun') && !hasTag(name.norm, 'Date', 'Pronoun') && !SUFFIXES.has(name.norm)) return object('other-person', `"${name.norm}" is spoken to`)
  return titled > 0 || person(name) ? object('other-person', `"${name.norm}" is spoken to`) : undefined
}

function person(name: Token): boolean {
  return ASSISTANTS.has(name.norm) || hasTag(name.norm, ...NAMES, 'Actor', 'Honorific', 'ProperNoun') || PEOPLE.has(name.norm)
    || (name.capital && hasTag(name.norm, 'Noun') && !hasTag(name.norm, 'Plural', 'Date'))
    || (name.capital && /^\p{L}{3,}$/u.test(name.norm) && /[aeiouy]/.test(name.norm) && !isWord(name.norm) && !inDictionary(name.norm))
}

/** Tags of the names of people. */
const NAMES = ['FirstName', 'MaleName', 'FemaleName', 'LastName', 'Person']
/** People who are called by what they are. */
const PEOPLE = new Set(['kids', 'children', 'boys', 'girls', 'nurse', 'security', 'neighbour', 'neighbor', 'neighbours', 'neighbors', 'mum', 'mom', 'mummy', 'dad', 'daddy', 'grandma', 'grandpa', 'granny', 'son', 'daughter', 'waiter', 'waitress', 'driver', 'officer', 'doctor', 'teacher', 'coach', 'professor', 'reception', 'housekeeping'])

/** Names of other makers' assistants: what is said to them is not said to this listener. */
const ASSISTANTS = new Set(['alexa', 'siri', 'cortana', 'bixby', 'google', 'jarvis', 'hal', 'copilot', 'chatgpt', 'gemini', 'claude', 'echo'])

/** Marks of a line: quoted mail, a ticked box, a comment of markup. */
function marked(text: string, start: number): Objection | undefined {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const to = text.indexOf('\n', start)
  const line = text.slice(from, to < 0 ? text.length : to)
  if (/^\s*>(?!>)/u.test(line) && !/<\s*$/u.test(line)) return object('quotation', 'its line is quoted mail')
  if (/^\s*(?:[-*+\d.)]+\s*)?(?:\[[ xX✓✗-]?\]|[☐☑☒✅❌✔✘])/u.test(line)) return object('mention', 'it is an item of a list')
  // A message may stand between two asterisks; one before it alone makes it an item.
  if (/^\s*(?:[*•|]|\d{1,3}[.)])\s+\S/u.test(line) && !/[*•|]\s*$/u.test(line)) return object('mention', 'it is an item of a list')
  if (/^\s*(?:\[[^\]\n]{1,24}\]|<[\p{L} ]{1,24}>|\p{L}+>)\s/u.test(line) && line.search(/[\]>]/) + from < start) return object('other-person', 'its line is headed with somebody\'s name')
  if (/^\s*(?:>>>|[$%]>?|[\w.-]+@[\w.-]+[:~]\S*[$#]|[A-Za-z]:\\[^>]*>)\s+\p{L}/u.test(line)) return object('code', 'a prompt stands before it')
  if (/(?:;.*){2}/su.test(line) && /:\s/u.test(line.slice(0, start - from))) return object('mention', 'it is an item of a list')
  if (text.includes('\n') && /^\s*[\p{L}\d _-]+:\s*$/u.test(line)) return object('code', 'its line looks like code')
  return /<!--|-->(?!.*<--)/.test(line) ? object('code', 'its line looks like code') : undefined
}

function framed(tokens: readonly Token[], from: number, to: number): Objection | undefined {
  return broken(EARLIER, spoken(tokens, Math.max(from, to - REACH), to)) ?? fragment(tokens, from, to)
}

/** @param from where the sentence begins @param start where the request begins */
export function readBefore(text: string, tokens: readonly Token[], from: number, start: number): Objection | undefined {
  const own = start > from && start - from < REACH ? broken(BEFORE, spoken(tokens, from, start) + edge(tokens[start])) : undefined
  const found = marked(text, tokens[start]?.start ?? 0) ?? own ?? addressee(tokens, from, start)
  if (found) return found
  const before = sentencesBefore(tokens, from)
  const [nearest] = before
  if (nearest) {
    const said = spoken(tokens, Math.max(nearest[0], nearest[1] - REACH), nearest[1])
    const linked = /^(?:then|after that|afterwards|and then|only then)(?: |$)/u.test(spoken(tokens, from, start + 1))
    const named = head(tokens, ...nearest)
    if (named === nearest[1] - 1 && named - nearest[0] <= 2 && hasTag(tokens[named]?.norm ?? '', ...NAMES)) return object('other-person', `"${said}" speaks to somebody else`)
    const near = framed(tokens, ...nearest) ?? (linked ? broken(BEFORE, `${said} then`) : undefined)
    if (near) return near
    // "Never do this. Delete it. Unlock it.": it holds for a list of orders.
    const [, second] = before
    const listed = second && isBaseVerb(tokens[head(tokens, ...nearest)]?.norm ?? '') ? framed(tokens, ...second) : undefined
    if (listed) return listed
  }
  for (const sentence of before) {
    const handed = broken(HANDED, spoken(tokens, sentence[0], Math.min(sentence[1], sentence[0] + REACH)))
    if (handed) return handed
  }
  return undefined
}

function sentenceEnd(tokens: readonly Token[], at: number): number {
  let end = at + 1
  while (end < tokens.length && tokens[end]?.pause !== 'hard') end++
  return Math.min(end, at + REACH)
}

/** "Yours, Bob", on one line or two: what stands above is a letter. */
function signed(tokens: readonly Token[], at: number): boolean {
  const last = tokens.length - 1
  for (let from = Math.max(at, last - 5); from < last; from++) {
    const opens = from === at || tokens[from]?.pause === 'hard'
    if (opens && tokens[0]?.norm === 'dear' && tokens[last]?.capital === true && from === last - 1 && /^(?:cheers|thanks|thankyou)$/.test(tokens[from]?.norm ?? '')) return true
    if (opens && tokens[last]?.capital === true && CLOSING.test(spoken(tokens, from, tokens.length).replace(' , ', ' '))) return true
  }
  return false
}

/** "end my ride, pay, go home": a list of short entries goes on. */
function listed(tokens: readonly Token[], at: number, end: number): boolean {
  let entries = 0
  for (let from = at; from < end;) {
    let to = from + 1
    while (to < end && tokens[to]?.pause !== 'soft') to++
    const first = tokens[from] as Token
    const closes = [SUFFIXES, PREFIX_LIST, VOCATIVES].some(list => list.lengthsAt(tokens, from, to).includes(to - from))
    if (!/^ ?, ?$/.test(first.before) || to - from > (entries === 0 ? 1 : 3) || closes || !/^\p{L}+$/u.test(first.norm) || NEGATION.has(first.norm) || SUBJECT.has(first.norm) || first.capital) return false
    entries++
    from = to
  }
  return entries >= 2
}

const LOOSE = new Set([...SUBJECT, ...BARE_SUBJECT, ...AUX, ...ARTICLES, ...NEGATION, ...CONJUNCTION, 'please'])

/** "push my notes, daily ritual", "feed the cat, task 3", "..., note to self": a name for it, and no more. */
function titledAfter(tokens: readonly Token[], at: number, end: number): boolean {
  const first = tokens[at] as Token
  if (!/^ ?, ?$/.test(first.before) || end - at < 2 || end - at > 4 || [SUFFIXES, PREFIX_LIST, VOCATIVES].some(list => list.lengthsAt(tokens, at, end).length > 0)) return false
  if (spoken(tokens, at, end) === 'note to self') return true
  for (let i = at; i < end; i++) {
    const token = tokens[i] as Token
    if (LOOSE.has(token.norm) || PREPOSITION.has(token.norm) || token.capital || token.asks || (i > at && token.pause !== 'space' && token.pause !== 'glue') || token.norm.endsWith('ing')) return false
    if (i + 1 < end && token.norm.endsWith('\'s') && !SUBJECT.has(token.norm)) continue
    if (isFinite(token.norm) || (i === at && isBaseVerb(token.norm) && kindsOf(token.norm) === undefined)) return false
  }
  const last = tokens[end - 1]?.norm ?? ''
  if (/^\p{N}+$/u.test(last)) return META.has(tokens[end - 2]?.norm ?? '') && end - at === 2
  return /^[cxit]+$/.test(kindsOf(last) ?? '')
}

/** @param at the word after the request */
export function readAfter(tokens: readonly Token[], at: number): Objection | undefined {
  if (at >= tokens.length) return undefined
  if (signed(tokens, at)) return object('quotation', 'it is signed like a letter')
  let next = at
  if (tokens[at]?.pause !== 'hard') {
    next = sentenceEnd(tokens, at)
    const said = edge(tokens[at]).trim() + (edge(tokens[at]) ? ' ' : '') + spoken(tokens, at, next)
    const tag = tokens[next - 1]?.asks === true
    const name = tokens[at] as Token
    if (next - at === 1 && name.pause === 'soft' && /,/.test(name.before) && person(name) && !VOCATIVES.has(name.norm) && !SUFFIXES.has(name.norm)) return object('other-person', `"${name.norm}" is spoken to`)
    if (listed(tokens, at, next)) return object('mention', 'it is the first of a list')
    if (titledAfter(tokens, at, next)) return object('mention', `"${said}" says what it is`, false)
    const called = tokens[next - 1] as Token
    const corrects = /^(?:no|nope|nah|sorry|wait|oops|actually|i|rather|or|make)$/.test(tokens[at]?.norm ?? '')
    if (next - at > 1 && !corrects && called.pause === 'soft' && /^ ?, ?$/.test(called.before) && called.capital && person(called) && !VOCATIVES.has(called.norm) && !SUFFIXES.has(called.norm) && SUFFIXES.lengthsAt(tokens, at, next - 1).includes(next - 1 - at) && !/thank|cheers|^ta/.test(said)) return object('other-person', `"${called.norm}" is spoken to`)
    const found = (tag && next - at === 1 ? undefined : broken(AFTER, said)) ?? broken(REMARKS, said)
    if (found) return found
  }
  if (next >= tokens.length) return undefined
  const end = sentenceEnd(tokens, next)
  const said = spoken(tokens, next, end)
  return broken(NEXT, said) ?? broken(REMARKS, said) ?? fragment(tokens, next, end)
    ?? (IRONY.lengthsAt(tokens, next, end).length > 0 ? object('undo', `"${said.slice(0, 60)}" does not mean it`) : undefined)
}
