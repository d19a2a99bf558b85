/** The hash chain over all rows of all kinds: what a row's hash covers, in one place for the writer and the verifier. */
import { hash } from 'node:crypto'

export type RowKind = 'genesis' | 'event' | 'decision' | 'call' | 'outcome' | 'effect' | 'act' | 'checkpoint'

/** What stands before row 1. */
export const GENESIS_PREV = '0'.repeat(64)

/**
 * SHA-256 (hex) over the canonical bytes of a row and the hash before it. A JSON array, not a joined string, so that no two rows share bytes;
 * its first item keeps them from passing as any other payload.
 */
export function rowHash(seq: number, kind: string, body: string, prev: string): string {
  return hash('sha256', JSON.stringify(['usher-log-row-v1', seq, kind, body, prev]))
}

/**
 * Digest of an event's text and data. They stand outside the hashed body so that retention can drop them and the chain still verifies; the
 * salt goes with them, so that a dropped text cannot be guessed from its digest.
 */
export function contentHash(salt: string, text: string | null, data: string | null): string {
  return hash('sha256', JSON.stringify(['usher-log-content-v1', salt, text, data]))
}
