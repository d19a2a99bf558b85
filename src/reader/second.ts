/** START HERE. The second reading of one text: a few routes that come near, each scored with the text, and both readings made one. */
import type { AskScorer, ReaderThresholds } from '../ports.ts'
import type { AskReading, Candidate } from '../types.ts'
import { combine, type ReaderScore } from './combine.ts'
import { readerPairs, type ReaderPair, type ReaderRoute } from './pairs.ts'

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
  const scores = reading.asks.length > 0 ? await Promise.all(pairs.map(pair => scoreOf(scorer, text, pair))) : await nearScores(scorer, text, pairs)
  if (scores.length === 0) return { reading, scores }
  return { reading: combine(text, reading, scores, scorer.thresholds, { model: shortName(scorer.id), mayFire: parts.mayFire }), scores }
}

/** Of the widest part of the text that the reader can take in. */
export async function scoreOf(scorer: Pick<AskScorer, 'score'>, text: string, { route, phrase, phrases, spans, at }: ReaderPair): Promise<ReaderScore> {
  const about = { route, ...at === undefined ? {} : { at } }
  try {
    for (const span of spans) {
      const probability = await scorer.score(phrases, text.slice(span.start, span.end))
      if (probability !== undefined) return { kind: 'read', ...about, phrase, probability, ...span.start === 0 && span.end === text.length ? {} : { span } }
    }
    return { kind: 'unread', ...about }
  } catch (error) {
    return { kind: 'failed', ...about, why: error instanceof Error ? error.message : String(error) }
  }
}

/** One after the other, as its process reads them: a text that is so plainly no request to the nearest route is none to the next. */
async function nearScores(scorer: AskScorer, text: string, pairs: readonly ReaderPair[]): Promise<readonly ReaderScore[]> {
  const scores: ReaderScore[] = []
  for (const pair of pairs) {
    scores.push(await scoreOf(scorer, text, pair))
    if (endsReading(scores, scorer.thresholds)) break
  }
  return scores
}

/** Is what was read of the nearest routes enough, where nothing was asked for? */
export function endsReading(scores: readonly ReaderScore[], { none = 0 }: Pick<ReaderThresholds, 'none'>): boolean {
  const last = scores.at(-1)
  return last?.kind === 'read' && last.probability < none
}

/** `ask-reader@1a2b3c4d`: enough to tell two models apart in a row. */
function shortName(id: string): string {
  return id.replace(/@([0-9a-f]{8})[0-9a-f]*.*/, '@$1')
}
