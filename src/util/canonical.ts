/** Canonical JSON (RFC 8785) and digests over it. The only file that names the library. */
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { UsherError } from '../errors.ts'

/** Throws LOG_VALUE for what JSON cannot hold (NaN, BigInt, cycles, undefined at the root): such a value has no canonical bytes. */
export function canonicalJson(value: unknown): string {
  let text: string | undefined
  try {
    text = (canonicalize as unknown as (value: unknown) => string | undefined)(value)
  } catch (cause) {
    throw new UsherError('LOG_VALUE', `this value has no canonical JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
  if (text === undefined) throw new UsherError('LOG_VALUE', 'undefined has no canonical JSON')
  return text
}

export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
