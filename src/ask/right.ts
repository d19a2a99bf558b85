/** Reads what stands after a request: only courtesy, a reason, a new sentence. A condition, a later time, a retraction or more of the object undo it. */
import { hasTag, isBaseVerb, isFinite, startsRequest } from './english.ts'
import { PhraseList, joinedWords } from './phrases-at.ts'
import { tellsFact } from './statements.ts'
import { beforeClause, conditionAt, timeAhead } from './times.ts'
import type { Token } from './tokens.ts'
import { object, type Objection } from './verdict.ts'
import { ARTICLES, AUX, BARE_SUBJECT, CORRECTIONS, META, NEGATIVE_STOP, PREPOSITION, SPEECH, SUBJECT } from './words/classes.ts'
import { PREFIXES } from './words/prefixes.ts'
import { IRONY, RETRACTIONS, STRONG_RETRACTIONS } from './words/retractions.ts'
import { NAMED, SUFFIXES, VOCATIVES } from './words/suffixes.ts'

export interface RightFrame {
  readonly objection?: Objection
  readonly steps: readonly string[]
  /** The request ends its sentence, courtesy aside. */
  readonly final: boolean
}

const RETRACTION_SET = new PhraseList(RETRACTIONS)
const HANG_ON = new PhraseList(['hang on', 'hold on', 'hang on a second', 'hang on a minute', 'one second', 'one moment'])
const REASON = new Set(['because', 'cos', 'coz', 'cuz', 'cause', 'since', 'seeing', 'otherwise', 'else', 'weil', 'denn', 'parce', 'porque', 'perché', 'want', 'que', 'che', 'dass', 'damit', 'sonst'])
const WEAK_ALONE = /^(?:hang on|in theory|in principle|theoretically|hypothetically|just testing|only testing|let's wait|already did|i already did|we already did|do it later|back out|undo|revert|don't|dont|no|nope|nah|stop|wait|hold on|oops|whoops|cancel|not|oh no|oh wait|no no|no wait|leave the|leave it|keep it|halt|abort|skip it|non|nein|do not|hold it|leave them|leave him|leave her|leave that|wait no|no no no|ah no|hmm no|um no|er no|uh no)$/

/** A taking back that begins here. Weak words must stand alone: "don't forget the milk" takes nothing back. */
export function retractionAt(tokens: readonly Token[], at: number, fresh: boolean): string | undefined {
  let start = at
  for (let moved = true; moved;) {
    moved = false
    const word = tokens[start]?.norm ?? ''
    if (/^(?:oh|ah|um|uh|er|erm|hmm|hm|actually|well|and|but|then|please|eh|argh|ugh|sorry|no|wait|or|yeah|mm|ok|okay|so|rather|maybe|perhaps|just|damn|shit|crap|oops|aha|lol|haha|heck|hell|whoa|drat|blast|bother|mistake|thanks|thx|ta)$/.test(word) && start + 1 < tokens.length && (start === at || tokens[start]?.pause !== 'hard')) {
      const [alone] = RETRACTION_SET.lengthsAt(tokens, start, tokens.length)
      if (alone !== undefined && standsAlone(tokens, start, alone)) return joinedWords(tokens, start, start + alone)
      start++
      moved = true
    }
  }
  // "no, hang on, don't": a breath before it is taken back.
  const breath = start > at || fresh ? HANG_ON.lengthsAt(tokens, start, tokens.length)[0] : undefined
  const after = breath !== undefined && start + breath < tokens.length ? retractionAt(tokens, start + breath, fresh) : undefined
  if (after !== undefined) return after
  if (breath !== undefined && start > at && start + breath < tokens.length) return (standsAlone(tokens, start, breath) ? joinedWords(tokens, at, start + breath) : undefined)
  for (const length of RETRACTION_SET.lengthsAt(tokens, start, tokens.length)) {
    const phrase = joinedWords(tokens, start, start + length)
    if (!WEAK_ALONE.test(phrase) || standsAlone(tokens, start, length)) return phrase
    if ((!fresh || tokens.slice(at, start).some(token => /^(?:no|nope|nah|wait)$/.test(token.norm))) && /^(?:leave|keep) (?:it|them|him|her|that)$/.test(phrase)) return phrase
    if (!fresh && /^(?:no|hold|stop|don't|dont|wait|oh no|keep)/.test(phrase) && !isBaseVerb(tokens[start + length]?.norm ?? '') && !isOrder(tokens, at, start, length)) return phrase
  }
  return undefined
}

/** "..., stop the music": an order of its own, about a thing that was not spoken of. */
function isOrder(tokens: readonly Token[], at: number, start: number, length: number): boolean {
  const [verb, article, thing] = [tokens[start]?.norm ?? '', tokens[start + length]?.norm ?? '', tokens[start + length + 1]?.norm]
  return length === 1 && /^(?:stop|hold|keep)$/.test(verb) && ARTICLES.has(article) && thing !== undefined && !tokens.slice(0, at).some(token => token.norm === thing)
}

function standsAlone(tokens: readonly Token[], at: number, length: number): boolean {
  const next = tokens[at + length]
  return !next || next.pause === 'hard' || next.pause === 'soft' || next.pause === 'colon' || NEGATIVE_STOP.has(next.norm) || SUBJECT.has(next.norm) || /^(?:that's|it's|the|he's|she's|sorry|please|not)$/.test(next.norm) && length > 1
}

function endOfSentence(tokens: readonly Token[], at: number): number {
  let end = at
  while (end < tokens.length && !(end > at && tokens[end]?.pause === 'hard')) end++
  return end
}

/** "..., he says", "..., they said": the words are somebody's. */
function reportAt(tokens: readonly Token[], at: number, end: number): boolean {
  const words = tokens.slice(at, Math.min(end, at + 5)).map(token => token.norm)
  const verb = words.findIndex(word => /^(?:say|says|said|saying|goes|told|yelled|shouted|wrote|writes|asked|asks|replied|screamed|whispered|muttered|insists|insisted|joked|jokes|quipped|laughed|sang|sighed|groaned|cried|mumbled|growled|chanted|begged|pleaded|barked|snapped|typed)$/.test(word))
  if (verb < 0) return false
  if (verb === 0) return true
  return words.slice(0, verb).every(word => !AUX.has(word)) && verb <= 3 && words[0] !== 'i' && words[0] !== 'as' && words[0] !== 'like' && words[0] !== 'you'
}

interface Walk { at: number, steps: string[] }

function afterPause(tokens: readonly Token[], at: number, end: number): Objection | undefined {
  const opening = joinedWords(tokens, at, Math.min(end, at + 3))
  if (/^(?:that's|its|it's|this is) (?:all|what|how|the|why|where|when)\b/.test(opening)) return object('mention', `"${opening}" says something of it`)
  if (tokens[at]?.pause === 'colon' && /^(?:that's|it's|this|that|is)$/.test(tokens[at]?.norm ?? '')) return object('mention', `"${opening}" says something of it`)
  if (tokens[at]?.pause === 'colon' && !SUBJECT.has(tokens[at]?.norm ?? '')) return object('left-over', `"${opening}" after the colon is not accounted for`, false)
  if (reportAt(tokens, at, end)) return object('report', `"${joinedWords(tokens, at, Math.min(end, at + 3))}" tells who said it`)
  if (conditionAt(tokens, at)) return object('condition', `"${joinedWords(tokens, at, Math.min(end, at + 4))} ..." puts a condition`)
  if (timeAhead(tokens, at, end) > 0) return object('later', `"${joinedWords(tokens, at, Math.min(end, at + 3))}" is a later time; scheduled asks are not supported`)
  if (/^(?:or)$/.test(tokens[at]?.norm ?? '') && tokens.slice(at, end).some(token => token.asks)) return object('question', 'it is one of several choices')
  if (/^(?:is|are|was|were|does|did|has|isn't|doesn't)$/.test(tokens[at]?.norm ?? '')) return object('mention', `"${tokens[at]?.norm ?? ''}" says something of it`)
  return undefined
}

/** One step along the words after the request; undefined: go on, an objection or `done` otherwise. */
function step(tokens: readonly Token[], edits: ReadonlyMap<number, number>, walk: Walk, end: number): Objection | 'done' | undefined {
  const { at } = walk
  const token = tokens[at] as Token
  const next = tokens[at + 1]?.norm ?? ''
  const word = token.norm
  const paused = token.pause === 'soft' || token.pause === 'colon'
  if (edits.has(at) && !SUFFIXES.lengthsAt(tokens, at, end).some(length => length >= 3)) return object('undo', 'it is corrected by what follows', false)
  const [term] = CORRECTIONS.lengthsAt(tokens, at, end)
  if (term !== undefined && at + term < end && /^(?:wait|no|nope|nah|hang|hold|oh|oops|actually)$/.test(word) && tellsFact(tokens, at + term)) return object('undo', `"${joinedWords(tokens, at, Math.min(end, at + term + 2))}" tells why not`)
  const taken = retractionAt(tokens, at, false)
  if (taken !== undefined && !/^(?:not|na|no)$/.test(taken)) return object('undo', `"${taken}" takes it back`)
  if (taken !== undefined && !paused && /^(?:not|no)$/.test(taken)) return object('undo', `"${taken}" takes it back`)
  if (/^(?:and|then|also|but|plus|so)$/.test(word) && (isBaseVerb(next) || SUBJECT.has(next))) return linked(tokens, at, end)
  const fits = (length: number): boolean => {
    const follows = tokens[at + length]
    if (conditionAt(tokens, at) && length === 1) return false
    // "..., I think two of these are the same": a sentence of its own, not a closing word.
    return !(paused && SUBJECT.has(word) && at + length < end && follows?.pause === 'space' && !SUFFIXES.has(follows.norm))
  }
  // "no rush" is courtesy; "no" alone takes it back, unless it asks for a yes.
  if (/^(?:no|nope|nah)$/.test(word) && !token.asks && !SUFFIXES.lengthsAt(tokens, at, end).some(length => length >= 2)) return object('undo', `"${joinedWords(tokens, at, Math.min(end, at + 4))}" takes it back`)
  const called = paused || walk.steps.length > 0 ? VOCATIVES.lengthsAt(tokens, at, end) : NAMED.lengthsAt(tokens, at, end).filter(length => at + length === end)
  const length = SUFFIXES.lengthsAt(tokens, at, end).find(fits) ?? called[0]
  if (length !== undefined) {
    walk.steps.push(`suffix "${joinedWords(tokens, at, at + length)}"`)
    walk.at += length
    return undefined
  }
  if (conditionAt(tokens, at)) return object('condition', `"${joinedWords(tokens, at, Math.min(end, at + 4))} ..." puts a condition`)
  if (timeAhead(tokens, at, end) > 0) return object('later', `"${joinedWords(tokens, at, Math.min(end, at + 3))}" is a later time; scheduled asks are not supported`)
  if (REASON.has(word) || beforeClause(tokens, at)) return 'done'
  if (/^(?:and|then|&|also|but|plus|so|or|as)$/.test(word)) return linked(tokens, at, end)
  if (paused && /^#\d+$/.test(word) && token.before.includes('(')) return object('mention', `"${word}" is a reference: it is a title`)
  if (paused) return afterPause(tokens, at, end) ?? 'done'
  if (/^(?:i|we|they|he|she|it|there|that|you|who)'(?:s|re|ve|ll|d|m)$/.test(word)) return 'done'
  if (BARE_SUBJECT.has(word) && (AUX.has(next) || isFinite(next) || isBaseVerb(next))) {
    if (SPEECH.has(next) && next !== 'need' && next !== 'want') return object('report', `"${word} ${next}" tells who said it`)
    return 'done'
  }
  if (AUX.has(word) && next === 'you') return 'done'
  // "open the gate the plumber's here": a new sentence that begins with its subject.
  if (/^(?:the|my|our|everything|everyone|everybody|all|these|those|somebody|someone|nobody|no)$/.test(word)) {
    const rest = tokens.slice(at + 1, Math.min(end, at + 6))
    const verb = rest.findIndex(item => isFinite(item.norm) || item.norm.endsWith('\'s'))
    // "cut the cake while it's warm", "... my phone, I mean": another subject comes first.
    if (verb >= 0 && !rest.slice(0, verb + 1).some(item => SUBJECT.has(item.norm) || BARE_SUBJECT.has(item.norm) || /^(?:while|when|if|because|before|after|until|as|so|and|but)$/.test(item.norm)) && !reportAt(tokens, at, end)) return 'done'
  }
  // "lock the front door turn off the lights": another request.
  if (isBaseVerb(word) && /^(?:the|my|our|this|that|me|it|them|all|on|off|up|down)$/.test(next) && !META.has(word)) return 'done'
  if (walk.steps.length > 0 && afterCourtesy(tokens, at, end, walk.steps.at(-1) ?? '')) return 'done'
  if (AUX.has(word) || isFinite(word)) return object('mention', `"${word}" says something of it`)
  const more = joinedWords(tokens, at, Math.min(end, at + 4))
  return object(PREPOSITION.has(word) ? 'other-object' : 'left-over', `"${more}" is not accounted for`, false)
}

const PLAIN_COURTESY = /"(?:please|pls|plz|thanks|thank you|thx|ta|cheers|bitte|danke|merci|stp|svp|por favor|gracias|porfa|per favore|grazie)"$/

/**
 * "... please it reeks", "... pls everyone's waiting", "... please coach": a courtesy closes the request, and what follows is a sentence of its own or who is spoken to,
 * unless it tells who said it, names somebody, or may still belong to the object.
 */
function afterCourtesy(tokens: readonly Token[], at: number, end: number, courtesy: string): boolean {
  if (!PLAIN_COURTESY.test(courtesy)) return false
  const rest = tokens.slice(at, end)
  const first = rest[0]?.norm ?? ''
  const clause = tellsMore(rest)
  if (!clause && rest.length > 2) return false
  if (!clause && (PREPOSITION.has(first) || AUX.has(first) || isFinite(first) || ARTICLES.has(first) || (isBaseVerb(first) && !hasTag(first, 'Noun')))) return false
  return !rest.some((token, i) => SPEECH.has(token.norm) && !/^(?:need|needs|want|wants|like)$/.test(token.norm) || META.has(token.norm) || NEGATIVE_STOP.has(token.norm) || CORRECTIONS.has(token.norm) || conditionAt(tokens, at + i) || timeAhead(tokens, at + i, end) > 0
    || (!clause && (token.capital || /[^\p{L}]/u.test(token.norm) || BARE_SUBJECT.has(token.norm) || hasTag(token.norm, 'FirstName', 'MaleName', 'FemaleName', 'LastName', 'Person', 'Adverb', 'Date') || !hasTag(token.norm, 'Noun', 'Actor'))))
    && !reportAt(tokens, at, end)
}

/** Has it a subject and a verb of its own? */
function tellsMore(rest: readonly Token[]): boolean {
  const [first, ...more] = rest.map(token => token.norm)
  if (first === undefined || more.length === 0) return false
  if (/^(?:it|he|she|they|we|i|everyone|everybody|everything|somebody|someone)$/.test(first)) return isFinite(more[0] ?? '') || isBaseVerb(more[0] ?? '') || /[^s]s$/.test(more[0] ?? '')
  if (/^(?:everyone|everybody|everything|somebody|someone)'s$/.test(first)) return true
  return /^(?:the|my|our)$/.test(first) && more.slice(1).some((word, i) => i < 2 && word !== 'to' && (isFinite(word) || isBaseVerb(word) || (more.length > 2 && /^(?:want|wants|need|needs)$/.test(word))))
}

function linked(tokens: readonly Token[], at: number, end: number): Objection | 'done' {
  const word = tokens[at]?.norm ?? ''
  let to = at + 1
  while (to < end && /^(?:then|also|please|just|now|maybe|so|while|you're|at|it|can|could|you|would|let's|go|ahead|and|not|don't|if|when|that|after|once)$/.test(tokens[to]?.norm ?? '')) to++
  const next = tokens[to]?.norm ?? ''
  const direct = tokens[at + 1]?.norm ?? ''
  const paused = tokens[at]?.pause !== 'space'
  // "take the hum out of it and you've got us", "... and she sleeps": what comes of it.
  if (word === 'and' && /^(?:you|you've|you'll|you'd|he|she|they|it|he'll|she'll|they'll|it'll)$/.test(direct) && !paused && tokens[at + 2]?.pause === 'space' && !(direct === 'you' && /^(?:can|could|may|should|will|would|need|are|were)$/.test(tokens[at + 2]?.norm ?? ''))) return object('mention', `"${joinedWords(tokens, at, Math.min(end, at + 4))}" tells what comes of it`, false)
  if (SUBJECT.has(next) || BARE_SUBJECT.has(next) || SUBJECT.has(direct)) {
    return reportAt(tokens, at + 1, end) ? object('report', 'it tells who said it') : 'done'
  }
  if (word === 'or') return object('question', 'it is one of several choices', false)
  if (word === 'as') return object('left-over', `"${joinedWords(tokens, at, Math.min(end, at + 4))}" is not accounted for`, false)
  // "page slider and page buttons are broken": a subject of two parts.
  const be = tokens.findIndex((token, i) => i > to && i < end && /^(?:is|are|was|were|aren't|isn't|don't|doesn't)$/.test(token.norm))
  if (isBaseVerb(next) && be > to && !tokens.slice(to, be).some(token => SUBJECT.has(token.norm) || BARE_SUBJECT.has(token.norm) || token.pause === 'soft' || /^(?:who|what|which|that|how|when|where|why|if|whether|there|whoever|whatever|the|my|him|her|them|me|us|you)$/.test(token.norm))) return object('mention', `"${tokens[be]?.norm ?? ''}" says something of it`)
  if (startsRequest(next, tokens[to + 1]?.norm ?? '') || PREFIXES.has(next) || (word === 'and' && direct === 'then')) return 'done'
  if (paused && (word === 'but' || word === 'so' || word === 'then')) return 'done'
  // "and the sent mail" is one thing more, "and the mail is sent" a sentence.
  if (tokens.slice(to, end).some((token, i) => isFinite(token.norm) && !ARTICLES.has(tokens[to + i - 1]?.norm ?? ''))) return 'done'
  return object('other-object', `"${joinedWords(tokens, at, Math.min(end, at + 4))}" adds something to it`, false)
}

/** "... found it nvm": a sentence that ends in taking it back. */
function closesWith(tokens: readonly Token[], at: number, stop: number): Objection | undefined {
  const last = joinedWords(tokens, Math.max(at, stop - 2), stop)
  // "Chair says recount, so don't", "all good, skip".
  if (stop > at && /^(?:(?:so|then|just|please) (?:don't|dont|skip)|skip)$/.test(last.split(' ').length > 1 && tokens[stop - 1]?.pause === 'soft' ? tokens[stop - 1]?.norm ?? '' : last)) return object('undo', `"${last}" takes it back`)
  return stop > at && /(?:^| )(?:nvm|nevermind|never mind|forget it|leave (?:it|them|him|her))$/.test(last) ? object('undo', `"${last}" takes it back`) : undefined
}

/** Words of the longest sentence that is a time. */
const MOST_TIME = 5

/** A later time or a retraction in the sentences that follow, as long as no other request came between. */
function laterRetraction(tokens: readonly Token[], end: number): Objection | undefined {
  let at = end
  // "open the vents. first thing": the next sentence is nothing but the time.
  const next = endOfSentence(tokens, at)
  const ahead = at < next && next - at <= MOST_TIME ? timeAhead(tokens, at, next) : 0
  if (ahead > 0 && (at + ahead >= next || SUFFIXES.lengthsAt(tokens, at + ahead, next).some(length => at + ahead + length === next))) return object('later', `"${joinedWords(tokens, at, next)}" is a later time; scheduled asks are not supported`)
  for (let sentences = 0; sentences < 3 && at < tokens.length; sentences++) {
    const taken = retractionAt(tokens, at, true)
    if (taken !== undefined) return object('undo', `"${taken}" takes it back`)
    const stop = endOfSentence(tokens, at)
    // "Book the lighthouse. Ngozi's on leave, don't book": the verb of before.
    for (let i = at; i + 1 < stop; i++) if (/^(?:don't|dont)$/.test(tokens[i]?.norm ?? '') && (i === at || tokens[i]?.pause === 'soft') && isBaseVerb(tokens[i + 1]?.norm ?? '') && tokens.slice(0, end).some(token => token.norm === tokens[i + 1]?.norm) && (i + 2 >= stop || /^(?:it|that|this|them|him|her|anything|yet|now)$/.test(tokens[i + 2]?.norm ?? ''))) return object('undo', `"${joinedWords(tokens, i, i + 2)}" takes it back`)
    const closed = closesWith(tokens, at, stop)
    if (closed) return closed
    for (let i = at; i < stop; i++) {
      const [length] = STRONG_RETRACTIONS.lengthsAt(tokens, i, stop)
      if (length !== undefined) return object('undo', `"${joinedWords(tokens, i, i + length)}" takes it back`)
    }
    at = stop
  }
  return undefined
}

/** @param at the word after the request */
export function readRight(tokens: readonly Token[], edits: ReadonlyMap<number, number>, at: number): RightFrame {
  const fresh = tokens[at]?.pause === 'hard'
  const end = fresh ? at : endOfSentence(tokens, at)
  const walk: Walk = { at, steps: [] }
  let final = true
  while (walk.at < end) {
    const result = step(tokens, edits, walk, end)
    if (result === 'done') { final = false; break }
    if (result) return { objection: result, steps: walk.steps, final: false }
  }
  // Within the rest of the sentence too: "..., it's three in the morning, no leave it".
  for (let i = walk.at; i < end; i++) {
    if ((tokens[i]?.pause === 'soft' || tokens[i]?.pause === 'colon') && /^(?:that's|that is) (?:how|what|all|the (?:rule|plan|idea|whole|trick|drill|joke|only)|(?:my|her|his|their|our|your) )/.test(`${joinedWords(tokens, i, Math.min(end, i + 3))} `)) return { objection: object('mention', `"${joinedWords(tokens, i, Math.min(end, i + 3))}" speaks about it`), steps: walk.steps, final: false }
    if (tokens[i]?.pause === 'soft' && IRONY.lengthsAt(tokens, i, end).length > 0) return { objection: object('mention', `"${joinedWords(tokens, i, Math.min(end, i + 4))}" does not mean it`), steps: walk.steps, final: false }
    if (STRONG_RETRACTIONS.lengthsAt(tokens, i, end).length > 0) return { objection: object('undo', `"${joinedWords(tokens, i, Math.min(end, i + 3))}" takes it back`), steps: walk.steps, final: false }
    if (tokens[i]?.pause !== 'soft' && i !== walk.at) continue
    const taken = retractionAt(tokens, i, true)
    if (taken !== undefined && !/^(?:no|not|na)$/.test(taken)) return { objection: object('undo', `"${taken}" takes it back`), steps: walk.steps, final: false }
  }
  const undone = closesWith(tokens, walk.at, end) ?? laterRetraction(tokens, end)
  return { ...(undone ? { objection: undone } : {}), steps: walk.steps, final }
}
