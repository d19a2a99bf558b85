/** Ids of Usher's own: short enough to type, long enough never to meet again (64 random bits). */
import { randomBytes } from 'node:crypto'

export type IdPrefix = 'e' | 'd' | 'c'

/** `e-…` an event, `d-…` a decision, `c-…` a call. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}-${randomBytes(8).toString('hex')}`
}
