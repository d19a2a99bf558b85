/** Reads what stands before a request in its sentence: every word must be a wrapper, or a clause of its own that does not govern it. */
import { STRONG, WEAK, clauseOf, quote, refuse, type Clause, type Rule, type Ruling } from './clause.ts'
import { hasTag, isBaseVerb } from './english.ts'
import { REPORTS, governed } from './governed.ts'
import { joinedWords } from './phrases-at.ts'
import { HESITATION, breaksOff, elliptic, hesitates, meanwhile, repeats } from './preambles.ts'
import { complete, finiteAt, fragment, settles, standsApart } from './statements.ts'
import { leavesRoom, wholeQuestion, witnessed } from './talk.ts'
import { beforeClause, conditionAt, timeAhead } from './times.ts'
import type { Token } from './tokens.ts'
import type { Objection } from './verdict.ts'
import { ARTICLES, AUX, BARE_SUBJECT, CORRECTIONS, INSIDE, META, MODAL, NEGATION, PARTICLE, PREPOSITION, QUESTION, SPEECH, SUBJECT } from './words/classes.ts'
import type { VerbForm } from './words/prefixes.ts'
import { RESETS, STRONG_BREAK, joinedOn, reaches, type Reach } from './wrappers.ts'

export interface LeftFrame {
  readonly objection?: Objection
  /** "can you", "I want you to": the words say that this is a request. */
  readonly asked: boolean
  /** The form that the wrapper needs the verb in. */
  readonly form: VerbForm
  readonly steps: readonly string[]
  /** Set off by nothing but a comma fragment: fires only where the request ends its sentence. */
  readonly weak: boolean
  /** Nothing but wrappers from the beginning of the sentence on. */
  readonly whole: boolean
  /** It follows other words without a pause or a link. */
  readonly runOn: boolean
}

/** Verbs whose object is words or a work: what follows them is what is written, not what is asked. */
const CONTENT_VERB = new Set(['write', 'create', 'draft', 'describe', 'explain', 'tell', 'ask', 'remind', 'teach', 'show', 'help', 'let', 'make', 'say', 'type', 'add', 'put', 'rename', 'name', 'call', 'translate', 'imagine', 'pretend', 'suppose', 'wait', 'remember', 'forget', 'note', 'list', 'plan', 'schedule', 'consider', 'give'])

/** "before anybody slips: drain ...": it is asked for now. */
const sooner: Rule = ({ tokens, head, to, words, paused }) => paused && to - head <= 8 && (beforeClause(tokens, head) || meanwhile(tokens, head)) && !words.some(word => NEGATION.has(word)) && !tokens.slice(head + 1, to).some(token => token.pause !== 'space') ? WEAK : undefined

const time: Rule = clause => {
  const { tokens, head, to, first } = clause
  const ahead = clause.paused ? timeAhead(tokens, head, to) : 0
  if (ahead > 0 && /^(?:before|after|when|once|as)$/.test(tokens[head + ahead]?.norm ?? '')) return refuse('later', `${quote(clause, 99)} is a later time; scheduled asks are not supported`)
  if (!clause.paused || finiteAt(tokens, head, to) >= 0) return undefined
  if (PREPOSITION.has(first) && !clause.so) return refuse(/^(?:on|at|by|after|before|during|until|till|from|in|within)$/.test(first) ? 'later' : 'left-over', `${quote(clause, 99)} before it is not accounted for`, false)
  return timeAhead(tokens, head, to) > 0 ? refuse('later', `${quote(clause, 99)} is a later time; scheduled asks are not supported`) : undefined
}

const condition: Rule = ({ tokens, head, to, imperative }) => {
  for (let at = head; at < to; at++) {
    if (!conditionAt(tokens, at)) continue
    const before = tokens[at - 1]
    const pause = tokens[at]?.pause
    const opens = at === head || pause === 'soft' || pause === 'colon' || (/^(?:and|but|so|or)$/.test(before?.norm ?? '') && before?.pause === 'soft')
    if (!opens && (imperative || PREPOSITION.has(tokens[at]?.norm ?? '') || finiteAt(tokens, head, at) >= 0)) continue
    return refuse('condition', `"${joinedWords(tokens, at, Math.min(to, at + 4))} ..." puts a condition`)
  }
  return undefined
}

const reset: Rule = ({ tokens, head, to, reach, paused }) => {
  if (!reach.reset || (paused && !reach.taken.some(phrase => RESETS.has(phrase)))) return undefined
  if (paused) return WEAK
  const last = governed(tokens, head, to, true)
  return last && last.reason !== 'abstain:mention' ? { objection: last, weak: false } : STRONG
}

/** Said between one thing and the next, and never of a noun: "gloves on okay ...". "Right" and "well" are said of others too. */
const broken = ({ link }: Reach): boolean => link !== undefined && /^(?:ok|okay|yep|yeah|alright|anyway|go on then|come on|oh)$/.test(link)

const hesitated = ({ taken }: Reach): boolean => taken.some(phrase => HESITATION.test(phrase))

/** "he keeps asking so ...", "she misses the low end and so do i so ...": a sentence, and what follows from it. "To do so", "said so" are none. */
function concludes({ tokens, head, to, words }: Clause): boolean {
  const [before = '', last = ''] = words.slice(-2)
  if (words.length < 4 || finiteAt(tokens, head, to) < 0 || NEGATION.has(last) || /^(?:do|does|did|doing|done|think|thinks|thought|say|says|said|saying|tell|tells|hope|told|even|just|and|or|that|to|because)$/.test(last)) return false
  return SUBJECT.has(last) || BARE_SUBJECT.has(last) ? AUX.has(before) : !MODAL.has(last)
}

const government: Rule = clause => {
  const { tokens, head, to, words, first, reach, paused, so } = clause
  if (so && (paused || elliptic(tokens, head, to) || concludes(clause))) return undefined
  const last = words[words.length - 1] ?? ''
  const ruled = SUBJECT.has(last) || BARE_SUBJECT.has(last) || MODAL.has(last)
  const loose = paused || broken(reach) || (hesitated(reach) && !ruled) || (reach.asked && (!ruled || /^(?:can|could|would|will|do|i|i'd|may|might)\b/.test(reach.taken[0] ?? '')))
  const objection = governed(tokens, head, to, loose, reach.taken.length > 0)
  if (!objection) return undefined
  // "why did you ...": it is a question before it is anything else.
  if (QUESTION.has(first) && /mention|other-person/.test(objection.reason)) return refuse('question', `"${first} ..." asks a question`)
  return { objection, weak: false }
}

const numbered: Rule = clause => META.has(clause.first) && clause.words.length <= 3 && finiteAt(clause.tokens, clause.head + 1, clause.to) < 0 && !/^(?:note|request|question|reminder|message|task|command|instruction)s?$/.test(clause.first)
  ? refuse('mention', `${quote(clause, 99)} numbers it`) : undefined

/** Words for words, before a colon: what follows is an example of them. */
const WORDING = /^(?:commands?|phrases?|examples?|sentences?|words|lines|lyrics|titles?|slogans?|mottos?|buttons?|options?|triggers?|captions?|wordings?)$/

/** "let's hold off on: ...", "things to avoid: ...". */
const PUT_OFF = /^(?:hold|wait|avoid|avoiding|postpone|postponed|delay|delayed|refrain|skip|skipped|defer|deferred)$/

const colon: Rule = clause => {
  const { tokens, head, to, words, first } = clause
  if (clause.colon) {
    if (clause.imperative) return refuse('other-object', `"${first} ..." asks for something else`)
    if (words.some(word => PUT_OFF.test(word))) return refuse('negation', `${quote(clause, 99)} puts it off`)
    if (words.some(word => WORDING.test(word))) return refuse('mention', 'what stands before the colon speaks of words')
    // "fourth time lucky: ...", "worth writing down: ...": said of how things are, and no heading.
    const last = words[words.length - 1] ?? ''
    if (words.length >= 3 && (hasTag(last, 'Adjective', 'Adverb') || PARTICLE.has(last)) && !words.some(word => SPEECH.has(word) || META.has(word) || NEGATION.has(word) || QUESTION.has(word)) && finiteAt(tokens, head, to) < 0 && !tokens.slice(head + 1, to).some(token => token.pause !== 'space')) return WEAK
    if (words.slice(-4).some(word => REPORTS.has(word) || /^(?:means|reads)$/.test(word)) || /^(?:what|who|why|how|which|when|where)$/.test(first)) return refuse('report', 'what stands before the colon tells of words')
    if (first !== 'not' && (finiteAt(tokens, head, to) < 0 || (words.length > 3 && !complete(tokens, head, to)))) return refuse('mention', 'what stands before the colon is a label')
  }
  return tokens.slice(head + 1, to).some(token => token.pause === 'colon') ? refuse('mention', 'it is an item of a list') : undefined
}

/** Wrappers that may follow other words at once; the rest ("how about", "any chance of") must begin. */
const FREE_OPENER = /^(?:can|could|would|will|won't|wouldn't|couldn't|might|so|please|pls|just|go|be|make|do me|kindly|i need|i want|i'd|and|then|but|ok|okay|now|yes|yeah)\b/

const opener: Rule = clause => {
  const { reach, words } = clause
  if (!reach.asked || clause.paused) return undefined
  if (words.some(word => /^(?:what|how|when|where|which|why|who)$/.test(word))) return refuse('question', `${quote(clause, 99)} asks a question`)
  return FREE_OPENER.test(reach.taken[0] ?? '') ? undefined : refuse('mention', `${quote(clause, 99)} goes before the wrapper`)
}

/** "open the garage no I mean the gate ...": the words before are taken back. */
const repaired: Rule = ({ words, first, imperative, about }) => {
  const at = words.findIndex((word, i) => i > 0 && (word === 'no' || CORRECTIONS.has(word) || CORRECTIONS.has(`${word} ${words[i + 1] ?? ''}`)))
  return at > 0 && imperative && !about && !words.slice(0, at).some(word => (SPEECH.has(word) && word !== first) || NEGATION.has(word)) ? WEAK : undefined
}

const otherWork: Rule = ({ reach, first, imperative, about, paused }) => {
  if (!imperative || !CONTENT_VERB.has(first) || (paused && !about)) return undefined
  return reach.link !== undefined && /^(?:and|then|and then|but|so)$/.test(reach.link) && !about ? undefined : refuse('other-object', `"${first} ..." asks for something else`)
}

/** "the uh ...": begun and left. "no not eighteen um ...": what it is not, before what it is. */
const falseStart: Rule = ({ words, first, paused }) => {
  if (words.some(word => INSIDE.has(word)) && words.every(word => ARTICLES.has(word) || INSIDE.has(word))) return STRONG
  return first === 'not' && words.length >= 2 && words.length <= 6 && !isBaseVerb(words[1] ?? '') && !words.includes('to') && !paused ? WEAK : undefined
}

const question: Rule = ({ tokens, head, to, words, reach, first, paused }) => {
  if (!/^(?:who|what|where)/.test(first) && (!QUESTION.has(first) || /^(?:don't|do)$/.test(first))) return undefined
  if ((paused || broken(reach) || hesitated(reach)) && wholeQuestion(tokens, head, to)) return WEAK
  return QUESTION.has(first) && !reach.asked && !(reach.link !== undefined && STRONG_BREAK.has(reach.link)) && !(first === 'what\'s' && !words.some(word => META.has(word))) ? refuse('question', `"${first} ..." asks a question`) : undefined
}

const afterPause: Rule = ({ tokens, head, to, words, reach, first, imperative, paused, so }) => {
  if (!paused) return undefined
  if (QUESTION.has(first) && reach.asked) return WEAK
  // "whoever is on duty will check it, lock the door and go home": the request may be one more thing on a list.
  const listed = words.some((word, i) => i > 0 && /^(?:will|would|should|must|shall|may|might|to|always|usually|then)$/.test(word))
  return { weak: !so && (listed || (!complete(tokens, head, to) && !imperative)) }
}

const asked: Rule = ({ reach }) => reach.asked ? STRONG : undefined

const joined: Rule = clause => {
  const { tokens, head, to, words, imperative, about } = clause
  const { link } = clause.reach
  if (link === undefined) return undefined
  if (link === 'or') return refuse('question', 'it is one of several choices')
  if (clause.so) return STRONG
  if (STRONG_BREAK.has(link) && words.length > 1) return WEAK
  const whole = complete(tokens, head, to)
  if (!/^(?:and|&|then|but)/.test(link)) return whole || imperative ? STRONG : refuse('left-over', `${quote(clause)} before it is not accounted for`, false)
  for (let at = head; at < to; at++) if (conditionAt(tokens, at) && !/^(?:but|in|the)$/.test(tokens[at]?.norm ?? '')) return refuse('condition', `"${joinedWords(tokens, at, Math.min(to, at + 4))} ..." comes first`)
  if (imperative && !about && !words.some((word, i) => word === 'to' && isBaseVerb(words[i + 1] ?? ''))) return STRONG
  if (whole && /^(?:but|and (?:now|so|please|just))/.test(link)) return STRONG
  return refuse(SUBJECT.has(clause.first) ? 'other-person' : 'left-over', `${quote(clause, 5)} goes with it`)
}

/** Speech without pauses: only a sentence or a fragment that is complete by itself. */
const runOn: Rule = clause => {
  const { tokens, head, to } = clause
  if (hesitates(tokens, head, to)) return refuse('mention', `${quote(clause)} goes on with it`)
  if (witnessed(tokens, head, to)) return refuse('report', `${quote(clause)} tells what somebody did`)
  if ((complete(tokens, head, to) || fragment(tokens, head, to)) && settles(tokens, to - 1)) return WEAK
  if (!clause.imperative && !clause.about && standsApart(tokens, head, to, clause.reach.taken.length > 0)) return WEAK
  if (repeats(tokens, head, to) || (!clause.imperative && !clause.about && leavesRoom(tokens, head, to))) return WEAK
  if (!clause.about && hesitated(clause.reach) && breaksOff(tokens, head, to)) return WEAK
  return refuse(clause.words.some(word => NEGATION.has(word)) ? 'negation' : 'left-over', `${quote(clause)} before it is not accounted for`, false)
}

const RULES: readonly Rule[] = [sooner, time, condition, reset, government, numbered, colon, opener, repaired, otherWork, falseStart, question, afterPause, asked, joined, runOn]

function judge(tokens: readonly Token[], from: number, reach: Reach): Ruling {
  const clause = clauseOf(tokens, from, reach)
  if (clause.head >= clause.to) return STRONG
  for (const rule of RULES) {
    const ruling = rule(clause)
    if (ruling) return ruling
  }
  return STRONG
}

function frame(tokens: readonly Token[], from: number, reach: Reach, ruling: Ruling): LeftFrame {
  return {
    ...ruling, whole: reach.at === from, runOn: reach.at > from && tokens[reach.at]?.pause === 'space' && reach.taken.length === 0,
    asked: reach.asked, form: reach.form ?? 'base', steps: reach.taken.map(phrase => `wrapper "${phrase}"`),
  }
}

/** "do come in": a request with stress, not a wish. */
const STRESSED = /(?:^| )do(?: (?:please|just|kindly))?$/

/** What a wrapper that was not parted from the request makes of it. */
const JOINED_TO: readonly (readonly [RegExp, 'question' | 'negation'])[] = [[/n't |^or$/, 'question'], [/^(?:no|nope|not|never|nevermind|nvm)\b/, 'negation']]

/** @param from where the sentence begins @param start where the request begins */
export function readLeft(tokens: readonly Token[], from: number, start: number): LeftFrame {
  const all = reaches(tokens, from, start)
  const [furthest] = all
  if (furthest && furthest.at === from) return frame(tokens, from, furthest, furthest.wish && !furthest.taken.some(phrase => STRESSED.test(phrase)) ? WEAK : STRONG)
  const goesOn = furthest?.at === start ? joinedOn(tokens, from, start) : undefined
  if (goesOn !== undefined) return frame(tokens, from, furthest as Reach, refuse(JOINED_TO.find(([pattern]) => pattern.test(goesOn))?.[1] ?? 'mention', `"${goesOn}" goes on with it, with no pause between`))
  let worst: LeftFrame | undefined
  for (const reach of all) {
    const ruling = judge(tokens, from, reach)
    worst = frame(tokens, from, reach, ruling)
    if (!ruling.objection) return worst
    // "your brother says oh can you ...": no reading of fewer wrappers makes it less of a report.
    if (ruling.objection.firm && (reach.asked ? /report|condition|other-person|negation/ : /report|condition|later/).test(ruling.objection.reason)) return worst
  }
  return worst ?? frame(tokens, from, { at: start, asked: false, form: undefined, link: undefined, reset: false, taken: [], wish: false }, STRONG)
}
