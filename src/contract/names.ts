/** Names that pass a human eye and are not what they seem: invisible characters, and letters of another script that look Latin. */
import { lookAlikeOf } from '../util/look-alike.ts'
import { visible } from '../util/mask.ts'

/** What the name looks like: compatibility forms folded, look-alikes replaced, lower case, `0 o` and `1 l i` as one. */
export function skeleton(name: string): string {
  return [...name.normalize('NFKC')].map(char => lookAlikeOf(char) ?? char).join('')
    .replace(/[\p{Cf}\p{Cc}\p{Mn}\u{FE00}-\u{FE0F}]/gu, '').toLowerCase().replace(/[0]/g, 'o').replace(/[1li|]/g, 'l').replace(/[-_. ]/g, '_')
}

/** Why this name may not be trusted at first sight; undefined when it is plain. */
export function unsafeName(name: string): string | undefined {
  if (name === '') return 'the name is empty'
  if (visible(name) !== name) return `the name holds characters that cannot be seen: "${visible(name)}"`
  if (name.normalize('NFKC') !== name) return `the name is not in its plain Unicode form: it reads "${name.normalize('NFKC')}"`
  const strange = [...name].filter(char => lookAlikeOf(char) !== undefined)
  if (strange.length > 0 && /[a-z]/i.test([...name].filter(char => lookAlikeOf(char) === undefined).join('')))
    return `the name mixes scripts: ${strange.map(char => `"${char}" (U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}) looks like "${lookAlikeOf(char)}"`).join(', ')}`
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
