/** ISO 8601 durations of fixed length: weeks, days, hours, minutes, seconds. Months and years have no fixed length. */
const FORM = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/

/** In ms; undefined where the text is none, or is empty like `P`. */
export function durationMs(text: string): number | undefined {
  const found = FORM.exec(text)
  if (!found || found.slice(1).every(part => part === undefined)) return undefined
  const [weeks, days, hours, minutes, seconds] = found.slice(1).map(part => Number(part ?? 0)) as [number, number, number, number, number]
  return Math.round(((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000)
}
