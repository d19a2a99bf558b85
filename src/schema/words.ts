/** Names cut into words, and words led back to the verb behind them. Whole words only: the letters `post` inside `postal` are no word. */
import { latinLook, unaccented } from '../util/look-alike.ts'
import { ACTION_NOUNS, EFFECT_VERBS, ENUM_VERBS, IRREGULAR_FORMS } from './arming-words.ts'

export type Form = 'base' | 'third' | 'past' | 'ing' | 'noun'
export interface VerbForm { readonly verb: string, readonly form: Form }

/** `sendHTTPRequest`, `send_http_request`, `send-http.request` and `SEND HTTP REQUEST` are all `send http request`, and a Cyrillic `е` in it is an `e`: what a person reads counts. */
export function wordsOf(name: string): readonly string[] {
  return latinLook(name).normalize('NFKC')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replace(/['\u2019]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
}

const VOWEL_END = /[^aeiou][aeiou][^aeiouwxy]$/

function formsOf(verb: string): readonly (readonly [string, Form])[] {
  const third = /(?:s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`
  const past = verb.endsWith('e') ? `${verb}d` : /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`
  const ing = /[^e]e$/.test(verb) ? `${verb.slice(0, -1)}ing` : `${verb}ing`
  const forms: [string, Form][] = [[verb, 'base'], [third, 'third'], [past, 'past'], [ing, 'ing']]
  // `submit` and `commit` double their last letter, `open` does not: both spellings are taken.
  if (VOWEL_END.test(verb)) forms.push([`${verb}${verb.at(-1) ?? ''}ed`, 'past'], [`${verb}${verb.at(-1) ?? ''}ing`, 'ing'])
  return forms
}

function table(verbs: readonly string[]): ReadonlyMap<string, VerbForm> {
  const forms = new Map<string, VerbForm>()
  for (const [noun, verb] of ACTION_NOUNS) forms.set(noun, { verb, form: 'noun' })
  for (const verb of verbs) for (const [word, form] of formsOf(verb)) forms.set(word, { verb, form })
  for (const [word, verb] of IRREGULAR_FORMS) if (verbs.includes(verb)) forms.set(word, { verb, form: 'past' })
  return forms
}

const effectForms = table(EFFECT_VERBS)
const enumForms = table([...EFFECT_VERBS, ...ENUM_VERBS])

export const effectVerb = (word: string): VerbForm | undefined => effectForms.get(unaccented(word))
export const enumVerb = (word: string): VerbForm | undefined => enumForms.get(unaccented(word))
