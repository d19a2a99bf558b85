/** Durations, hours and days as a route file writes them. Strict: what is not exactly this form is undefined. */

export const DURATION_FORM = /^[1-9]\d{0,5}(?:ms|s|m|h|d)$/
export const HOURS_FORM = /^(?:[01]\d|2[0-3]):[0-5]\d-(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/
export const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export const DAYS_FORM = /^(?:sun|mon|tue|wed|thu|fri|sat)(?:-(?:sun|mon|tue|wed|thu|fri|sat))?$/

const UNIT_MS: ReadonlyMap<string, number> = new Map([['ms', 1], ['s', 1000], ['m', 60_000], ['h', 3_600_000], ['d', 86_400_000]])
const DAY_MINUTES = 24 * 60

/** `10s` is 10000 milliseconds. Whole numbers of ms, s, m, h or d; one unit. */
export function parseDuration(text: string): number | undefined {
  if (!DURATION_FORM.test(text)) return undefined
  const digits = /^\d+/.exec(text)?.[0] ?? ''
  const unit = UNIT_MS.get(text.slice(digits.length))
  return unit === undefined ? undefined : Number(digits) * unit
}

/** `08:00-22:00` is `[480, 1320)` minutes of the day; `22:00-06:00` is two ranges, so that no reader has to think of midnight. */
export function parseHours(text: string): readonly { readonly from: number, readonly to: number }[] | undefined {
  if (!HOURS_FORM.test(text)) return undefined
  const [from, to] = text.split('-').map(clock => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3)))
  if (from === undefined || to === undefined || from === to) return undefined
  if (from < to) return [{ from, to }]
  return [{ from, to: DAY_MINUTES }, { from: 0, to }].filter(range => range.from < range.to)
}

/** `mon-fri` is `[1, 2, 3, 4, 5]`, `fri-mon` is `[5, 6, 0, 1]`. */
export function parseDays(text: string): readonly number[] | undefined {
  if (!DAYS_FORM.test(text)) return undefined
  const [first, last] = text.split('-').map(day => (DAYS as readonly string[]).indexOf(day))
  if (first === undefined) return undefined
  const count = last === undefined ? 1 : (last - first + 7) % 7 + 1
  return Array.from({ length: count }, (_, at) => (first + at) % 7)
}
