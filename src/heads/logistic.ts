/**
 * Logistic regression of a few features by Newton's method (iteratively reweighted least squares; Hastie, Tibshirani, Friedman, The Elements of
 * Statistical Learning, 2nd ed., 4.4.1), with scikit-learn's penalty: half the square of the weights, not of the intercept, at C = 1.
 *
 * Own code: the packages of npm (ml-logistic-regression 2.0) take fixed steps of plain gradient descent, without weights of samples and without a penalty.
 */
import { inverse } from './symmetric.ts'

export interface Sample { readonly features: readonly number[], readonly target: 0 | 1, readonly weight: number }
export interface Logistic { readonly intercept: number, readonly weights: readonly number[] }

const ROUNDS = 100
const ENOUGH = 1e-10

export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}

export function logitOf({ intercept, weights }: Logistic, features: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * (features[at] as number), intercept)
}

export function fitLogistic(samples: readonly Sample[], width: number): Logistic {
  const size = width + 1
  let found = new Float64Array(size)
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = new Float64Array(size)
    const curve = new Float64Array(size * size)
    for (let at = 1; at < size; at++) {
      gradient[at] = found[at] as number
      curve[at * size + at] = 1
    }
    curve[0] = 1e-12 // keeps it invertible where nobody has any doubt left
    for (const { features, target, weight } of samples) {
      const x = [1, ...features]
      const p = sigmoid(x.reduce((sum, value, at) => sum + value * (found[at] as number), 0))
      for (let i = 0; i < size; i++) {
        gradient[i] = (gradient[i] as number) + weight * (p - target) * (x[i] as number)
        for (let j = 0; j < size; j++) curve[i * size + j] = (curve[i * size + j] as number) + weight * p * (1 - p) * (x[i] as number) * (x[j] as number)
      }
    }
    const turned = inverse({ size, values: curve }).values
    const step = Float64Array.from(found, (_, i) => gradient.reduce((sum, value, j) => sum + (turned[i * size + j] as number) * value, 0))
    found = found.map((value, at) => value - (step[at] as number))
    if (step.every(value => Math.abs(value) < ENOUGH)) break
  }
  return { intercept: found[0] as number, weights: [...found.subarray(1)] }
}
