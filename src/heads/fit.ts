/**
 * Fits a head: regularised least squares on the likeness of texts, one output for each route and one for "none of them" (least-squares support
 * vector machine; Suykens and Vandewalle, Neural Processing Letters 9, 1999), plus the nearness to each route's centre.
 *
 * The closed form gives, for nothing, what each row would have scored had its trigger, or its whole route, not been there (Rasmussen and Williams,
 * Gaussian Processes for Machine Learning, 5.4.2): the evidence that probabilities and thresholds rest on.
 */
import { KERNEL, type KernelRow } from './kernel.ts'
import type { Row } from './rows.ts'
import { block, dot, inverse, type Square } from './symmetric.ts'

/** A text's best route and the scores that count. `top` -1: no route to score. */
export interface Standing { readonly top: number, readonly first: number, readonly second: number }

export interface Fitted {
  /** Rows by outputs, row by row; the last output is "none". */
  readonly weights: Float32Array
  /** Routes by dimension, unit length, or zero for a route without rows. */
  readonly centres: Float32Array
  readonly outputs: number
  /** For each row: its standing by the rows of other triggers. */
  readonly held: readonly Standing[]
  /** For each row of a route: its standing by the rows of all other routes. Undefined for neutral text. */
  readonly stranger: readonly (Standing | undefined)[]
}

/** @param inverted the inverse of likeness + ridge, rows in the order of `rows`. */
export function fitRows(rows: readonly Row[], kernels: readonly KernelRow[], routes: number, inverted: Square): Fitted {
  const outputs = routes + 1
  const n = rows.length
  const classes = rows.map(({ route }) => route < 0 ? routes : route)
  const alpha = weightsOf(inverted, classes, outputs)
  const dimension = kernels[0]?.plain.length ?? 0
  const sums = centreSums(rows, kernels, routes, dimension)
  const lengths = sums.map(sum => Math.sqrt(dot(sum, sum)))
  const centred = kernels.map(({ plain }) => Float64Array.from(sums, (sum, route) => cosine(sum, plain, lengths[route] as number)))
  const leftOut = (groups: ReadonlyMap<string, readonly number[]>, stranger: boolean): (Standing | undefined)[] => {
    const found: (Standing | undefined)[] = Array.from({ length: n }, () => undefined)
    for (const gone of groups.values()) {
      const turned = inverse(block(inverted, gone)).values
      gone.forEach((row, i) => {
        const scores = Float64Array.from({ length: outputs }, (_, output) => target(classes[row] === output, outputs)
          - gone.reduce((sum, other, j) => sum + (turned[i * gone.length + j] as number) * (alpha[other * outputs + output] as number), 0))
        const own = (rows[row] as Row).route
        centred[row]?.forEach((value, route) => { scores[route] = (scores[route] as number) + KERNEL.centre * (route === own ? withoutThem(row, gone, kernels, sums[own] as Float64Array) : value) })
        found[row] = standing(scores, routes, stranger ? classes[row] : undefined)
      })
    }
    return found
  }
  const numbers = rows.map((_, at) => at)
  const held = leftOut(grouped(numbers, at => (rows[at] as Row).route < 0 ? `neutral ${at}` : (rows[at] as Row).group), false) as Standing[]
  const stranger = leftOut(grouped(numbers.filter(at => (rows[at] as Row).route >= 0), at => String(classes[at])), true)
  return { weights: Float32Array.from(alpha), centres: unitCentres(sums, dimension), outputs, held, stranger }
}

/** 1 for its own output, and so much less for the others that each row's targets add up to 0. */
const target = (own: boolean, outputs: number): number => own ? 1 : -1 / (outputs - 1)

/** The inverse times the targets; these are so plain that sums over the rows of each output are enough. */
function weightsOf({ size, values }: Square, classes: readonly number[], outputs: number): Float64Array {
  const alpha = new Float64Array(size * outputs)
  const others = target(false, outputs)
  for (let i = 0; i < size; i++) {
    let all = 0
    for (let j = 0; j < size; j++) {
      const value = values[i * size + j] as number
      all += value
      const at = i * outputs + (classes[j] as number)
      alpha[at] = (alpha[at] as number) + value
    }
    for (let k = 0; k < outputs; k++) alpha[i * outputs + k] = others * all + (1 - others) * (alpha[i * outputs + k] as number)
  }
  return alpha
}

function grouped(numbers: readonly number[], key: (at: number) => string): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const at of numbers) {
    const group = groups.get(key(at))
    if (group) group.push(at)
    else groups.set(key(at), [at])
  }
  return groups
}

function centreSums(rows: readonly Row[], kernels: readonly KernelRow[], routes: number, dimension: number): Float64Array[] {
  const sums = Array.from({ length: routes }, () => new Float64Array(dimension))
  rows.forEach(({ route }, at) => { if (route >= 0) add(sums[route] as Float64Array, (kernels[at] as KernelRow).plain, 1) })
  return sums
}

function add(sum: Float64Array, vector: Float32Array, sign: number): void {
  for (let k = 0; k < vector.length; k++) sum[k] = (sum[k] as number) + sign * (vector[k] as number)
}

/** Cosine of a row with its route's centre, that made without some rows. */
function withoutThem(row: number, gone: readonly number[], kernels: readonly KernelRow[], sum: Float64Array): number {
  const rest = Float64Array.from(sum)
  for (const other of gone) add(rest, (kernels[other] as KernelRow).plain, -1)
  return cosine(rest, (kernels[row] as KernelRow).plain, Math.sqrt(dot(rest, rest)))
}

function cosine(sum: Float64Array, unit: Float32Array, length: number): number {
  let product = 0
  for (let k = 0; k < unit.length; k++) product += (sum[k] as number) * (unit[k] as number)
  return length > 1e-9 ? product / length : 0
}

function unitCentres(sums: readonly Float64Array[], dimension: number): Float32Array {
  const centres = new Float32Array(sums.length * dimension)
  sums.forEach((sum, route) => {
    const length = Math.sqrt(dot(sum, sum))
    if (length > 1e-9) centres.set(sum.map(value => value / length), route * dimension)
  })
  return centres
}

/** @param except a route that does not count */
export function standing(scores: Float64Array, routes: number, except?: number): Standing {
  let top = -1
  let [first, second] = [-Infinity, -Infinity]
  for (let route = 0; route < routes; route++) {
    if (route === except) continue
    const score = scores[route] as number
    if (score > first) [second, first, top] = [first, score, route]
    else if (score > second) second = score
  }
  return { top, first: top < 0 ? 0 : first, second: second === -Infinity ? 0 : second }
}
