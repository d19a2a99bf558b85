/** The same text again: what was found of it is kept, since matcher and reader are pure. One for a table; another table gets another. */
import type { AskReader, BegunReading, Matcher } from '../ports.ts'
import type { AskReading, Candidate } from '../types.ts'
import { Lru } from '../util/lru.ts'
import type { PhraseAnswers } from './phrase-answers.ts'

/** Texts that are kept, least recently used out first. */
const KEPT = 1024
/** Longer texts are not kept: they hardly come twice, and a thousand of them would be much memory. */
const LONGEST = 2048

interface Matched { readonly vector: Float32Array, readonly further: Float32Array | undefined, readonly candidates: readonly Candidate[] }
interface Read { readonly candidates: readonly Candidate[], readonly reading: AskReading }

/** The same matcher, which answers again what it was asked with the very same vectors. */
export function knowingMatcher(matcher: Matcher, answers?: PhraseAnswers): Matcher {
  const known = new Lru<Matched>(KEPT)
  return {
    ...matcher.head === undefined ? {} : { head: matcher.head },
    ...matcher.vectorOf ? { vectorOf: text => answers?.find(text)?.vector ?? matcher.vectorOf?.(text) } : {},
    ...matcher.further ? { further: text => answers?.find(text) ? undefined : matcher.further?.(text) } : {},
    match: (text, vector, k, further) => {
      if (k !== undefined || text.length > LONGEST) return matcher.match(text, vector, k, further)
      const answer = answers?.find(text)
      if (answer?.vector === vector && further === undefined) return answer.candidates
      const before = known.get(text)
      if (before?.vector === vector && before.further === further) return before.candidates
      const candidates = matcher.match(text, vector, k, further)
      known.set(text, { vector, further, candidates })
      return candidates
    },
  }
}

/** The same reader, which reads a text once for the very same candidates. */
export function knowingReader(reader: AskReader, answers?: PhraseAnswers): AskReader {
  const known = new Lru<Read>(KEPT)
  const kept = (text: string, candidates: readonly Candidate[], read: () => AskReading): AskReading => {
    if (text.length > LONGEST) return read()
    const answer = answers?.find(text)
    if (answer?.candidates === candidates) return answer.reading
    const before = known.get(text)
    if (before?.candidates === candidates) return before.reading
    const reading = read()
    known.set(text, { candidates, reading })
    return reading
  }
  const begin = (text: string): BegunReading => {
    const before = answers?.find(text) ?? known.get(text)
    // Most likely it comes with the same candidates; if not, it is read then.
    if (before) return { asks: before.reading.asks, finish: candidates => kept(text, candidates, () => reader.read(text, candidates)) }
    const begun = beginReading(reader, text)
    return { asks: begun.asks, finish: candidates => kept(text, candidates, () => begun.finish(candidates)) }
  }
  return { read: (text, candidates) => kept(text, candidates, () => reader.read(text, candidates)), ...reader.begin ? { begin } : {} }
}

/** Also of a reader that reads in one step: then nothing is known before the candidates are. */
export function beginReading(reader: AskReader, text: string): BegunReading {
  return reader.begin?.(text) ?? { asks: [], finish: candidates => reader.read(text, candidates) }
}
