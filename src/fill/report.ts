/** What `usher fill` shows: the filler's doing with any schema. */
import type { Capture, Json, JsonObject } from '../types.ts'
import { armedPairs } from '../schema/arming.ts'
import { visibleFromForeign } from '../schema/visible.ts'
import { fill } from './fill.ts'

export interface FillReport {
  /** Paths are JSON Pointers into the arguments; spans UTF-16 offsets into the text. */
  readonly filled: readonly { readonly path: string, readonly value: Json, readonly start: number, readonly end: number }[]
  readonly empty: readonly { readonly path: string, readonly reason: string }[]
  readonly armed: readonly { readonly path: string, readonly value: Json, readonly rule: string }[]
  readonly outcome: 'filled' | 'unfilled' | 'refused'
  readonly question?: string
  /** Why the schema cannot be used, for `refused`. */
  readonly reason?: string
}

export function fillReport(input: { readonly schema: unknown, readonly text: string, readonly at: number, readonly timeZone?: string, readonly captures?: readonly Capture[] }): FillReport {
  const seen = visibleFromForeign(input.schema)
  if (seen.kind === 'refused') return { filled: [], empty: [], armed: [], outcome: 'refused', reason: seen.reason }
  const visible: JsonObject = seen.schema
  const result = fill({ visible, text: input.text, captures: input.captures ?? [], at: input.at, ...(input.timeZone === undefined ? {} : { timeZone: input.timeZone }) })
  return {
    filled: result.filled.map(({ path, value, start, end }) => ({ path, value, start, end })),
    empty: result.empty.map(({ path, reason }) => ({ path, reason })),
    armed: armedPairs(visible).map(({ path, value, rule }) => ({ path, value, rule })),
    outcome: result.kind,
    ...(result.kind === 'unfilled' ? { question: result.question } : {}),
  }
}
