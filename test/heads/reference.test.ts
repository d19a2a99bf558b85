/** Our own arithmetic against scikit-learn's and scipy's numbers (fixtures/reference.json says which versions). */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fitLogistic } from '../../src/heads/logistic.ts'
import { letterGrams, wordGrams, type Grams } from '../../src/heads/ngrams.ts'
import { inverse } from '../../src/heads/symmetric.ts'
import { upperBound } from '../../src/heads/thresholds.ts'

interface Reference {
  ngrams: { texts: string[], words: number[][], letters: number[][] }
  logistic: { features: number[][], targets: (0 | 1)[], weights: number[], intercept: number, coefficients: number[] }
  ridge: { kernel: number[][], classes: number[], alpha: number, weights: number[][] }
  bounds: [number, number, number][]
}
const reference = JSON.parse(readFileSync(new URL('./fixtures/reference.json', import.meta.url), 'utf8')) as Reference

const cosine = (a: Grams, b: Grams): number => [...a].reduce((sum, [gram, weight]) => sum + weight * (b.get(gram) ?? 0), 0)

describe('pieces of words', () => {
  const { texts, words, letters } = reference.ngrams
  test.each([['words', wordGrams, words], ['letters', letterGrams, letters]] as const)('cosines of %s are those of TfidfVectorizer', (_, grams, expected) => {
    const made = texts.map(text => grams(text))
    made.forEach((a, i) => { made.forEach((b, j) => { expect(cosine(a, b)).toBeCloseTo(expected[i]?.[j] ?? NaN, 9) }) })
  })
})

test('the logistic regression is that of LogisticRegression', () => {
  const { features, targets, weights, intercept, coefficients } = reference.logistic
  const fitted = fitLogistic(features.map((row, at) => ({ features: row, target: targets[at] as 0 | 1, weight: weights[at] as number })), 2)
  expect(fitted.intercept).toBeCloseTo(intercept, 6)
  fitted.weights.forEach((weight, at) => { expect(weight).toBeCloseTo(coefficients[at] as number, 6) })
})

test('the inverse gives the weights of KernelRidge', () => {
  const { kernel, classes, alpha, weights } = reference.ridge
  const size = kernel.length
  const { values } = inverse({ size, values: Float64Array.from(kernel.flatMap((row, i) => row.map((value, j) => i === j ? value + alpha : value))) })
  weights.forEach((row, i) => {
    row.forEach((expected, k) => {
      const made = classes.reduce((sum, own, j) => sum + (values[i * size + j] as number) * (own === k ? 1 : -0.5), 0)
      expect(made).toBeCloseTo(expected, 9)
    })
  })
})

test.each(reference.bounds)('the upper bound of %d of %d is that of the beta distribution', (hits, total, expected) => {
  expect(upperBound(hits, total)).toBeCloseTo(expected, 9)
})
