/** Denied or told by the one word before it: "no sync", "Jo turned the oven off", a Spanish "no". Where a trigger is few words, nothing else shows it. */
import type { Alignment } from './align.ts'
import { isBaseVerb } from './english.ts'
import { kindsOf } from './kinds.ts'
import { conditionAt } from './times.ts'
import type { Token } from './tokens.ts'
import { object, type Objection } from './verdict.ts'
import { ARTICLES, PARTICLE } from './words/classes.ts'
import { lemmas } from './words/verbs.ts'

/** Words of sentences in languages whose "no" is English "not"; none is a courtesy, which an English text may hold too. */
const NO_IS_NOT = new Set(['que', 'todavía', 'todavia', 'aún', 'porque', 'pero', 'está', 'aunque', 'perché', 'ancora', 'ainda', 'não', 'canceles', 'espera', 'voglio', 'quiero'])

/** "no stop" asks to stop. */
const HALTS = new Set(['stop', 'wait', 'cancel', 'pause', 'abort', 'halt', 'undo', 'skip', 'go'])

/**
 * "no lock please", "no water change": there is to be none. A "no" that corrects has a pause after it, or an object behind the verb.
 * @param from where the sentence begins
 */
export function deniedAlone({ pattern, start, end, fills }: Alignment, tokens: readonly Token[], from: number): Objection | undefined {
  const before = tokens[start - 1]
  const first = tokens[start]
  if (!before || !first || start - 1 < from || before.norm !== 'no' || first.pause !== 'space') return undefined
  if (tokens.some(token => NO_IS_NOT.has(token.norm))) return object('negation', '"no" is "not" in its language', false)
  if (tokens[start - 2]?.norm === 'no' || ARTICLES.has(first.norm)) return undefined
  const alone = end - start === 1 || tokens[start + 1]?.pause === 'soft'
  if (HALTS.has(first.norm)) return undefined
  const noun = (end - start === 1 || kindsOf(first.norm) !== undefined) && !tokens.slice(start, end).some(token => ARTICLES.has(token.norm) || /\p{N}/u.test(token.norm))
  const verbless = pattern.how === 'object first' || !isBaseVerb(first.norm)
  return noun && (alone || (verbless && fills.every(fill => fill.clausal || fill.start > start))) ? object('negation', '"no" stands before it', false) : undefined
}

/** A verb in the past, and in no other form. */
export const isTold = (word: string): boolean => !isBaseVerb(word) && lemmas(word).some(({ word: stem, form }) => form === 'ed' && isBaseVerb(stem))

/** "once Ms Haldane signs, grant her access": what stands in front is a condition, and no name. */
export function conditionInFront({ pattern, start, fills }: Alignment, tokens: readonly Token[]): Objection | undefined {
  const front = fills.find(fill => fill.start === start && !fill.clausal)
  return front && pattern.how !== 'as written' && front.end - front.start > 2 && conditionAt(tokens, start) ? object('condition', `"${tokens[start]?.norm ?? ''} ..." puts a condition`, false) : undefined
}

/** "mum turned lights off", "button marked hood on": what is on or off is the object of a verb that tells of it. */
export function toldOf({ pattern, start, fills }: Alignment, tokens: readonly Token[], from: number): Objection | undefined {
  const verb = tokens[start - 1]
  const last = pattern.elements.at(-1)
  if (!verb || start - 1 < from || tokens[start]?.pause !== 'space' || fills.some(fill => fill.start === start && fill.clausal)) return undefined
  if (pattern.how !== 'as written' || pattern.elements.length > 3 || last?.kind !== 'word' || !PARTICLE.has(last.word) || kindsOf(tokens[start]?.norm ?? '') === undefined && !/\p{N}/u.test(tokens[start]?.norm ?? '')) return undefined
  const told = isTold(verb.norm) || (start - 2 >= from && tokens[start - 1]?.pause === 'space' && lemmas(verb.norm).some(({ word, form }) => form === 's' && isBaseVerb(word)) && (kindsOf(verb.norm) === undefined || /^(?:he|she|it|who|that)$/.test(tokens[start - 2]?.norm ?? '')))
  return told ? object('report', `"${verb.norm}" tells what was done`, false) : undefined
}
