/** The same text again: what was found of it is kept, since matcher and reader are pure. One for a table; another table gets another. */
import type { AskReader, Matcher } from '../ports.ts'
import type { AskReading, Candidate } from '../types.ts'
import { Lru } from '../util/lru.ts'

/** Texts that are kept, least recently used out first. */
const KEPT = 1024
/** Longer texts are not kept: they hardly come twice, and a thousand of them would be much memory. */
const LONGEST = 2048

interface Matched { readonly vector: Float32Array, readonly further: Float32Array | undefined, readonly candidates: readonly Candidate[] }
interface Read { readonly candidates: readonly Candidate[], readonly reading: AskReading }

/** The same matcher, which answers again what it was asked with the very same vectors. */
export function knowingMatcher(matcher: Matcher): Matcher {
  const known = new Lru<Matched>(KEPT)
  return {
    ...matcher.head === undefined ? {} : { head: matcher.head },
    ...matcher.vectorOf ? { vectorOf: text => matcher.vectorOf?.(text) } : {},
    ...matcher.further ? { further: text => matcher.further?.(text) } : {},
    match: (text, vector, k, further) => {
      if (k !== undefined || text.length > LONGEST) return matcher.match(text, vector, k, further)
      const before = known.get(text)
      if (before?.vector === vector && before.further === further) return before.candidates
      const candidates = matcher.match(text, vector, k, further)
      known.set(text, { vector, further, candidates })
      return candidates
    },
  }
}

/** The same reader, which reads a text once for the very same candidates. */
export function knowingReader(reader: AskReader): AskReader {
  const known = new Lru<Read>(KEPT)
  return {
    read: (text, candidates) => {
      if (text.length > LONGEST) return reader.read(text, candidates)
      const before = known.get(text)
      if (before?.candidates === candidates) return before.reading
      const reading = reader.read(text, candidates)
      known.set(text, { candidates, reading })
      return reading
    },
  }
}
