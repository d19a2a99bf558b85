/** Which code is behind an effect that nobody asked for: the only lead there is. */
import { fileURLToPath } from 'node:url'

/** Frames looked at: a builtin's own and ours come first. */
const FRAMES = 16
const HERE = new URL('.', import.meta.url).href
const HERE_PATH = fileURLToPath(HERE)

/** `file:line:column` of the nearest frame outside Node and this folder; undefined where a builtin acts by itself. */
export function callingCode(): string | undefined {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = FRAMES
  const stack = String(new Error('where').stack)
  Error.stackTraceLimit = limit
  for (const line of stack.split('\n').slice(1)) {
    const place = /\(?((?:file:\/\/)?\/[^()]*:\d+:\d+)\)?$/.exec(line)?.[1]
    if (place !== undefined && !place.startsWith(HERE) && !place.startsWith(HERE_PATH)) return place
  }
  return undefined
}
