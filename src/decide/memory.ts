/**
 * What was said and returned a moment ago: so that a voice heard twice fires once, and our own words, played back by a speaker or a
 * notification, do not fire again (`gate:self`). In memory: it looks back seconds, and a restart takes longer.
 */
import { normalise } from '../util/text.ts'

/** Ms within which the same words do not fire the same route again. */
export const REPEAT_WINDOW = 5_000
/** Ms within which a text that a call returned counts as its echo. */
export const ECHO_WINDOW = 60_000
const MAX_STRINGS = 200

export class Memory {
  readonly #fired = new Map<string, { readonly said: string, readonly at: number }>()
  #returned: { readonly said: string, readonly at: number }[] = []

  /** @param said the event's text, normalised */
  called(route: string, said: string, result: unknown, now: number): void {
    this.#fired.set(route, { said, at: now })
    this.#returned = [...this.#returned.filter(item => now - item.at < ECHO_WINDOW), ...strings(result).map(text => ({ said: normalise(text), at: now }))].slice(-MAX_STRINGS)
  }

  justFired(route: string, said: string, now: number): boolean {
    const last = this.#fired.get(route)
    return last !== undefined && last.said === said && now >= last.at && now - last.at < REPEAT_WINDOW
  }

  isEcho(said: string, now: number): boolean {
    return this.#returned.some(item => item.said === said && now >= item.at && now - item.at < ECHO_WINDOW)
  }
}

/** The strings of a result, a few levels deep: a message that may come back. */
function strings(value: unknown, depth = 3): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  if (typeof value !== 'object' || value === null || depth === 0) return []
  return Object.values(value).slice(0, 50).flatMap(item => strings(item, depth - 1))
}
