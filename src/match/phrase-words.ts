/** What of a trigger phrase is embedded. */
import { normalise } from '../util/text.ts'

const SLOT = /\{([^{}:]*)(?::[^{}]*)?\}/g

/**
 * A slot is embedded as the words of its name: `remind me to {task_name}` as "remind me to task name". People fill a slot with a thing of that
 * kind, so the word stands nearer to what they say than a gap does.
 */
export function phraseWords(text: string): string {
  const words = text.replace(SLOT, (_, name: string) => ` ${name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ')} `)
  return normalise(words)
}
