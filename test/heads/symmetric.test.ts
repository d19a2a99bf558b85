import fc from 'fast-check'
import { expect, test } from 'vitest'
import { block, extended, inverse, without, type Square } from '../../src/heads/symmetric.ts'

/** Positive definite: a product with its own transpose, and something on the diagonal. */
const matrices = (min: number, max: number) => fc.integer({ min, max }).chain(size => fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: size * 3, maxLength: size * 3 }).map((raw): Square => {
  const values = new Float64Array(size * size)
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) values[i * size + j] = (i === j ? 0.5 : 0) + [0, 1, 2].reduce((sum, k) => sum + (raw[i * 3 + k] as number) * (raw[j * 3 + k] as number), 0)
  return { size, values }
}))

const near = (a: Square, b: Square): void => {
  expect(a.size).toBe(b.size)
  a.values.forEach((value, at) => { expect(value).toBeCloseTo(b.values[at] as number, 8) })
}

test('the inverse times the matrix is one, at every size', () => {
  fc.assert(fc.property(matrices(1, 13), matrix => {
    const { size } = matrix
    const { values } = inverse(matrix)
    for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) {
      let sum = 0
      for (let k = 0; k < size; k++) sum += (values[i * size + k] as number) * (matrix.values[k * size + j] as number)
      expect(sum).toBeCloseTo(i === j ? 1 : 0, 8)
    }
  }), { seed: 1, numRuns: 60 })
})

test('rows taken out, and put in again, leave the inverse of the matrix without and with them', () => {
  fc.assert(fc.property(matrices(3, 12), fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 3 }), (matrix, wanted) => {
    const gone = wanted.filter(row => row < matrix.size).sort((a, b) => a - b)
    fc.pre(gone.length > 0 && gone.length < matrix.size)
    const kept = Array.from({ length: matrix.size }, (_, at) => at).filter(row => !gone.includes(row))
    const rest = without(inverse(matrix), gone)
    near(rest, inverse(block(matrix, kept)))
    const cross = gone.map(row => Float64Array.from(kept, column => matrix.values[row * matrix.size + column] as number))
    near(extended(rest, cross, block(matrix, gone)), inverse(block(matrix, [...kept, ...gone])))
  }), { seed: 2, numRuns: 60 })
})

test('closed: a matrix that has no inverse is refused, not divided by', () => {
  expect(() => inverse({ size: 2, values: Float64Array.of(1, 1, 1, 1) })).toThrow(expect.objectContaining({ code: 'INDEX_INVALID' }))
  expect(() => inverse({ size: 1, values: Float64Array.of(NaN) })).toThrow(expect.objectContaining({ code: 'INDEX_INVALID' }))
})
