/** What is wrong in a route file, with its place: collected, so that one run shows every problem and not only the first. */
import { UsherError } from '../errors.ts'
import type { Json } from '../types.ts'
import { capped, quoted, visible } from '../util/mask.ts'

/** `line` and `column` count from 1; 0: the file as a whole. */
export interface Place { readonly file: string, readonly line: number, readonly column: number }
export interface Problem extends Place { readonly message: string }

/** More than anybody reads; the count stays true. */
const MAX_SHOWN = 1000

export function placeText(place: Place): string {
  return place.line === 0 ? visible(place.file) : `${visible(place.file)}:${place.line}:${place.column}`
}

/** The value seen, on one line. Text is in quotation marks, so that `"true"` and `true` look different. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return `the text ${quoted(capped(value, 120))}`
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list: ${visible(capped(JSON.stringify(value as Json), 120))}`
  if (typeof value === 'object' && value !== null) return `a map: ${visible(capped(JSON.stringify(value), 120))}`
  return String(value)
}

/** In the order of files and lines, each place and message once. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>()
  const order = new Map([...new Set(problems.map(problem => problem.file))].map((file, at) => [file, at]))
  return problems
    .filter(problem => {
      const key = `${placeText(problem)} ${problem.message}`
      return !seen.has(key) && seen.add(key)
    })
    .sort((a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || a.line - b.line || a.column - b.column)
}

export function problemText(problem: Problem): string {
  return `${placeText(problem)}: ${problem.message}`
}

/** ROUTES_INVALID with every problem, one a line. */
export function invalidRoutes(problems: readonly Problem[]): UsherError {
  const [first] = problems
  if (first && problems.length === 1) return new UsherError('ROUTES_INVALID', `${first.message} (no route was loaded)`, { where: placeText(first) })
  const lines = problems.slice(0, MAX_SHOWN).map(problemText)
  const more = problems.length > MAX_SHOWN ? [`... and ${problems.length - MAX_SHOWN} more`] : []
  return new UsherError('ROUTES_INVALID', [`${problems.length} problems in the route files, so no route was loaded:`, ...lines, ...more].join('\n'))
}
