/** The owner's passphrase, kept only as a slow hash (scrypt, RFC 7914) with its parameters. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { UsherError } from '../errors.ts'
import { sha256 } from '../util/canonical.ts'
import { isRecord } from '../util/records.ts'

/** 64 MiB and about a tenth of a second for a guess. */
const COST = { N: 2 ** 16, r: 8, p: 1 } as const
const SALT_BYTES = 16
const HASH_BYTES = 32
export const LEAST_LENGTH = 8

interface Kept { readonly N: number, readonly r: number, readonly p: number, readonly salt: Buffer, readonly hash: Buffer }

export const passphraseFile = (stateFolder: string): string => join(stateFolder, 'passphrase.json')

const derive = promisify(scrypt) as (secret: string, salt: Buffer, length: number, options: { N: number, r: number, p: number, maxmem: number }) => Promise<Buffer>

/** Two ways to type one accent are one passphrase (RFC 8265 prescribes NFC for passwords). */
function hashOf(secret: string, salt: Buffer, { N, r, p }: { readonly N: number, readonly r: number, readonly p: number }): Promise<Buffer> {
  return derive(secret.normalize('NFC'), salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r })
}

/** Digest of the file: what the log remembers of it. Undefined: none is set. */
export function passphraseDigest(stateFolder: string): string | undefined {
  const file = passphraseFile(stateFolder)
  return existsSync(file) ? sha256(readFileSync(file)) : undefined
}

/** Replaces the file, mode 0600, and gives its digest. Throws BAD_OPTION for one that is too short. */
export async function writePassphrase(stateFolder: string, secret: string): Promise<string> {
  if ([...secret].length < LEAST_LENGTH) throw new UsherError('BAD_OPTION', `a passphrase has at least ${LEAST_LENGTH} characters, this one has ${[...secret].length}`)
  const file = passphraseFile(stateFolder)
  const salt = randomBytes(SALT_BYTES)
  const hash = await hashOf(secret, salt, COST)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  const text = `${JSON.stringify({ version: 1, kdf: 'scrypt', ...COST, salt: salt.toString('base64'), hash: hash.toString('base64') })}\n`
  writeFileSync(fresh, text, { mode: 0o600, flag: 'wx' })
  chmodSync(fresh, 0o600)
  renameSync(fresh, file)
  return sha256(text)
}

/** Throws PROOF_REFUSED where the file is damaged: in doubt nobody is let in. */
export async function isPassphrase(stateFolder: string, secret: string): Promise<boolean> {
  const kept = readKept(passphraseFile(stateFolder))
  return timingSafeEqual(await hashOf(secret, kept.salt, kept), kept.hash)
}

function readKept(file: string): Kept {
  const bad = (cause?: unknown): UsherError => new UsherError('PROOF_REFUSED', `${file} is no passphrase file of Usher; put the true one back`, { cause })
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw bad(cause)
  }
  if (!isRecord(value) || value['version'] !== 1 || value['kdf'] !== 'scrypt') throw bad()
  const { N, r, p, salt, hash } = value
  const counts = [N, r, p]
  // A weakened file must not make a guess cheap, and a monstrous one must not hang the machine.
  if (!counts.every(count => Number.isInteger(count)) || Number(N) < COST.N || Number(N) > 2 ** 20 || Number(r) < 8 || Number(r) > 32 || Number(p) < 1 || Number(p) > 16) throw bad()
  const bytes = Buffer.from(String(hash), 'base64')
  if (bytes.length !== HASH_BYTES) throw bad()
  return { N: Number(N), r: Number(r), p: Number(p), salt: Buffer.from(String(salt), 'base64'), hash: bytes }
}
