/** The picture's stretch of time and its columns: hours of a day, days of a month, or equal parts of a longer time. */
import type { Filter } from './ports.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MOST_HOURS = 49
const MOST_DAYS = 62
const PARTS = 31

export interface Window {
  readonly unit: 'hour' | 'day' | 'part'
  /** Column n reaches from `edges[n]` to `edges[n + 1]`; the last one ends with the last edge. */
  readonly edges: readonly number[]
  /** The filter says nothing of time, so it is the day of `now`. */
  readonly today: boolean
}

/** The day of a moment, for a day on which nothing came. */
export function dayWindow(at: number): Window {
  const from = startOf(at, 'day')
  return { unit: 'hour', edges: steps(from, nextDay(from), 'hour'), today: false }
}

export function windowOf(filter: Filter, now: number): Window {
  if (filter.since === undefined && filter.until === undefined) return { ...dayWindow(now), today: true }
  const until = filter.until ?? now
  const since = filter.since ?? until - DAY
  if (since >= until) return { unit: 'hour', edges: [], today: false }
  if (until - since <= MOST_HOURS * HOUR) return { unit: 'hour', edges: steps(startOf(since, 'hour'), until, 'hour'), today: false }
  if (until - since <= MOST_DAYS * DAY) return { unit: 'day', edges: steps(startOf(since, 'day'), until, 'day'), today: false }
  return { unit: 'part', edges: Array.from({ length: PARTS + 1 }, (_, n) => Math.round(since + (until - since) * n / PARTS)), today: false }
}

function startOf(at: number, unit: 'hour' | 'day'): number {
  const date = new Date(at)
  return unit === 'hour' ? date.setMinutes(0, 0, 0) : date.setHours(0, 0, 0, 0)
}

/** By the calendar: a day in which the clocks change has 23 or 25 hours. */
function nextDay(at: number): number {
  const date = new Date(at)
  return date.setDate(date.getDate() + 1)
}

function steps(from: number, until: number, unit: 'hour' | 'day'): readonly number[] {
  const edges = [from]
  for (let at = from; at < until;) {
    at = unit === 'hour' ? at + HOUR : nextDay(at)
    edges.push(at)
  }
  return edges
}
