/** What a reader finds in a text: a value, and the characters it stands in. */
import type { Json } from '../../types.ts'

export interface Reading { readonly value: Json, /** UTF-16 offsets into the text that was read. */ readonly start: number, readonly end: number, /** How it was read, for people. */ readonly how: string }

export const overlaps = (a: { readonly start: number, readonly end: number }, b: { readonly start: number, readonly end: number }) => a.start < b.end && b.start < a.end

/** Without readings that touch a longer one, or an equal one that came before. */
export function longest<T extends Reading>(readings: readonly T[]): readonly T[] {
  const kept: T[] = []
  const byLength = [...readings].sort((a, b) => (b.end - b.start) - (a.end - a.start) || a.start - b.start)
  for (const reading of byLength) if (!kept.some(one => overlaps(one, reading))) kept.push(reading)
  return kept.sort((a, b) => a.start - b.start)
}

/** Readings that touch none of the taken spans. */
export function outside<T extends Reading>(readings: readonly T[], taken: readonly { readonly start: number, readonly end: number }[]): readonly T[] {
  return readings.filter(reading => !taken.some(span => overlaps(span, reading)))
}
