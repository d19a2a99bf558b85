/** START HERE. The second reading of one text: a few routes that come near, each scored with the text, and both readings made one. */
import type { AskScorer } from '../ports.ts'
import type { AskReading, Candidate } from '../types.ts'
import { combine, type ReaderScore } from './combine.ts'
import { readerPairs, type ReaderRoute } from './pairs.ts'

export interface SecondParts {
  readonly scorer: AskScorer
  readonly routes: ReadonlyMap<string, ReaderRoute>
  /** May the event's source fire the route at all? Where it may not, nothing is read. */
  readonly allowed: (route: string) => boolean
  /** May the reader alone fire it? Only without effects, or with `reader: fire`. */
  readonly mayFire: (route: string) => boolean
}

export interface SecondReading {
  readonly reading: AskReading
  /** Empty: the reader was not run. */
  readonly scores: readonly ReaderScore[]
}

/** Never rejects: a reader that fails is an objection to what the rules would fire, and else nothing. */
export async function secondReading(text: string, reading: AskReading, candidates: readonly Candidate[], parts: SecondParts): Promise<SecondReading> {
  const { scorer } = parts
  const pairs = readerPairs(text, reading, candidates, parts.routes, parts.allowed)
  const scores = await Promise.all(pairs.map(async ({ route, phrase, phrases }): Promise<ReaderScore> => {
    try {
      const probability = await scorer.score(phrases, text)
      return probability === undefined ? { kind: 'unread', route } : { kind: 'read', route, phrase, probability }
    } catch (error) {
      return { kind: 'failed', route, why: error instanceof Error ? error.message : String(error) }
    }
  }))
  if (scores.length === 0) return { reading, scores }
  return { reading: combine(text, reading, scores, scorer.thresholds, { model: shortName(scorer.id), mayFire: parts.mayFire }), scores }
}

/** `ask-reader@1a2b3c4d`: enough to tell two models apart in a row. */
function shortName(id: string): string {
  return id.replace(/@([0-9a-f]{8})[0-9a-f]*.*/, '@$1')
}
