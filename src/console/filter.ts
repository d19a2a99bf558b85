/** What the list shows, as it stands in the address bar: a filter can be kept, sent and gone back to. */
import { parseDuration } from '../routes/units.ts'
import { isSource } from '../ingest/source.ts'
import { OUTCOMES } from '../vocabulary/outcomes.ts'
import type { EntryOutcome, Filter } from './ports.ts'

export const FILTER_NAMES = ['source', 'outcome', 'route', 'tool', 'text', 'since', 'until', 'effects'] as const
export type FilterName = (typeof FILTER_NAMES)[number]

export interface ReadFilter {
  readonly filter: Filter
  /** As typed, so that the form shows it again. */
  readonly typed: ReadonlyMap<FilterName, string>
  /** `seq` of the list's first line is below it. */
  readonly before?: number
  /** What could not be read, in words; it filters nothing. */
  readonly problems: readonly string[]
}

const LONGEST = 1000

/** @param now ms since 1970, for `90m` and `today` */
export function readFilter(params: URLSearchParams, now: number): ReadFilter {
  const typed = new Map<FilterName, string>()
  for (const name of FILTER_NAMES) {
    const value = params.get(name)?.trim().slice(0, LONGEST) ?? ''
    if (value !== '') typed.set(name, value)
  }
  const problems: string[] = []
  const source = typed.get('source')
  const outcome = typed.get('outcome')
  const since = readTime(typed.get('since'), 'since', now, problems)
  const until = readTime(typed.get('until'), 'until', now, problems)
  if (source !== undefined && !isSource(source)) problems.push(`source must be a name like "user" or "chat:alice", got ${JSON.stringify(source)}`)
  if (outcome !== undefined && !isOutcome(outcome)) problems.push(`outcome must be one of ${[...Object.keys(OUTCOMES), 'in-flight'].join(', ')}, got ${JSON.stringify(outcome)}`)
  if (since !== undefined && until !== undefined && since >= until) problems.push('since is not before until, so nothing can lie between them')
  const before = readBefore(params.get('before'), problems)
  return {
    typed, problems, ...(before === undefined ? {} : { before }),
    filter: {
      ...(source !== undefined && isSource(source) ? { source } : {}), ...(outcome !== undefined && isOutcome(outcome) ? { outcome } : {}),
      ...given('route', typed.get('route')), ...given('tool', typed.get('tool')), ...given('text', typed.get('text')),
      ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }), ...(typed.get('effects') === '1' ? { effects: true as const } : {}),
    },
  }
}

/** `?source=chat&outcome=called`; empty for no filter. */
export function filterQuery(typed: ReadonlyMap<FilterName, string>, more: { readonly [name: string]: string | undefined } = {}): string {
  const params = new URLSearchParams([...typed])
  for (const [name, value] of Object.entries(more)) {
    if (value === undefined) params.delete(name)
    else params.set(name, value)
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

function isOutcome(text: string): text is EntryOutcome {
  return text === 'in-flight' || Object.hasOwn(OUTCOMES, text)
}

function given<K extends 'route' | 'tool' | 'text'>(name: K, value: string | undefined): { readonly [key in K]?: string } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in K]?: string }
}

function readBefore(text: string | null, problems: string[]): number | undefined {
  if (text === null || text === '') return undefined
  const before = /^\d{1,15}$/.test(text) ? Number(text) : undefined
  if (before === undefined) problems.push(`before must be a row's number, got ${JSON.stringify(text.slice(0, LONGEST))}`)
  return before
}

/** `today`, `90m`, `7d`, `2026-03-01`, `2026-03-01T14:30` (local), or ms since 1970. */
function readTime(text: string | undefined, name: string, now: number, problems: string[]): number | undefined {
  if (text === undefined) return undefined
  if (text === 'today') return new Date(now).setHours(0, 0, 0, 0)
  if (/^\d{11,14}$/.test(text)) return Number(text)
  const ago = parseDuration(text)
  if (ago !== undefined) return now - ago
  // A date alone would be read as UTC, a date with a time as local: both are local here.
  const at = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?)?$/.test(text) ? Date.parse(text.length === 10 ? `${text}T00:00` : text) : Number.NaN
  if (!Number.isNaN(at)) return at
  problems.push(`${name} must be a duration like 90m or 7d, a date like 2026-03-01, or "today", got ${JSON.stringify(text)}`)
  return undefined
}
