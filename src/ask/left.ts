/** Reads what stands before a request in its sentence: every word must be a wrapper, or a clause of its own that does not govern it. */
import { hasTag, isBaseVerb, isDescriptive, isFinite } from './english.ts'
import { joinedWords } from './phrases-at.ts'
import { conditionAt, timeAhead } from './times.ts'
import type { Token } from './tokens.ts'
import { object, type Objection } from './verdict.ts'
import { ARTICLES, AUX, BARE_SUBJECT, COPULA, DEFINITE, INDEFINITE, INSIDE, META, MODAL, NEGATION, POSSESSIVE_OTHER, PREPOSITION, QUANTIFIER, QUESTION, SPEECH, SUBJECT } from './words/classes.ts'
import { CORRECTIONS } from './words/classes.ts'
import { ALL_PREFIXES, HEADINGS, PREFIXES, PREFIX_LIST, SENTENCE_STARTERS, type VerbForm } from './words/prefixes.ts'
import { lemmas } from './words/verbs.ts'

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

interface Reach { readonly at: number, readonly asked: boolean, readonly form: VerbForm | undefined, readonly link: string | undefined, readonly reset: boolean, readonly taken: readonly string[] }

function wordsIn(phrase: string): number {
  let count = 1
  for (let at = phrase.indexOf(' '); at >= 0; at = phrase.indexOf(' ', at + 1)) count++
  return count
}

/** Said where one thing is done with and another begins. */
const REPORTS = new Set(['texted', 'messaged', 'emailed', 'mailed', 'begged', 'pleaded', 'ordered', 'warned', 'reminded', 'urged', 'instructed', 'asking', 'called', 'named', 'labelled', 'labeled', 'titled', 'say', 'says', 'said', 'saying', 'tell', 'tells', 'told', 'telling', 'shout', 'shouts', 'shouted', 'shouting', 'yell', 'yells', 'yelled', 'yelling', 'scream', 'screams', 'screamed', 'whispered', 'mentions', 'mentioned', 'wrote', 'writes', 'written', 'reads', 'replied', 'replies', 'typed', 'types', 'asked', 'asks', 'goes', 'sagt', 'sagte', 'dit', 'dice', 'dijo'])
const RESETS = new Set(['never mind', 'nevermind', 'nvm', 'forget that', 'forget it', 'scratch that', 'scrap that', 'strike that', 'correction'])
const STRONG_BREAK = new Set(['ok', 'okay', 'yep', 'yes', 'yeah', 'alright', 'all right', 'right', 'anyway', 'go on', 'go on then', 'come on', 'well', 'oh', 'whatever', 'instead', 'therefore', 'for now', 'never mind', 'quick', 'quickly'])
const LINKS = new Set(['and', 'but', 'or', 'then', 'so', 'and then', 'and so', 'and now', 'and also', 'and please', 'and just', 'but now', 'now', 'just', 'please', 'pls', 'ok', 'okay', 'anyway', 'so just', 'so please', 'so now', 'so go on', '&', 'instead', 'right', 'go on', 'come on', 'therefore', 'also', 'plus', 'yeah', 'oh', 'well', 'for now', 'now then', 'quickly', 'first', 'next', 'finally', 'lastly', 'go on then', 'whatever', 'yes', 'yep', 'alright', 'all right', 'never mind', 'quick', 'quickly'])

/** Wrapper phrases that end where the request begins, read backwards. */
function reaches(tokens: readonly Token[], from: number, start: number): Reach[] {
  const best = new Map<number, Reach>([[start, { at: start, asked: false, form: undefined, link: undefined, reset: false, taken: [] }]])
  const said = tokens[start]?.norm ?? ''
  const begun = tokens[start - 1]?.norm ?? ''
  if (start > from && begun.length > 0 && (said === begun || (begun.length > 2 && said.startsWith(begun)))) best.set(start - 1, { at: start - 1, asked: false, form: undefined, link: undefined, reset: false, taken: [] })
  for (let end = start; end > from; end--) {
    const here = best.get(end)
    if (!here) continue
    for (const phrase of ALL_PREFIXES.endingAt(tokens, from, end)) {
      const at = end - wordsIn(phrase)
      const kind = PREFIXES.get(phrase) ?? (at === from && SENTENCE_STARTERS.has(phrase) ? 'base' : tokens[end]?.pause !== 'space' && HEADINGS.has(phrase) ? 'particle' : undefined)
      if (kind === undefined) continue
      const opener = kind !== 'particle'
      const known = best.get(at)
      const reach: Reach = {
        at, asked: here.asked || opener, form: here.form ?? (opener ? kind : undefined), link: LINKS.has(phrase) ? phrase : here.link,
        reset: here.reset || CORRECTIONS.has(phrase) || RESETS.has(phrase), taken: [phrase, ...here.taken],
      }
      if (!known || (!known.asked && reach.asked)) best.set(at, reach)
    }
  }
  return [...best.values()].sort((a, b) => a.at - b.at)
}

const CONTENT_VERB = new Set(['write', 'create', 'draft', 'describe', 'explain', 'tell', 'ask', 'remind', 'teach', 'show', 'help', 'let', 'make', 'say', 'type', 'add', 'put', 'rename', 'name', 'call', 'translate', 'imagine', 'pretend', 'suppose', 'wait', 'remember', 'forget', 'note', 'list', 'plan', 'schedule', 'consider', 'give'])
const STANDS_ALONE = new Set(['this', 'that', 'these', 'those', 'one', 'some', 'another', 'all', 'both', 'any', 'each', 'either', 'neither', 'her', 'its', 'no'])
const FREQUENCY = new Set(['always', 'never', 'often', 'usually', 'sometimes', 'just', 'already', 'only', 'ever', 'rarely', 'still', 'really', 'almost', 'nearly', 'generally', 'normally', 'typically', 'automatically', 'also', 'even'])

/** The word before the request rules it: it is a thing said, wished, denied, named, and not a request. */
function governed(tokens: readonly Token[], from: number, to: number, paused: boolean, linked = false): Objection | undefined {
  let at = to - 1
  while (at > from && (FREQUENCY.has(tokens[at]?.norm ?? '') || tokens[at]?.norm === 'longer' || (!paused && hasTag(tokens[at]?.norm ?? '', 'Adverb') && !/^(?:now|again|here|there|up|down|off|out|on|in|back|away|then|too|today)$/.test(tokens[at]?.norm ?? '')))) at--
  const word = tokens[at]?.norm ?? ''
  const clause = tokens.slice(from, to).map(token => token.norm)
  const before = tokens[at - 1]?.norm ?? ''
  const negated = clause.some(item => NEGATION.has(item))
  if (NEGATION.has(word) && !(paused && /^(?:no|not)$/.test(word))) return object('negation', `"${word}" stands before it`)
  if (word === 'to' || (MODAL.has(word) && !paused)) {
    if (negated) return object('negation', `"${joinedWords(tokens, Math.max(from, at - 2), at + 1)}" says not to`)
    if (SPEECH.has(before) || (at >= 2 && SPEECH.has(tokens[at - 2]?.norm ?? ''))) return object('other-person', `"${joinedWords(tokens, Math.max(from, at - 2), at + 1)}" tells of somebody else's words`)
    return object('mention', `"${word}" makes it part of a statement`)
  }
  if (!paused && isDescriptive(word)) {
    let noun = at
    while (noun > from && isDescriptive(tokens[noun]?.norm ?? '') && tokens[noun]?.pause === 'space') noun--
    if (noun < at && (ARTICLES.has(tokens[noun]?.norm ?? '') || POSSESSIVE_OTHER.has(tokens[noun]?.norm ?? '') || (PREPOSITION.has(tokens[noun]?.norm ?? '') && hasTag(word, 'Adjective'))) && tokens[noun]?.norm !== 'that') return object('mention', `"${joinedWords(tokens, noun, at + 1)}" makes it a thing`, false)
  }
  if ((ARTICLES.has(word) || POSSESSIVE_OTHER.has(word) || QUANTIFIER.has(word)) && !(paused && STANDS_ALONE.has(word)) && !(word === 'one' && at > from)) return object('mention', `"${word}" makes it a thing`, false)
  const verbal = tokens[to]
  if (!paused && !linked && verbal?.capital === true && tokens[to - 1]?.capital === true) return object('mention', 'it is part of a name')
  if (META.has(word) && !linked && !paused) return object('mention', `"${word}" names it`)
  if (/^(?:wish|wishes|hope|hopes|hoped|imagine|pretend|suppose)$/.test(word)) return object('mention', `"${word}" only thinks of it`)
  if (paused) {
    const tail = clause.slice(-4)
    const told = tail.findLastIndex(item => REPORTS.has(item) && tail[tail.indexOf(item) - 1] !== 'been')
    if ((REPORTS.has(word) && before !== 'been') || (told >= 0 && !tail.slice(told + 1).some(item => isFinite(item) || SUBJECT.has(item)))) return object('report', `"${word}" tells what was said`)
    if (/^(?:which|who|whether|if|of|for|with|from|than|is|are|was)$/.test(word)) return object('mention', `"${word}" governs it`)
    return undefined
  }
  if (!linked && /'(?:s|ve|re|d|ll|m)$/.test(word)) return object('report', `"${word}" is its subject`)
  const asObject = /^(?:it|something|anything|everything|nothing)$/.test(word) && at - from >= 2 && finiteAt(tokens, from, at - 1) >= 0 && !/^(?:and|but|or|so|that|if|when|because|then)$/.test(before)
  if ((SUBJECT.has(word) || BARE_SUBJECT.has(word)) && !(linked && /^(?:it|you|that|this)$/.test(word)) && !asObject) return object(word === 'i' || word === 'we' || word === 'you' ? 'mention' : 'other-person', `"${word}" is its subject`)
  if (COPULA.has(word)) return object('mention', `"${word}" names it`)
  if (SPEECH.has(word) || (SPEECH.has(before) && /^(?:me|him|her|us|them|you|everyone|everybody|people)$/.test(word))) return object('report', `"${word}" tells what was said`)
  if (PREPOSITION.has(word) && !isClosingParticle(tokens, from, at)) return object('mention', `"${word}" governs it`)
  if (/^(?:that|which|who|whom|whose|what|why|how|where|whether|if|when|while|because|although)$/.test(word)) return object(word === 'if' || word === 'when' ? 'condition' : 'mention', `"${word}" governs it`)
  return undefined
}

/** "I only just put it up", "gone back in": a preposition with nothing to govern. */
function isClosingParticle(tokens: readonly Token[], from: number, at: number): boolean {
  const word = tokens[at]?.norm ?? ''
  return /^(?:up|down|off|out|over|in|on|through|around|past|by|inside|outside|along|below|above|about|since)$/.test(word) && at > from && (finiteAt(tokens, from, at) >= 0 || isBaseVerb(tokens[from]?.norm ?? ''))
}

/** The first word of a clause that makes it a statement, or -1: "is", "went", "I only just put", "the show starts". */
function finiteAt(tokens: readonly Token[], from: number, to: number): number {
  let subject = -1
  for (let at = from; at < to; at++) {
    const word = tokens[at]?.norm ?? ''
    const before = tokens[at - 1]?.norm ?? ''
    if (BARE_SUBJECT.has(word) || word === 'these' || word === 'those') subject = at
    if (isFinite(word) && !(at === from && isBaseVerb(word))) return at
    if (subject >= 0 && at > subject && at - subject <= 3 && isBaseVerb(word) && !/^(?:to|not)$/.test(before)) return at
    if (at > from && /[^s]s$/.test(word) && lemmas(word).some(({ word: stem, form }) => form === 's' && isBaseVerb(stem)) && !ARTICLES.has(before) && !PREPOSITION.has(before) && !isDescriptive(before) && !POSSESSIVE_OTHER.has(before)) return at
  }
  return -1
}

/** A statement that is complete before the request begins: it has a verb of its own, and does not end in its subject's name. */
function complete(tokens: readonly Token[], from: number, to: number): boolean {
  const clause = tokens.slice(from, to).map(token => token.norm)
  const place = finiteAt(tokens, from, to)
  const finite = place - from
  if (place < 0) return false
  const told = clause.slice(-4).findLastIndex(word => SPEECH.has(word) && !/^(?:like|need|needs|love|try|tried|see|saw|read|help|helps)$/.test(word))
  if (told >= 0 && !clause.slice(-4).slice(told + 1).some(word => isFinite(word))) return false
  return !clause.slice(Math.max(finite + 1, clause.length - 6)).some(word => /^(?:that|which|who|whose|whether|if|how|why)$/.test(word))
}

function judge(tokens: readonly Token[], from: number, reach: Reach): { objection?: Objection, weak: boolean } {
  const to = reach.at
  const pause = tokens[to]?.pause
  const paused = pause === 'soft' || pause === 'colon'
  const clauseStart = from
  // "hey, if ...", "ok when ...": wrappers may stand before the opener too.
  let head = clauseStart
  for (let moved = true; moved && head < to;) {
    moved = false
    for (const length of PREFIX_LIST.lengthsAt(tokens, head, to)) {
      const phrase = joinedWords(tokens, head, head + length)
      // "look at that" is no "look, ...".
      if (length === 1 && isBaseVerb(phrase) && tokens[head + 1]?.pause === 'space' && (PREPOSITION.has(tokens[head + 1]?.norm ?? '') || ARTICLES.has(tokens[head + 1]?.norm ?? ''))) continue
      if (PREFIXES.get(phrase) !== 'particle' || ((phrase === 'if' || conditionAt(tokens, head)) && length === 1)) continue
      head += length
      moved = true
      break
    }
  }
  if (head >= to) return { weak: false }
  const first = tokens[head]?.norm ?? ''
  const clause = tokens.slice(head, to).map(token => token.norm)
  const imperative = isBaseVerb(first) && !AUX.has(first) && !BARE_SUBJECT.has(first)
  if (paused && PREPOSITION.has(first) && !/^so/.test(reach.link ?? '') && finiteAt(tokens, head, to) < 0) {
    return { objection: object(/^(?:on|at|by|after|before|during|until|till|from|in|within)$/.test(first) ? 'later' : 'left-over', `"${joinedWords(tokens, head, to)}" before it is not accounted for`, false), weak: false }
  }
  if (paused && timeAhead(tokens, head, to) > 0 && finiteAt(tokens, head, to) < 0) return { objection: object('later', `"${joinedWords(tokens, head, to)}" is a later time; scheduled asks are not supported`), weak: false }
  for (let at = head; at < to; at++) {
    const opens = at === head || tokens[at]?.pause === 'soft' || tokens[at]?.pause === 'colon' || (/^(?:and|but|so|or)$/.test(tokens[at - 1]?.norm ?? '') && tokens[at - 1]?.pause === 'soft')
    if ((opens || finiteAt(tokens, head, at) < 0 && !imperative) && conditionAt(tokens, at) && !(PREPOSITION.has(tokens[at]?.norm ?? '') && !opens)) return { objection: object('condition', `"${joinedWords(tokens, at, Math.min(to, at + 4))} ..." puts a condition`), weak: false }
  }
  if (reach.reset && (!paused || reach.taken.some(phrase => RESETS.has(phrase)))) {
    if (paused) return { weak: true }
    const last = governed(tokens, head, to, true)
    return last && last.reason !== 'abstain:mention' ? { objection: last, weak: false } : { weak: false }
  }
  const last = tokens[to - 1]?.norm ?? ''
  const ruled = SUBJECT.has(last) || BARE_SUBJECT.has(last) || MODAL.has(last)
  const so = /^so/.test(reach.link ?? '')
  const rule = so && paused ? undefined : governed(tokens, head, to, paused || (reach.asked && (!ruled || /^(?:can|could|would|will|do|i|i'd|may|might)\b/.test(reach.taken[0] ?? ''))), reach.taken.length > 0)
  if (rule) return { objection: rule, weak: false }
  if (META.has(first) && clause.length <= 3 && !/^(?:note|request|question|reminder|message|task|command|instruction)s?$/.test(first)) return { objection: object('mention', `"${joinedWords(tokens, head, to)}" numbers it`), weak: false }
  if (pause === 'colon') {
    if (imperative) return { objection: object('other-object', `"${first} ..." asks for something else`), weak: false }
    if (clause.some(word => REPORTS.has(word) || /^(?:called|named|titled|labelled|labeled|means|reads)$/.test(word)) || /^(?:what|who|why|how|which|when|where)$/.test(first)) return { objection: object('report', 'what stands before the colon tells of words'), weak: false }
    if (!complete(tokens, head, to) && clause.length > 3 && first !== 'not') return { objection: object('mention', 'what stands before the colon is a label'), weak: false }
    if (finiteAt(tokens, head, to) < 0 && first !== 'not') return { objection: object('mention', 'what stands before the colon is a label'), weak: false }
  }
  if (tokens.slice(head + 1, to).some(token => token.pause === 'colon')) return { objection: object('mention', 'it is an item of a list'), weak: false }
  if (reach.asked && !paused && clause.some(word => /^(?:what|how|when|where|which|why|who)$/.test(word))) return { objection: object('question', `"${joinedWords(tokens, head, to)}" asks a question`), weak: false }
  if (reach.asked && !paused && !/^(?:can|could|would|will|won't|wouldn't|couldn't|might|so|please|pls|just|go|be|make|do me|kindly|i need|i want|i'd|and|then|but|ok|okay|now|yes|yeah)\b/.test(reach.taken[0] ?? '')) return { objection: object('mention', `"${joinedWords(tokens, head, to)}" goes before the wrapper`), weak: false }
  const about = clause.some((word, i) => /^(?:which|who|whose|how|where|why|whether)$/.test(word) || (word === 'that' && (i === clause.length - 1 || SUBJECT.has(clause[i + 1] ?? '') || ARTICLES.has(clause[i + 1] ?? '') || AUX.has(clause[i + 1] ?? ''))))
  const repaired = clause.findIndex((word, i) => i > 0 && (word === 'no' || CORRECTIONS.has(word) || CORRECTIONS.has(`${word} ${clause[i + 1] ?? ''}`)))
  if (repaired > 0 && imperative && !about && !clause.slice(0, repaired).some(word => SPEECH.has(word) && word !== first || NEGATION.has(word))) return { weak: true }
  if (imperative && CONTENT_VERB.has(first) && (about || !paused)) {
    if (!(reach.link && /^(?:and|then|and then|but|so)$/.test(reach.link) && !about)) return { objection: object('other-object', `"${first} ..." asks for something else`), weak: false }
  }
  if (clause.every(word => ARTICLES.has(word) || INSIDE.has(word)) && clause.some(word => INSIDE.has(word))) return { weak: false }
  // "no not eighteen um ...": what it is not, before what it is.
  if (first === 'not' && clause.length >= 2 && clause.length <= 6 && !isBaseVerb(clause[1] ?? '') && !clause.includes('to') && !paused) return { weak: true }
  if (QUESTION.has(first) && !reach.asked && !(reach.link !== undefined && STRONG_BREAK.has(reach.link)) && !/^(?:what's|don't|do)$/.test(first)) return { objection: object('question', `"${first} ..." asks a question`), weak: false }
  if (paused) {
    if (QUESTION.has(first) && reach.asked) return { weak: true }
    // "whoever is on duty will check it, lock the door and go home": the request may be one more thing on a list.
    const listed = clause.some((word, i) => i > 0 && /^(?:will|would|should|must|shall|may|might|to|always|usually|then)$/.test(word))
    return { weak: !/^so/.test(reach.link ?? '') && (listed || (!complete(tokens, head, to) && !imperative)) }
  }
  if (reach.asked) return { weak: false }
  const link = reach.link
  if (link !== undefined) {
    if (/^(?:or)$/.test(link)) return { objection: object('question', 'it is one of several choices'), weak: false }
    if (/^so/.test(link)) return { weak: false }
    if (STRONG_BREAK.has(link) && clause.length > 1) return { weak: true }
    if (/^(?:and|&|then|and then|and also|but)/.test(link)) {
      for (let at = head; at < to; at++) if (conditionAt(tokens, at) && !/^(?:but|in|the)$/.test(tokens[at]?.norm ?? '')) return { objection: object('condition', `"${joinedWords(tokens, at, Math.min(to, at + 4))} ..." comes first`), weak: false }
      if (imperative && !clause.some((word, i) => word === 'to' && isBaseVerb(clause[i + 1] ?? '')) && !about) return { weak: false }
      if (/^(?:but|so)/.test(link) && complete(tokens, head, to)) return { weak: false }
      if (/^and (?:now|so|please|just)/.test(link) && complete(tokens, head, to)) return { weak: false }
      return { objection: object(SUBJECT.has(first) ? 'other-person' : 'left-over', `"${joinedWords(tokens, head, Math.min(to, head + 5))}" goes with it`), weak: false }
    }
    if (complete(tokens, head, to) || imperative) return { weak: false }
    return { objection: object('left-over', `"${joinedWords(tokens, head, Math.min(to, head + 6))}" before it is not accounted for`, false), weak: false }
  }
  if ((complete(tokens, head, to) || fragment(tokens, head, to)) && settles(tokens, to - 1)) return { weak: true }
  return { objection: object(clause.some(item => NEGATION.has(item)) ? 'negation' : 'left-over', `"${joinedWords(tokens, head, Math.min(to, head + 6))}" before it is not accounted for`, false), weak: false }
}

/** "coffee in hand", "him again", "all gone": no verb, but more than somebody's name. */
function fragment(tokens: readonly Token[], from: number, to: number): boolean {
  if (to - from < 2) return false
  const clause = tokens.slice(from, to).map(token => token.norm)
  const last = clause[clause.length - 1] ?? ''
  if (/[^s]s$/.test(last) && !isDescriptive(last)) return false
  for (let at = from; at < to; at++) if (timeAhead(tokens, at, to) > 0) return false
  if (/^(?:them|him|her|us|you|they|we|he|she)$/.test(last)) return false
  if (/^(?:people|folks|men|women|children|kids|staff|team|crew)$/.test(last)) return false
  if (clause.some(word => /^(?:if|when|that|which|who|to|how|why|what|whether|never|not|always|can|will)$/.test(word))) return false
  return clause.slice(1).some(word => PREPOSITION.has(word) || /^(?:again|everywhere|gone|done|ready|here|there|now|already|first|too|all|set|clear|sorted|empty|full|over|time)$/.test(word)) || clause[0] === 'all'
}

/** A word after which a new sentence can begin without a pause in speech. */
function settles(tokens: readonly Token[], last: number): boolean {
  const word = tokens[last]?.norm ?? ''
  return !DEFINITE.has(word) && !INDEFINITE.has(word) && (isDescriptive(word) || !isBaseVerb(word)) && !/^(?:and|or|but|the|a|to|of)$/.test(word)
}

/** @param from where the sentence begins @param start where the request begins */
export function readLeft(tokens: readonly Token[], from: number, start: number): LeftFrame {
  const all = reaches(tokens, from, start)
  const whole = all.find(reach => reach.at === from)
  const frame = (reach: Reach, weak: boolean, objection?: Objection): LeftFrame => ({
    whole: reach.at === from, runOn: reach.at > from && tokens[reach.at]?.pause === 'space' && reach.taken.length === 0, asked: reach.asked, form: reach.form ?? 'base', weak, steps: reach.taken.map(phrase => `wrapper "${phrase}"`), ...(objection ? { objection } : {}),
  })
  if (whole) return frame(whole, false)
  let worst: LeftFrame | undefined
  for (const reach of all) {
    const { objection, weak } = judge(tokens, from, reach)
    if (!objection) return frame(reach, weak)
    worst = frame(reach, weak, objection)
    // "your brother says oh can you ...": no reading of fewer wrappers makes it less of a report.
    if (objection.firm && (reach.asked ? /report|condition|other-person|negation/ : /report|condition|later/).test(objection.reason)) return worst
  }
  return worst ?? frame({ at: start, asked: false, form: undefined, link: undefined, reset: false, taken: [] }, false)
}
