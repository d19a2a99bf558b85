/** Random secrets, told apart by their first letters, and compared without saying how far they were right. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

export type SecretKind = 'page' | 'source'

/** 256 random bits: no slow hash is needed to keep it, since nobody can try them all. */
export function newSecret(kind: SecretKind): string {
  return `usher-${kind}-${randomBytes(32).toString('base64url')}`
}

export function isSecret(kind: SecretKind, text: string): boolean {
  return text.startsWith(`usher-${kind}-`) && /^[A-Za-z0-9_-]{43}$/.test(text.slice(`usher-${kind}-`.length))
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Over digests, which have one length. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(a), 'hex'), Buffer.from(hashOf(b), 'hex'))
}
