/** Is the request ruled by the word before it: a thing said, wished, denied or named, and not a request? */
import { hasTag, isDescriptive, isFinite } from './english.ts'
import { joinedWords } from './phrases-at.ts'
import { finiteAt, isClosingParticle } from './statements.ts'
import type { Token } from './tokens.ts'
import { object, type Objection } from './verdict.ts'
import { lemmas } from './words/verbs.ts'
import { ARTICLES, BARE_SUBJECT, COPULA, META, MODAL, NEGATION, POSSESSIVE_OTHER, PREPOSITION, QUANTIFIER, SPEECH, SUBJECT } from './words/classes.ts'

/** Verbs that tell of words. */
export const REPORTS = new Set(['texted', 'messaged', 'emailed', 'mailed', 'begged', 'pleaded', 'ordered', 'warned', 'reminded', 'urged', 'instructed', 'asking', 'called', 'named', 'labelled', 'labeled', 'titled', 'say', 'says', 'said', 'saying', 'tell', 'tells', 'told', 'telling', 'shout', 'shouts', 'shouted', 'shouting', 'yell', 'yells', 'yelled', 'yelling', 'scream', 'screams', 'screamed', 'whispered', 'mentions', 'mentioned', 'wrote', 'writes', 'written', 'reads', 'replied', 'replies', 'typed', 'types', 'asked', 'asks', 'goes', 'sagt', 'sagte', 'dit', 'dice', 'dijo'])
/** Right before words, with no pause: what is uttered. */
const UTTERING = new Set(['screaming', 'whispering', 'chanting', 'begging', 'writing', 'typing', 'texting', 'posting', 'insisting', 'demanding', 'suggesting', 'spamming', 'muttering', 'singing'])
const STANDS_ALONE = new Set(['this', 'that', 'these', 'those', 'one', 'some', 'another', 'all', 'both', 'any', 'each', 'either', 'neither', 'her', 'its', 'no'])
const FREQUENCY = new Set(['always', 'often', 'usually', 'sometimes', 'just', 'already', 'only', 'ever', 'rarely', 'still', 'really', 'almost', 'nearly', 'generally', 'normally', 'typically', 'automatically', 'also', 'even'])

/** Adverbs that no noun has after it. */
const STANDS_AFTER = /^(?:again|already|anyway|yet|too|either|though|ago|enough|indeed|alone|twice|once)$/
const PLACE_ADVERB = /^(?:now|again|here|there|up|down|off|out|on|in|back|away|then|too|today)$/

/** "will no longer ...", "always ...": what rules may stand before an adverb. */
function behindAdverbs(tokens: readonly Token[], from: number, to: number, paused: boolean): number {
  const skips = (word: string): boolean => FREQUENCY.has(word) || word === 'longer' || (!paused && hasTag(word, 'Adverb') && !PLACE_ADVERB.test(word))
  let at = to - 1
  while (at > from && skips(tokens[at]?.norm ?? '')) at--
  return at
}

/** "dog ate it": a verb in the past, whose object a pronoun is; "saw", "heard", "made", "let" have another verb after it. */
const tellsOf = (verb: string): boolean => !SPEECH.has(verb) && !MODAL.has(verb) && isFinite(verb) && lemmas(verb).some(({ form }) => form === 'ed')

/** The word before the request rules it: it is a thing said, wished, denied, named, and not a request. */
export function governed(tokens: readonly Token[], from: number, to: number, paused: boolean, linked = false): Objection | undefined {
  const at = behindAdverbs(tokens, from, to, paused)
  const word = tokens[at]?.norm ?? ''
  const clause = tokens.slice(from, to).map(token => token.norm)
  const before = tokens[at - 1]?.norm ?? ''
  const negated = clause.some(item => NEGATION.has(item))
  if (NEGATION.has(word) && !(paused && (/^(?:no|not)$/.test(word) || (at > from && /^(?:nothing|none|nobody|(?:is|are|was|were|does|did|has|have|had)n't)$/.test(word))))) return object('negation', `"${word}" stands before it`)
  if (word === 'to' || (MODAL.has(word) && !paused)) {
    if (negated) return object('negation', `"${joinedWords(tokens, Math.max(from, at - 2), at + 1)}" says not to`)
    if (SPEECH.has(before) || (at >= 2 && SPEECH.has(tokens[at - 2]?.norm ?? ''))) return object('other-person', `"${joinedWords(tokens, Math.max(from, at - 2), at + 1)}" tells of somebody else's words`)
    return object('mention', `"${word}" makes it part of a statement`)
  }
  if (!paused && isDescriptive(word) && !STANDS_AFTER.test(word)) {
    let noun = at
    while (noun > from && isDescriptive(tokens[noun]?.norm ?? '') && tokens[noun]?.pause === 'space') noun--
    if (noun < at && (ARTICLES.has(tokens[noun]?.norm ?? '') || POSSESSIVE_OTHER.has(tokens[noun]?.norm ?? '') || (PREPOSITION.has(tokens[noun]?.norm ?? '') && hasTag(word, 'Adjective'))) && tokens[noun]?.norm !== 'that') return object('mention', `"${joinedWords(tokens, noun, at + 1)}" makes it a thing`, false)
  }
  if ((ARTICLES.has(word) || POSSESSIVE_OTHER.has(word) || QUANTIFIER.has(word)) && !(paused && STANDS_ALONE.has(word)) && !(word === 'one' && at > from)) return object('mention', `"${word}" makes it a thing`, false)
  const verbal = tokens[to]
  // "a version of Junos Snapshot Administrator"; but where every word has a capital, it says nothing.
  const titled = tokens.slice(from, to).some(token => !token.capital && /^\p{L}+$/u.test(token.norm))
  if (!paused && !linked && titled && verbal?.capital === true && tokens[to - 1]?.capital === true) return object('mention', 'it is part of a name')
  if (/^(?:headed|entitled|marked|labelled|labeled|titled|captioned|tagged)$/.test(word) && at > from && !linked) return object('mention', `"${word}" names it`)
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
  const asObject = at - from >= 2 && !/^(?:and|but|or|so|that|if|when|because|then)$/.test(before)
    && ((/^(?:it|something|anything|everything|nothing)$/.test(word) && finiteAt(tokens, from, at - 1) >= 0) || (/^(?:it|them|me|us|him|her)$/.test(word) && tellsOf(before) && !SUBJECT.has(tokens[at - 3]?.norm ?? '')))
  if ((SUBJECT.has(word) || BARE_SUBJECT.has(word)) && !(linked && /^(?:it|you|that|this)$/.test(word)) && !asObject) return object(word === 'i' || word === 'we' || word === 'you' ? 'mention' : 'other-person', `"${word}" is its subject`)
  if (!linked && /^(?:has|have|had|hasn't|haven't|hadn't)$/.test(word)) return object('report', `"${word}" tells what was done`)
  if (COPULA.has(word)) return object('mention', `"${word}" names it`)
  if (/^(?:me|him|her|us|them|you)$/.test(word) && /^(?:have|has|had|having|get|gets|got|making|letting)$/.test(before) && at - from >= 2) return object('other-person', `"${before} ${word}" tells what others are to do`)
  if (word === 'about' && before.endsWith('ing')) return undefined
  if (SPEECH.has(word) || (!linked && UTTERING.has(word)) || (SPEECH.has(before) && /^(?:me|him|her|us|them|you|everyone|everybody|people)$/.test(word))) return object('report', `"${word}" tells what was said`)
  if (PREPOSITION.has(word) && !isClosingParticle(tokens, from, at)) return object('mention', `"${word}" governs it`)
  if (/^(?:that|which|who|whom|whose|what|why|how|where|whether|if|when|while|because|although)$/.test(word)) return object(word === 'if' || word === 'when' ? 'condition' : 'mention', `"${word}" governs it`)
  return undefined
}
