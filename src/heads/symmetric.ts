/**
 * Inverse of a symmetric positive definite matrix, and the same inverse with rows taken out or added. Matrices are flat, row by row, float64.
 *
 * Own code: of the kept libraries, ml-matrix 6.12 takes 20 s for the inverse of 800 rows (it multiplies through accessor calls), this one well under a second.
 * Method: Cholesky factor, its inverse, their product (Golub and Van Loan, Matrix Computations, 4th ed., 4.2); changes by the block inverse formula (ibid. 2.1.4).
 */
import { UsherError } from '../errors.ts'

export interface Square { readonly size: number, readonly values: Float64Array }

const TILE = 4

/** Sixteen dot products, of four rows of `a` with four rows of `b`, over columns [from, to): the one loop that all the time goes into. */
function tile(out: Float64Array, a: Float64Array, ai: number, b: Float64Array, bi: number, n: number, from: number, to: number): void {
  const a0 = ai * n, a1 = a0 + n, a2 = a1 + n, a3 = a2 + n
  const b0 = bi * n, b1 = b0 + n, b2 = b1 + n, b3 = b2 + n
  let s00 = 0, s01 = 0, s02 = 0, s03 = 0, s10 = 0, s11 = 0, s12 = 0, s13 = 0, s20 = 0, s21 = 0, s22 = 0, s23 = 0, s30 = 0, s31 = 0, s32 = 0, s33 = 0
  for (let k = from; k < to; k++) {
    const x0 = a[a0 + k] as number, x1 = a[a1 + k] as number, x2 = a[a2 + k] as number, x3 = a[a3 + k] as number
    const y0 = b[b0 + k] as number, y1 = b[b1 + k] as number, y2 = b[b2 + k] as number, y3 = b[b3 + k] as number
    s00 += x0 * y0; s01 += x0 * y1; s02 += x0 * y2; s03 += x0 * y3
    s10 += x1 * y0; s11 += x1 * y1; s12 += x1 * y2; s13 += x1 * y3
    s20 += x2 * y0; s21 += x2 * y1; s22 += x2 * y2; s23 += x2 * y3
    s30 += x3 * y0; s31 += x3 * y1; s32 += x3 * y2; s33 += x3 * y3
  }
  out[0] = s00; out[1] = s01; out[2] = s02; out[3] = s03; out[4] = s10; out[5] = s11; out[6] = s12; out[7] = s13
  out[8] = s20; out[9] = s21; out[10] = s22; out[11] = s23; out[12] = s30; out[13] = s31; out[14] = s32; out[15] = s33
}

/** Lower factor L with L Lᵀ = the matrix, whose size is a multiple of four. Throws INDEX_INVALID where it is not positive definite. */
function cholesky(matrix: Float64Array, n: number): Float64Array {
  const lower = new Float64Array(n * n)
  const sums = new Float64Array(16)
  for (let i = 0; i < n; i += TILE) {
    for (let j = 0; j <= i; j += TILE) {
      tile(sums, lower, i, lower, j, n, 0, j)
      for (let r = i; r < i + TILE; r++) {
        for (let c = j; c < j + TILE && c <= r; c++) {
          let value = (matrix[r * n + c] as number) - (sums[(r - i) * TILE + c - j] as number)
          for (let k = j; k < c; k++) value -= (lower[r * n + k] as number) * (lower[c * n + k] as number)
          if (r !== c) lower[r * n + c] = value / (lower[c * n + c] as number)
          else if (value > 0) lower[r * n + c] = Math.sqrt(value)
          else throw new UsherError('INDEX_INVALID', `the phrases give no usable matrix (pivot ${value} in row ${r}); the encoder's vectors are damaged`)
        }
      }
    }
  }
  return lower
}

/** Rows are the columns of L's inverse. */
function inverseRows(lower: Float64Array, n: number): Float64Array {
  const columns = new Float64Array(n * n)
  const sums = new Float64Array(16)
  for (let j = 0; j < n; j += TILE) {
    for (let i = j; i < n; i += TILE) {
      tile(sums, columns, j, lower, i, n, j, i)
      for (let c = j; c < j + TILE; c++) {
        for (let r = Math.max(i, c); r < i + TILE; r++) {
          let value = (r === c ? 1 : 0) - (sums[(c - j) * TILE + r - i] as number)
          for (let k = i; k < r; k++) value -= (lower[r * n + k] as number) * (columns[c * n + k] as number)
          columns[c * n + r] = value / (lower[r * n + r] as number)
        }
      }
    }
  }
  return columns
}

export function inverse({ size, values }: Square): Square {
  const n = Math.ceil(size / TILE) * TILE
  const padded = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    if (i < size) padded.set(values.subarray(i * size, (i + 1) * size), i * n)
    else padded[i * n + i] = 1
  }
  const columns = inverseRows(cholesky(padded, n), n)
  const sums = new Float64Array(16)
  for (let i = 0; i < n; i += TILE) {
    for (let j = 0; j <= i; j += TILE) {
      tile(sums, columns, i, columns, j, n, i, n)
      for (let at = 0; at < 16; at++) {
        const r = i + (at >> 2), c = j + (at & 3)
        padded[r * n + c] = padded[c * n + r] = sums[at] as number
      }
    }
  }
  return { size, values: n === size ? padded : block({ size: n, values: padded }, range(size)).values }
}

/** Products of every row with every other. */
export function products(rows: readonly Float32Array[]): Square {
  const size = rows.length
  const n = Math.max(Math.ceil(size / TILE) * TILE, rows[0]?.length ?? 0)
  const width = rows[0]?.length ?? 0
  // As wide as it is high at least: a tile steps from row to row by the width.
  const wide = new Float64Array(n * n)
  rows.forEach((row, at) => { wide.set(row, at * n) })
  const sums = new Float64Array(16)
  const values = new Float64Array(size * size)
  for (let i = 0; i < size; i += TILE) {
    for (let j = 0; j <= i; j += TILE) {
      tile(sums, wide, i, wide, j, n, 0, width)
      for (let at = 0; at < 16; at++) {
        const r = i + (at >> 2), c = j + (at & 3)
        if (r < size && c < size) values[r * size + c] = values[c * size + r] = sums[at] as number
      }
    }
  }
  return { size, values }
}

const range = (size: number): number[] => Array.from({ length: size }, (_, at) => at)

/** The rows and columns named. */
export function block({ size, values }: Square, rows: readonly number[]): Square {
  const out = new Float64Array(rows.length * rows.length)
  rows.forEach((row, i) => { rows.forEach((column, j) => { out[i * rows.length + j] = values[row * size + column] as number }) })
  return { size: rows.length, values: out }
}

/** The inverse of what is left when some rows and columns of the inverted matrix are taken out. */
export function without(inverted: Square, gone: readonly number[]): Square {
  if (gone.length === 0) return inverted
  const lost = new Set(gone)
  const kept = range(inverted.size).filter(row => !lost.has(row))
  const rest = block(inverted, kept)
  const small = inverse(block(inverted, gone))
  const m = gone.length
  const side = kept.map(row => Float64Array.from(gone, column => inverted.values[row * inverted.size + column] as number))
  const scaled = side.map(row => rowTimes(row, small.values, m))
  subtract(rest, scaled, side, 1)
  return rest
}

/**
 * The inverse with rows added behind.
 * @param cross one row for each new one: its values against the rows before
 * @param corner the new rows among themselves
 */
export function extended(inverted: Square, cross: readonly Float64Array[], corner: Square): Square {
  const m = cross.length
  if (m === 0) return inverted
  const n = inverted.size
  const pushed = cross.map(row => matrixTimes(inverted, row))
  const schur = new Float64Array(corner.values)
  cross.forEach((row, i) => { pushed.forEach((other, j) => { schur[i * m + j] = (schur[i * m + j] as number) - dot(row, other) }) })
  const small = inverse({ size: m, values: schur })
  const side = range(n).map(row => Float64Array.from(pushed, values => values[row] as number))
  const scaled = side.map(row => rowTimes(row, small.values, m))
  const top: Square = { size: n, values: new Float64Array(inverted.values) }
  subtract(top, scaled, side, -1)
  const size = n + m
  const out = new Float64Array(size * size)
  for (let i = 0; i < n; i++) {
    out.set(top.values.subarray(i * n, (i + 1) * n), i * size)
    for (let j = 0; j < m; j++) out[i * size + n + j] = out[(n + j) * size + i] = -(scaled[i]?.[j] ?? 0)
  }
  for (let i = 0; i < m; i++) out.set(small.values.subarray(i * m, (i + 1) * m), (n + i) * size + n)
  return { size, values: out }
}

/** target -= sign · left · rightᵀ, where that is symmetric: one half is computed, the other copied. */
function subtract({ size, values }: Square, left: readonly Float64Array[], right: readonly Float64Array[], sign: number): void {
  const m = left[0]?.length ?? 0
  // Column by column and negated once: the inner loop runs over one long row.
  const columns = Array.from({ length: m }, (_, k) => Float64Array.from(right, row => row[k] as number))
  for (let k = 0; k < m; k++) {
    const column = columns[k] as Float64Array
    for (let i = 0; i < size; i++) {
      const factor = sign * ((left[i] as Float64Array)[k] as number)
      const start = i * size
      for (let j = 0; j <= i; j++) values[start + j] = (values[start + j] as number) - factor * (column[j] as number)
    }
  }
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) values[j * size + i] = values[i * size + j] as number
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let k = 0; k < a.length; k++) sum += (a[k] as number) * (b[k] as number)
  return sum
}

/** row · matrix, for a small square. */
function rowTimes(row: Float64Array, matrix: Float64Array, m: number): Float64Array {
  const out = new Float64Array(m)
  for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) out[j] = (out[j] as number) + (row[i] as number) * (matrix[i * m + j] as number)
  return out
}

/** matrix · column, for a symmetric one. */
function matrixTimes({ size, values }: Square, column: Float64Array): Float64Array {
  const out = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    let sum = 0
    for (let j = 0; j < size; j++) sum += (values[i * size + j] as number) * (column[j] as number)
    out[i] = sum
  }
  return out
}
