/** Reads the parts after a comma, also those that a slot took in: "reorder coffee, life motto", "unlock the hall, oh it's open". */
import type { Alignment } from './align.ts'
import { spoken } from './around.ts'
import type { Token } from './tokens.ts'
import { object, type Objection } from './verdict.ts'
import { FOUND_OUT, TAILS } from './words/tails.ts'

/** A part with more words is a sentence of its own, which the other rules read. */
const LONGEST = 12

/** Not firm: what bars nothing else that is near in meaning from being offered. */
export function tailObjection({ start, end: stop, fills }: Alignment, tokens: readonly Token[]): Objection | undefined {
  let end = stop
  while (end < tokens.length && tokens[end]?.pause !== 'hard') end++
  for (let at = Math.max(start + 1, end - LONGEST); at < end; at++) {
    if (tokens[at]?.pause !== 'soft') continue
    const said = spoken(tokens, at, end)
    const held = fills.some(fill => fill.clausal && at >= fill.start && at < fill.end)
    const found = TAILS.find(rule => (rule.anywhere || !held) && rule.pattern.test(said))
    if (found) return object(found.reason, `"${said}" ${found.why}`, false)
    if ((!held || /\.\.|…|[—–]/.test(tokens[at]?.before ?? '')) && FOUND_OUT.test(said)) return object('undo', `"${said}" tells what was not known before`, false)
  }
  return undefined
}
