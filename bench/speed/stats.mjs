/** Figures from times. All of them in milliseconds. */
export function percentile(values, part) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
}

export const median = values => percentile(values, 0.5)

/** Three digits that mean something. */
export function short(value) {
  if (value === undefined || Number.isNaN(value)) return '-'
  if (value === 0) return '0'
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
  return value.toFixed(Math.min(3, digits))
}

/** Splits a list in `count` parts of one size; what is left over is dropped. */
export function parts(list, count) {
  const size = Math.floor(list.length / count)
  return Array.from({ length: count }, (_, i) => list.slice(i * size, (i + 1) * size))
}
