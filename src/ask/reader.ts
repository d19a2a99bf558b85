/** Does a text ask for a route, in words? Reads it clause by clause and says what it read (`gate:explicit`). */
import type { AskReader } from '../ports.ts'
import type { Ask, AskReading, Route } from '../types.ts'
import { normalise } from '../util/text.ts'

export type AskRoute = Pick<Route, 'name' | 'phrases' | 'not' | 'lists'>

/** A reader for one table of routes. Pure: it keeps nothing between two texts. */
export function createAskReader(routes: Iterable<AskRoute>): AskReader {
  const table = [...routes]
  return {
    read(text): AskReading {
      const asks: Ask[] = []
      const wanted = normalise(text)
      for (const route of table) {
        const phrase = route.phrases.find(phrase => phrase.parts.every(part => part.kind === 'text') && normalise(phrase.text) === wanted)
        if (phrase) asks.push({ kind: 'ask', route: route.name, phrase, span: { start: 0, end: text.length }, captures: [], steps: ['equal to a trigger'] })
      }
      return { asks, notAsks: [] }
    },
  }
}
