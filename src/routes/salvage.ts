/** The sound part of a route whose form is wrong: read on only to find what else is wrong, never to be used. */
import { isRecord } from '../util/records.ts'
import type { Path } from './document.ts'
import type { RouteSource } from './format.ts'

/** Without these the rest cannot be judged: a missing list would look like a wrong slot. */
const NEEDED: ReadonlySet<unknown> = new Set(['lists', 'extends'])
const PHRASES: ReadonlySet<unknown> = new Set(['triggers', 'not'])

/** @param wrong paths inside the route. Undefined: nothing can be said of the rest. */
export function salvage(source: unknown, wrong: readonly Path[]): RouteSource | undefined {
  if (!isRecord(source) || wrong.some(([key]) => key === undefined || NEEDED.has(key))) return undefined
  const kept = new Map<string, unknown>(Object.entries(source))
  for (const [key, item] of wrong) {
    const list = kept.get(String(key))
    // A wrong item of a list of phrases keeps its number, so that the others keep their places.
    if (PHRASES.has(key) && typeof item === 'number' && Array.isArray(list)) kept.set(String(key), list.with(item, `phrase ${item} of ${String(key)}`))
    else kept.delete(String(key))
  }
  return { name: '', tool: '', triggers: [], ...Object.fromEntries(kept) } as unknown as RouteSource
}
