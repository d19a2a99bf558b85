/**
 * The error of a stopped effect that nobody caught. In a timer, a promise without `catch` or an `error` event without a listener it would end
 * the process, and with it the host; the effect is told already, as stopped, and its call reads `blocked`. Any other error goes its way.
 */
import type { Recorder } from './recorder.ts'

/** What Node emits on `process` for an error that nobody caught; a true answer says that somebody has it in hand. */
const LAST_WORDS: readonly unknown[] = ['uncaughtException', 'unhandledRejection']
/** A tool may wrap our error in its own, and `fetch` does: so many causes are looked through. */
const MAX_CAUSES = 10

/** Is one of these at the bottom of it? Reads no getter of a foreign object twice, and never throws. */
export function isCausedBy(error: unknown, ours: (error: object) => boolean): boolean {
  const open: unknown[] = [error]
  try {
    for (let seen = 0; seen < MAX_CAUSES && open.length > 0; seen++) {
      const one = open.pop()
      if (typeof one !== 'object' || one === null) continue
      if (ours(one)) return true
      const inner: unknown = Reflect.get(one, 'errors')
      open.push(...Array.isArray(inner) ? inner.slice(0, MAX_CAUSES) : [], Reflect.get(one, 'cause'))
    }
  } catch {
    // A getter of the error threw: then it is none of ours.
  }
  return false
}

/**
 * `process.emit` is the one place that every such error passes, and replacing it leaves the host's listeners and their number as they are.
 * Gives what takes it out again.
 */
export function watchUncaught(recorder: Recorder): () => void {
  const before = Object.getOwnPropertyDescriptor(process, 'emit')
  const original = Reflect.get(process, 'emit') as (this: unknown, ...args: unknown[]) => boolean
  const emit = function emit(this: unknown, ...args: unknown[]): boolean {
    if (recorder.active && LAST_WORDS.includes(args[0]) && isCausedBy(args[1], error => recorder.stopped(error))) return true
    return Reflect.apply(original, this, args)
  }
  Object.defineProperty(process, 'emit', { value: emit, writable: true, enumerable: before?.enumerable ?? false, configurable: true })
  return () => {
    // Wrapped again by somebody since: ours stays underneath, and passes straight through.
    if (Reflect.get(process, 'emit') !== emit) return
    if (before) Object.defineProperty(process, 'emit', before)
    else Reflect.deleteProperty(process, 'emit')
  }
}
