/** Long native work in slices, so that the event loop of the host goes on. */
import { setImmediate } from 'node:timers/promises'

const SLICE_MS = 3

/** Calls `step` for each item and lets others run every few milliseconds. */
export async function inSlices<T>(items: Iterable<T>, step: (item: T) => void): Promise<void> {
  let start = performance.now()
  for (const item of items) {
    step(item)
    if (performance.now() - start < SLICE_MS) continue
    await setImmediate()
    start = performance.now()
  }
}
