/**
 * Patterns from a schema. The schema may come from a stranger, so JavaScript's own engine never runs one: it can be made to work for years on a
 * short text. RE2 needs time in proportion to the text, whatever the pattern. The only file that names the library.
 */
import type * as re2 from 're2js'
import type * as zod from 'zod'
import { lazily } from '../util/lazy.ts'
import { quoted } from '../util/mask.ts'

const engine = lazily<typeof re2>('re2js')
const ownFormats = lazily<typeof zod>('zod')

export type Pattern =
  | { readonly kind: 'pattern', readonly test: (text: string) => boolean }
  | { readonly kind: 'bad', readonly rule: 'bad-pattern' | 'unchecked-pattern', readonly message: string }

/** Longer ones are not compiled. */
export const MAX_PATTERN = 2_000
/** A longer text is not tried: linear in the text is still the pattern's size times the text. */
export const MAX_TEXT = 65_536

/** Patterns that were read and found harmless are run by JavaScript's engine where RE2 cannot, on short texts. */
const MAX_TRUSTED_TEXT = 1_000
let trusted: ReadonlySet<string> | undefined

/** zod writes its own formats out as patterns; servers built with it send the very same ones. No other is trusted, never one that a schema brought. */
function isTrusted(source: string): boolean {
  trusted ??= new Set(Object.values(ownFormats().regexes).flatMap(pattern => pattern instanceof RegExp ? [pattern.source] : []))
  return trusted.has(source)
}

const MAX_KEPT = 500
const compiled = new Map<string, Pattern>()

/** `bad-pattern`: not a regular expression. `unchecked-pattern`: one that cannot be run in bounded time (look-around, back references, too long). */
export function compilePattern(source: string): Pattern {
  const known = compiled.get(source)
  if (known) return known
  if (compiled.size >= MAX_KEPT) compiled.clear()
  const pattern = compileAnew(source)
  compiled.set(source, pattern)
  return pattern
}

export function patternProblem(source: string): Extract<Pattern, { kind: 'bad' }> | undefined {
  const pattern = compilePattern(source)
  return pattern.kind === 'bad' ? pattern : undefined
}

function compileAnew(source: string): Pattern {
  if (source.length > MAX_PATTERN) return bad('unchecked-pattern', source, `has more than ${MAX_PATTERN} characters`)
  if (!isJavaScript(source)) return bad('bad-pattern', source, 'is no regular expression of ECMA-262, which JSON Schema asks for')
  try {
    const { RE2JS } = engine()
    const re2 = RE2JS.compile(RE2JS.translateRegExp(source))
    return { kind: 'pattern', test: text => text.length <= MAX_TEXT && re2.matcher(text).find() }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (isTrusted(source)) return native(source)
    return bad('unchecked-pattern', source, 'cannot be run in bounded time (look-around, back reference or a huge repeat)')
  }
}

function native(source: string): Pattern {
  const pattern = new RegExp(source, 'u')
  return { kind: 'pattern', test: text => text.length <= MAX_TRUSTED_TEXT && pattern.test(text) }
}

function bad(rule: 'bad-pattern' | 'unchecked-pattern', source: string, what: string): Pattern {
  return { kind: 'bad', rule, message: `the pattern ${quoted(source.slice(0, 100))} ${what}` }
}

/** Compiled only, never run: compiling takes time in proportion to the pattern. */
function isJavaScript(source: string): boolean {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags) instanceof RegExp
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  return false
}
