/** Ids of Usher's own: short enough to type, long enough never to meet again (64 random bits). */
import { randomBytes } from 'node:crypto'

const BYTES = 8
/** Taken from the system for some 250 ids at once: an event needs several, and each request costs more than the rest of its row. */
const POOL = 2048
let pool = Buffer.alloc(0)
let at = 0

export type IdPrefix = 'e' | 'd' | 'c'

/** `e-…` an event, `d-…` a decision, `c-…` a call. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}-${randomHex(BYTES)}`
}

/** Two characters a byte; for a few bytes. */
export function randomHex(bytes: number): string {
  if (at + bytes > pool.length) {
    pool = randomBytes(POOL)
    at = 0
  }
  return pool.toString('hex', at, at += bytes)
}
