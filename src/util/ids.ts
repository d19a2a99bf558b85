/** Ids of Usher's own: short enough to type, long enough never to meet again (64 random bits). */
import { randomBytes } from 'node:crypto'

const BYTES = 8
/** Taken from the system for 256 ids at once: an event needs several, and each request costs more than the rest of its row. */
const POOL = BYTES * 256
let pool = Buffer.alloc(0)
let at = 0

export type IdPrefix = 'e' | 'd' | 'c'

/** `e-…` an event, `d-…` a decision, `c-…` a call. */
export function newId(prefix: IdPrefix): string {
  if (at === pool.length) {
    pool = randomBytes(POOL)
    at = 0
  }
  return `${prefix}-${pool.toString('hex', at, at += BYTES)}`
}
