/** JSON Pointer -> origin, for every argument: the event's words, or the preset. */
import type { JsonObject } from '../types.ts'
import type { HeardValue } from './questions.ts'

/** A value from the words of another event (an answered question) names it. */
export function originsOf(values: readonly HeardValue[], preset: JsonObject, eventId: string): JsonObject {
  return Object.fromEntries([
    ...values.map(({ value: { path, start, end, how }, eventId: from }) => [path, { kind: 'event', span: { start, end }, how, ...from === eventId ? {} : { eventId: from } }] as const),
    ...Object.keys(preset).map(key => [`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, { kind: 'preset' }] as const),
  ])
}
