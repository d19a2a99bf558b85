/** Names that pass a human eye and are not what they seem: invisible characters, and letters of another script that look Latin. */
import { visible } from '../util/mask.ts'

/** Cyrillic, Greek, Armenian, Cherokee and full-width letters that print like a Latin one (from Unicode's confusables, the letters and digits of it). */
const LOOK_ALIKE: ReadonlyMap<string, string> = new Map(Object.entries({
  а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', у: 'y', х: 'x', і: 'i', ј: 'j', ѕ: 's', ԁ: 'd', һ: 'h', ӏ: 'l', ԛ: 'q', ԝ: 'w', ѵ: 'v', г: 'r', к: 'k', т: 't', м: 'm', п: 'n', в: 'b', н: 'h',
  А: 'A', В: 'B', Е: 'E', К: 'K', М: 'M', Н: 'H', О: 'O', Р: 'P', С: 'C', Т: 'T', У: 'Y', Х: 'X', Ѕ: 'S', І: 'I', Ј: 'J',
  α: 'a', ο: 'o', ν: 'v', ρ: 'p', τ: 't', υ: 'u', ι: 'i', κ: 'k', ω: 'w', χ: 'x', γ: 'y', η: 'n', ε: 'e', Α: 'A', Β: 'B', Ε: 'E', Η: 'H', Ι: 'I', Κ: 'K', Μ: 'M', Ν: 'N', Ο: 'O', Ρ: 'P', Τ: 'T', Χ: 'X', Υ: 'Y', Ζ: 'Z',
  օ: 'o', ո: 'n', ս: 'u', հ: 'h', ց: 'g', յ: 'j', ı: 'i', ɑ: 'a', ɡ: 'g', ǀ: 'l', ﬁ: 'fi', ﬂ: 'fl',
}))

/** The Latin letter that a character of another script prints like. */
export const lookAlikeOf = (char: string): string | undefined => LOOK_ALIKE.get(char)

/** What the name looks like: compatibility forms folded, look-alikes replaced, lower case, `0 o` and `1 l i` as one. */
export function skeleton(name: string): string {
  return [...name.normalize('NFKC')].map(char => LOOK_ALIKE.get(char) ?? char).join('')
    .replace(/[\p{Cf}\p{Cc}\p{Mn}\u{FE00}-\u{FE0F}]/gu, '').toLowerCase().replace(/[0]/g, 'o').replace(/[1li|]/g, 'l').replace(/[-_. ]/g, '_')
}

/** Why this name may not be trusted at first sight; undefined when it is plain. */
export function unsafeName(name: string): string | undefined {
  if (name === '') return 'the name is empty'
  if (visible(name) !== name) return `the name holds characters that cannot be seen: "${visible(name)}"`
  if (name.normalize('NFKC') !== name) return `the name is not in its plain Unicode form: it reads "${name.normalize('NFKC')}"`
  const strange = [...name].filter(char => LOOK_ALIKE.has(char))
  if (strange.length > 0 && /[a-z]/i.test([...name].filter(char => !LOOK_ALIKE.has(char)).join('')))
    return `the name mixes scripts: ${strange.map(char => `"${char}" (U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}) looks like "${LOOK_ALIKE.get(char)}"`).join(', ')}`
  if (name !== name.trim() || /\s\s|[^\S ]/.test(name)) return `the name holds white space that a person does not see: "${visible(name)}"`
  return name.length > 200 ? `the name has ${name.length} characters` : undefined
}

/** A server's name: plain, and without the slash that divides it from its tool's in `server/tool`. */
export function unsafeServerName(name: string): string | undefined {
  return /[\s/\\]/.test(name) ? `the server's name holds white space or a slash, and tools are named "server/tool": "${visible(name)}"` : unsafeName(name)
}

/** Groups of different names that look the same, each once. */
export function lookAlikes(names: readonly string[]): readonly (readonly string[])[] {
  const groups = new Map<string, Set<string>>()
  for (const name of names) groups.set(skeleton(name), (groups.get(skeleton(name)) ?? new Set()).add(name))
  return [...groups.values()].filter(group => group.size > 1).map(group => [...group])
}
