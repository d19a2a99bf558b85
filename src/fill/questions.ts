/** What to ask the owner when a value is missing. */
import type { Found } from './interpret.ts'
import type { Target } from './targets.ts'
import { capped, visible } from '../util/mask.ts'

const BY_KIND: ReadonlyMap<string, string> = new Map([['date', 'Which day?'], ['time', 'At what time?'], ['date-time', 'When?'], ['email', 'To which e-mail address?']])

/** `invoice_id` -> "Which invoice?" */
export function questionFor(target: Target): string {
  const said = BY_KIND.get(target.kind)
  const thing = target.words.filter((word, index) => index === 0 || !['id', 'ids', 'number', 'name'].includes(word)).join(' ')
  if (said && target.words.length <= 1) return said
  if (target.kind === 'duration-number' || target.kind === 'duration') return target.words.some(word => word === 'duration') || thing === '' ? 'How long?' : `How long: ${visible(thing)}?`
  if (target.kind === 'boolean') return `Yes or no: ${visible(thing)}?`
  if (target.kind === 'money') return `How much: ${visible(thing)}?`
  return `Which ${visible(thing) || 'value'}?`
}

export function whichOf(target: Target, candidates: readonly Found[]): string {
  const named = candidates.slice(0, 4).map(({ value }) => capped(visible(JSON.stringify(value)), 60))
  return `${questionFor(target).replace(/[?:].*$/, '')}: ${named.slice(0, -1).join(', ')} or ${named.at(-1) ?? ''}?`
}
