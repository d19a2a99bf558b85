/** What of a handler's result goes into the log: JSON, bounded, nothing that cannot be stored. */
import type { Json } from '../types.ts'
import { capped } from '../util/mask.ts'

const MAX_RESULT = 64 * 1024

/** The result as JSON, or as a capped text of it where it is too big or no JSON. Never throws. */
export function loggable(result: unknown): Json {
  let text: string | undefined
  try {
    text = JSON.stringify(result)
  } catch (error) {
    return { notJson: error instanceof Error ? error.message : String(error) }
  }
  if (text === undefined) return { notJson: typeof result }
  return text.length <= MAX_RESULT ? JSON.parse(text) as Json : { capped: capped(text, MAX_RESULT) }
}
