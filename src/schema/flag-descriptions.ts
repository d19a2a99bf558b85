/** What a flag's description says, where its name says nothing: "Set to true to delete the branch". */
import { latinLook } from '../util/look-alike.ts'
import { ALSO_NOUNS, WEAK_VERBS } from './arming-words.ts'
import type { Flag } from './flag-names.ts'
import { effectVerb, wordsOf } from './words.ts'

const LEAD = /^(?:(?:optional(?:ly)?|flag|boolean|if|when|whether|set|this|it|or|not|to|should|is|be|true|`+true`+|'true'|"true"|enabled|the|tool|server|will|also|automatically|immediately|then|a|user|that|value)\b[\s:,.`()'"*-]*)+/i
const SKIPS_SAFETY = /\b(?:skips?|bypass(?:es)?|without|disables?)\b[^.]{0,20}\b(?:confirmations?|prompts?|approvals?|safety|checks)\b/i

/** The first doing word of the first sentence, once the usual opening is off ("If true, the server will"). */
export function describedFlag(description: string): Flag | undefined {
  const sentence = latinLook(description.slice(0, 600)).trim().slice(0, 300).split(/(?<=[.;])\s|\n/)[0] ?? ''
  const safety = SKIPS_SAFETY.exec(sentence)
  if (safety) return { arms: true, rule: 'description', why: `the description says "${safety[0]}"` }
  const lead = LEAD.exec(sentence)
  const word = wordsOf(sentence.slice(lead?.[0].length ?? 0))[0]
  const verb = word === undefined ? undefined : effectVerb(word)
  if (!verb || (verb.form !== 'base' && verb.form !== 'third') || WEAK_VERBS.has(verb.verb)) return undefined
  // "Email of the owner": a noun may open a description, an order needs "to" or "will" before it.
  if (ALSO_NOUNS.has(verb.verb) && verb.form === 'base' && !/\b(?:to|will|should|and)\W*$/i.test(lead?.[0] ?? '')) return undefined
  return { arms: true, rule: 'description', why: `the description says that it happens ("${word}")` }
}
