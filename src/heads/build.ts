/** From the routes to a head: rows, vectors, fit, probabilities, thresholds; or none, where no route has enough phrases. */
import { canonicalJson, sha256 } from '../util/canonical.ts'
import { headHash, headOfInputs, storeHead, type HeadCache } from './cache.ts'
import { weigh, type Evidence, type Judged } from './evidence.ts'
import { fitRows } from './fit.ts'
import { Head, type HeadParts, type RouteEvidence } from './head.ts'
import { invertedRows } from './inverted.ts'
import { cosine, framed, KERNEL, kernelRow, type Vectors } from './kernel.ts'
import { logitOf, sigmoid, type Logistic } from './logistic.ts'
import { HEADS, headed, NEUTRAL, routeRows, type HeadRoute, type Row } from './rows.ts'
import { budgetThreshold, nextAbove, type Threshold } from './thresholds.ts'

/** Part of the events that are for no route which may fire one of those with heads, where the owner says nothing else. */
export const DEFAULT_BUDGET = 0.01
/** Neutral text this near to a phrase may be an ask in this table: it proves nothing. */
const TOO_NEAR = 0.75
const VERSION = 1

/** What a person's calibration says, as far as it concerns a head (side-file.ts). */
export interface Calibration {
  /** Of the inputs it was made for. */
  readonly inputs: string
  readonly budget: number
  readonly probability: Logistic
  readonly thresholds: ReadonlyMap<string, number>
}

export interface HeadOptions {
  readonly encoder: string
  readonly routes: readonly HeadRoute[]
  /** Vectors of texts as they are; kept by the caller. */
  readonly vectors: (texts: readonly string[]) => Promise<readonly Float32Array[]>
  readonly cache?: HeadCache
  readonly calibration?: Calibration
}

/** A head with what it rests on, for usher calibrate. */
export interface BuiltHead { readonly head: Head, readonly inputs: string, readonly evidence: Evidence, readonly threshold: Threshold, readonly never: ReadonlyMap<string, readonly Judged[]> }

/** Undefined: every route keeps its nearest phrase. Rejects as `vectors` does. */
export async function buildHead(options: HeadOptions): Promise<Head | undefined> {
  const rows = routeRows(options.routes)
  if (rows.length === 0) return undefined
  if (options.cache) {
    const kept = await headOfInputs(options.cache, inputsOf(options, rows, true))
    if (kept) return new Head(kept)
  }
  return (await fitHead(options))?.head
}

/** Fits anew, whatever the cache has. */
export async function fitHead(options: HeadOptions): Promise<BuiltHead | undefined> {
  const { routes, encoder, cache, calibration } = options
  const ofRoutes = routeRows(routes)
  if (ofRoutes.length === 0) return undefined
  const { rows, vectors } = await withNeutral(options, ofRoutes)
  const texts = rows.map(({ text }) => text)
  const kernels = rows.map(({ text }, at) => kernelRow(text, vectors[at] as Vectors))
  const fitted = fitRows(rows, kernels, routes.length, await invertedRows(encoder, texts, kernels, cache))
  const evidence = weigh(rows, fitted, routes)
  const inputs = inputsOf(options, ofRoutes, false)
  const exact = calibration?.inputs === inputs ? calibration : undefined
  const probability = exact?.probability ?? evidence.probability
  const budget = calibration?.budget ?? DEFAULT_BUDGET
  const threshold = budgetThreshold(evidence.judged, budget, route => headed(routes[route] as HeadRoute))
  const bare = { encoder, routes: routes.map(({ name }) => name), probability, budget, neutral: threshold.neutral, fired: threshold.fired, bound: threshold.bound, thin: threshold.thin, texts, vectors, weights: fitted.weights, centres: fitted.centres }
  const never = await judgeNever(options, new Head({ ...bare, evidence: new Map(), hash: '' }, kernels), probability)
  const parts = { ...bare, evidence: routeEvidence(options, evidence, threshold, never, exact) }
  const whole: HeadParts = { ...parts, hash: headHash(parts) }
  if (cache) await storeHead(cache, inputsOf(options, ofRoutes, true), whole)
  return { head: new Head(whole, kernels), inputs, evidence, threshold, never }
}

/** Hash of all that a fit depends on; `all`: with the calibration. */
function inputsOf({ encoder, routes, calibration }: HeadOptions, rows: readonly Row[], all: boolean): string {
  const said = all && calibration ? { inputs: calibration.inputs, budget: calibration.budget, probability: calibration.probability, thresholds: [...calibration.thresholds] } : null
  return sha256(canonicalJson([VERSION, encoder, KERNEL, HEADS, sha256(NEUTRAL.join('\n')), routes.map(route => [route.name, headed(route), route.never]), rows.map(({ text, route, group, name }) => [text, route, group, name === true]), said] as never))
}

async function withNeutral({ vectors }: HeadOptions, ofRoutes: readonly Row[]): Promise<{ rows: Row[], vectors: Vectors[] }> {
  const taken = new Set(ofRoutes.map(({ text }) => text))
  const all: Row[] = [...ofRoutes, ...NEUTRAL.filter(text => !taken.has(text)).map(text => ({ text, route: -1, group: 'neutral' }))]
  const both = await vectors(all.flatMap(({ text }) => [text, framed(text)]))
  const of = all.map((_, at): Vectors => ({ plain: both[2 * at] as Float32Array, framed: both[2 * at + 1] as Float32Array }))
  const phrases = of.slice(0, ofRoutes.length)
  const keep = all.map(({ route }, at) => route >= 0 || phrases.every(({ plain }) => cosine(plain, (of[at] as Vectors).plain) < TOO_NEAR))
  return { rows: all.filter((_, at) => keep[at]), vectors: of.filter((_, at) => keep[at]) }
}

/** Sentences of `not` and `must_not_fire` of each route that they would fire. */
async function judgeNever({ routes, vectors }: HeadOptions, head: Head, probability: Logistic): Promise<Map<string, Judged[]>> {
  const found = new Map<string, Judged[]>()
  for (const [route, { name, never }] of routes.entries()) {
    if (!headed(routes[route] as HeadRoute)) continue
    for (const text of never) {
      const [plain, inFrame] = await vectors([text, framed(text)])
      const { top, first, second } = head.standing(text, { plain: plain as Float32Array, framed: inFrame as Float32Array })
      if (top === route) found.set(name, [...found.get(name) ?? [], { kind: 'near', top, logit: logitOf(probability, [first, second]), right: false, route }])
    }
  }
  return found
}

/** A route's own threshold is never below the budget's, nor below a sentence that must not fire it. */
function routeEvidence({ routes, calibration }: HeadOptions, { judged }: Evidence, threshold: Threshold, never: ReadonlyMap<string, readonly Judged[]>, exact: Calibration | undefined): Map<string, RouteEvidence> {
  const found = new Map<string, RouteEvidence>()
  for (const [number, route] of routes.entries()) {
    if (!headed(route)) continue
    const own = judged.filter(({ kind, route: of }) => kind === 'own' && of === number)
    const guarded = Math.max(-Infinity, ...(never.get(route.name) ?? []).map(({ logit }) => nextAbove(logit)))
    const set = calibration?.thresholds.get(route.name)
    const [least, by] = exact && set !== undefined ? [set, 'calibrated'] as const
      : set !== undefined && set > sigmoid(threshold.logit) ? [set, 'kept'] as const : [sigmoid(threshold.logit), 'budget'] as const
    const floor = sigmoid(guarded)
    const reached = Math.max(least, floor)
    found.set(route.name, { threshold: reached, by: floor > least ? 'never' : by, phrases: own.length, hits: own.filter(({ right, logit }) => right && sigmoid(logit) >= reached).length })
  }
  return found
}
