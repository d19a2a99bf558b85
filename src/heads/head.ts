/** A fitted head: which route a text asks for, how sure that is, and what each route has to reach. */
import { standing, type Standing } from './fit.ts'
import { KERNEL, KernelRows, kernelRow, type KernelRow, type Vectors } from './kernel.ts'
import { logitOf, sigmoid, type Logistic } from './logistic.ts'

/** What one route's threshold rests on. */
export interface RouteEvidence {
  /** Probability that fires the route; absent: its nearest phrase decides. */
  readonly threshold: number
  /** `budget`, `never` (a sentence of `not` or `must_not_fire` scores as high), `calibrated` (a person ran usher calibrate) or `kept` (calibrated before its phrases changed). */
  readonly by: 'budget' | 'never' | 'calibrated' | 'kept'
  /** Phrases judged by the others, and how many of them reach the threshold as this route. */
  readonly phrases: number
  readonly hits: number
}

/** Everything but the rows' own numbers: what a person reads of a head. */
export interface HeadFacts {
  readonly encoder: string
  /** Names, in the order of the outputs. */
  readonly routes: readonly string[]
  /** Of the routes that have a head. */
  readonly evidence: ReadonlyMap<string, RouteEvidence>
  readonly probability: Logistic
  readonly budget: number
  /** Neutral texts judged, how many would fire, and the upper 95 % bound of their share. */
  readonly neutral: number
  readonly fired: number
  readonly bound: number
  readonly thin: boolean
}

export interface HeadParts extends HeadFacts {
  /** SHA-256 of everything that a decision rests on. */
  readonly hash: string
  readonly texts: readonly string[]
  readonly vectors: readonly Vectors[]
  readonly weights: Float32Array
  readonly centres: Float32Array
}

export interface Scored { readonly route: string, readonly score: number, readonly probability: number }

export class Head {
  readonly facts: HeadFacts
  readonly hash: string
  readonly #rows: KernelRows
  readonly #weights: Float32Array
  readonly #centres: Float32Array
  readonly #outputs: number

  /** @param kernels of the parts' texts, where the caller has them already */
  constructor(parts: HeadParts, kernels?: readonly KernelRow[]) {
    this.facts = parts
    this.hash = parts.hash
    this.#rows = new KernelRows(kernels ?? parts.texts.map((text, at) => kernelRow(text, parts.vectors[at] as Vectors)))
    this.#weights = parts.weights
    this.#centres = parts.centres
    this.#outputs = parts.routes.length + 1
  }

  /** One score for each route, and the last for "none of them". */
  #scores(row: KernelRow): Float64Array {
    const outputs = this.#outputs
    const scores = new Float64Array(outputs)
    this.#rows.against(row).forEach((likeness, at) => {
      for (let output = 0; output < outputs; output++) scores[output] = (scores[output] as number) + likeness * (this.#weights[at * outputs + output] as number)
    })
    const { plain } = row
    for (let route = 0; route < outputs - 1; route++) {
      let cosine = 0
      for (let k = 0; k < plain.length; k++) cosine += (plain[k] as number) * (this.#centres[route * plain.length + k] as number)
      scores[route] = (scores[route] as number) + KERNEL.centre * cosine
    }
    return scores
  }

  standing(text: string, vectors: Vectors): Standing {
    return standing(this.#scores(kernelRow(text, vectors)), this.#outputs - 1)
  }

  /** Every route, best first. A route's probability is what it would be if it were the best, with the best other route as its runner-up. */
  rank(text: string, vectors: Vectors): readonly Scored[] {
    const scores = this.#scores(kernelRow(text, vectors))
    const { top, first, second } = standing(scores, this.#outputs - 1)
    return this.facts.routes
      .map((route, at) => ({ route, score: scores[at] as number, probability: sigmoid(logitOf(this.facts.probability, [scores[at] as number, at === top ? second : first])) }))
      .sort((a, b) => b.score - a.score || (a.route < b.route ? -1 : 1))
  }
}
