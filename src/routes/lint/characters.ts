/** Characters that a reader does not see, or takes for others (FAULTS of tool and route names alike: an invisible word passes any review). */
import type { Route } from '../../types.ts'
import { capped, quoted, visible } from '../../util/mask.ts'
import { finding, type Finding } from '../finding.ts'
import type { LintContext } from './context.ts'

/** An emoji may hold joiners and variation selectors of its own. */
const EMOJI = /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F|\u200D\p{Extended_Pictographic})*/gu
/** Cyrillic and Greek letters that look like Latin ones. */
const LOOKS_LATIN = /^[аеорсухіјѕһԁԛԝАВЕКМНОРСТХІЈЅοανρτυκιΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]+$/u

export function strangeCharacters({ table }: LintContext): Finding[] {
  return [...table.routes.values()].flatMap(route => textsOf(route).flatMap(({ text, where, line }) => {
    const plain = text.replace(EMOJI, '')
    if (visible(plain) !== plain) return [finding('error', 'invisible-character', route, `${where} ${quoted(capped(text, 120))} holds characters that nobody sees; take them out`, line)]
    const word = confusableWord(plain)
    return word === undefined ? [] : [finding('error', 'confusable-character', route, `${where} ${quoted(capped(text, 120))}: the word "${word}" (${escaped(word)}) holds letters of another alphabet that look like Latin ones; type it again`, line)]
  }))
}

interface Text { readonly text: string, readonly where: string, readonly line?: number | undefined }

function textsOf(route: Route): Text[] {
  const texts: Text[] = [...(route.triggers ?? []), ...new Set(route.phrases.map(phrase => phrase.template))].map(text => ({ text, where: 'the trigger', line: route.phrases.find(phrase => phrase.template === text)?.line }))
  for (const text of route.not) texts.push({ text, where: 'the phrase under `not`' })
  for (const text of [...route.mustFire, ...route.mustNotFire]) texts.push({ text, where: 'the test sentence' })
  for (const text of [...route.from, ...route.allow]) texts.push({ text, where: 'the name' })
  for (const [name, values] of route.lists) for (const value of values) for (const text of [...value.in, ...typeof value.out === 'string' ? [value.out] : []]) texts.push({ text, where: `in list ${JSON.stringify(name)}` })
  for (const text of presetTexts(route.preset)) texts.push({ text, where: 'in the preset' })
  return [...new Map(texts.map(text => [`${text.where} ${text.text}`, text])).values()]
}

/** Keys and texts; line breaks and tabs inside a preset's text are ordinary. */
function presetTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value.replace(/[\n\r\t]/g, ' ')]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [...Array.isArray(value) ? [] : [key], ...presetTexts(inner)])
}

/** Two alphabets in one word, or a whole word of look-alikes in a text that is Latin elsewhere. */
function confusableWord(text: string): string | undefined {
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? []
  const hasLatin = (word: string) => /\p{Script=Latin}/u.test(word)
  const hasOther = (word: string) => /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(word)
  return words.find(word => hasLatin(word) && hasOther(word)) ?? (words.some(hasLatin) ? words.find(word => LOOKS_LATIN.test(word)) : undefined)
}

function escaped(word: string): string {
  return [...word].map(char => char < '\u0080' ? char : `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`).join('')
}
