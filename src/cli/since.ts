/** `--since 90m`, `--since 7d`, `--since 2026-03-01`, `--since today`. */
import { UsherError } from '../errors.ts'
import { parseDuration } from '../routes/units.ts'

/** @returns ms since 1970. Throws BAD_OPTION. */
export function sinceOption(text: string, name = '--since', now = Date.now()): number {
  if (text === 'today') return new Date(now).setHours(0, 0, 0, 0)
  const ago = parseDuration(text)
  if (ago !== undefined) return now - ago
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) throw new UsherError('BAD_OPTION', `${name} must be a duration like 90m or 7d, a date like 2026-03-01, or "today", got ${JSON.stringify(text)}`)
  return at
}
