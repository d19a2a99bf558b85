/** What usher calibrate chooses: a threshold for each route from a budget of false fires, on phrases, tests, neutral text and what a person labelled. */
import type { BuiltHead } from './build.ts'
import type { Judged } from './evidence.ts'
import { logitOf, sigmoid } from './logistic.ts'
import type { Vectors } from './kernel.ts'
import { budgetThreshold, nextAbove, type Threshold } from './thresholds.ts'

/** A labelled text; `route` null: it asks for none. */
export interface Labelled { readonly text: string, readonly route: string | null, readonly vectors: Vectors }

export interface RouteChoice {
  readonly route: string
  readonly threshold: number
  /** Texts of the route judged without themselves, and how many fire it at the threshold. */
  readonly texts: number
  readonly hits: number
  /** Texts of other routes or of none that would fire it. */
  readonly false: number
  /** A sentence that must not fire it set the threshold. */
  readonly guarded: boolean
  /** Too few texts to tell its hits within ten points. */
  readonly thin: boolean
}

/** One point of the curve: at this probability, the share of asks that fire their route, and of texts for no route that fire any. */
export interface CurvePoint { readonly probability: number, readonly hits: number, readonly falseFires: number }

export interface Chosen {
  readonly threshold: Threshold
  readonly routes: readonly RouteChoice[]
  readonly thresholds: ReadonlyMap<string, number>
  readonly curve: readonly CurvePoint[]
  /** In sentences: what the thresholds rest on. */
  readonly why: readonly string[]
  /** In sentences: where the evidence is too thin. */
  readonly thin: readonly string[]
}

/** With fewer texts, the 95 % interval of a share of one half is wider than ten points to each side. */
const ENOUGH_TEXTS = 20
const CURVE_STEPS = 40

export function calibrate(built: BuiltHead, budget: number, labelled: readonly Labelled[]): Chosen {
  const { head, evidence } = built
  const names = head.facts.routes
  const fires = (route: number): boolean => head.facts.evidence.has(names[route] ?? '')
  const judged = [...evidence.judged, ...judgeLabelled(built, labelled)]
  const threshold = budgetThreshold(judged, budget, fires)
  const routes = names.flatMap((name, number): RouteChoice[] => {
    if (!fires(number)) return []
    const guard = Math.max(-Infinity, ...(built.never.get(name) ?? []).map(({ logit }) => nextAbove(logit)))
    const least = Math.max(threshold.logit, guard)
    const own = judged.filter(({ kind, route }) => kind === 'own' && route === number)
    const wrong = judged.filter(({ kind, top, right, logit }) => kind !== 'near' && top === number && !right && logit >= least).length
    return [{ route: name, threshold: sigmoid(least), texts: own.length, hits: own.filter(({ right, logit }) => right && logit >= least).length, false: wrong, guarded: guard > threshold.logit, thin: own.length < ENOUGH_TEXTS }]
  })
  return { threshold, routes, thresholds: new Map(routes.map(({ route, threshold: least }) => [route, least])), curve: curveOf(judged, fires), ...sentences(threshold, budget, routes, labelled.length) }
}

function judgeLabelled({ head }: BuiltHead, labelled: readonly Labelled[]): Judged[] {
  return labelled.map(({ text, route, vectors }) => {
    const { top, first, second } = head.standing(text, vectors)
    const number = route === null ? -1 : head.facts.routes.indexOf(route)
    return { kind: number < 0 ? 'far' : 'own', top, logit: logitOf(head.facts.probability, [first, second]), right: number >= 0 && top === number, route: number }
  })
}

function curveOf(judged: readonly Judged[], fires: (route: number) => boolean): CurvePoint[] {
  const own = judged.filter(({ kind }) => kind === 'own')
  const far = judged.filter(({ kind }) => kind === 'far')
  const share = (part: number, all: number): number => all === 0 ? 0 : part / all
  return Array.from({ length: CURVE_STEPS + 1 }, (_, step) => {
    const probability = step / CURVE_STEPS
    const reach = ({ logit }: Judged): boolean => sigmoid(logit) >= probability
    return { probability, hits: share(own.filter(item => item.right && reach(item)).length, own.length), falseFires: share(far.filter(item => fires(item.top) && reach(item)).length, far.length) }
  })
}

const percent = (value: number): string => `${Number((value * 100).toPrecision(2))} %`

function sentences({ logit, neutral, fired, bound, thin }: Threshold, budget: number, routes: readonly RouteChoice[], labelled: number): Pick<Chosen, 'why' | 'thin'> {
  const few = routes.filter(route => route.thin)
  const guarded = routes.filter(route => route.guarded)
  return {
    why: [
      `of ${neutral} texts for no route, ${fired} fire one at probability ${sigmoid(logit).toFixed(3)}; the budget is ${percent(budget)}`,
      ...(labelled > 0 ? [`${labelled} labelled texts were judged with the phrases`] : []),
      ...(guarded.length > 0 ? [`a sentence that must not fire keeps the threshold higher: ${guarded.map(({ route }) => route).join(', ')}`] : []),
    ],
    thin: [
      ...(thin ? [`${neutral} texts for no route cannot show ${percent(budget)}: that takes ${Math.ceil(3 / budget)}; the threshold follows from the shape of the highest scores, and up to ${percent(bound)} is possible (95 %). Give more with --labelled`] : []),
      ...(few.length > 0 ? [`fewer than ${ENOUGH_TEXTS} texts, so that hits are not known within ten points: ${few.map(({ route, texts }) => `${route} (${texts})`).join(', ')}`] : []),
    ],
  }
}
