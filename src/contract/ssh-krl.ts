/** Key revocation lists as `ssh-keygen -k` writes them (PROTOCOL.krl of OpenSSH). What cannot be understood to the end revokes everything. */
import { createHash } from 'node:crypto'
import { SshReader } from './ssh-wire.ts'

const MAGIC = Buffer.from('SSHKRL\n\0', 'latin1')
const FORMAT = 1
const SECTION = { certificates: 1, keys: 2, sha1: 3, signature: 4, sha256: 5 } as const
const DIGEST_BYTES = { SHA1: 20, SHA256: 32 } as const
type Hash = keyof typeof DIGEST_BYTES

export const isKrl = (bytes: Buffer): boolean => bytes.subarray(0, MAGIC.length).equals(MAGIC)

const printed = (hash: Hash, digest: Buffer): string => `${hash}:${digest.toString('base64').replace(/=+$/, '')}`

/** Every way in which a list may name the key: the SHA-256 of its blob, and the SHA-1 that old lists have. */
export const keyNames = (blob: Buffer): readonly string[] => (['SHA256', 'SHA1'] as const).map(hash => printed(hash, createHash(hash.toLowerCase()).update(blob).digest()))

function each(data: Buffer, take: (item: Buffer) => string): readonly string[] {
  const reader = new SshReader(data)
  const found: string[] = []
  while (reader.left > 0) found.push(take(reader.string()))
  return found
}

const digestOf = (hash: Hash) => (item: Buffer): string => {
  if (item.length !== DIGEST_BYTES[hash]) throw new RangeError(`a fingerprint has ${item.length} bytes`)
  return printed(hash, item)
}

/** Fingerprints, `SHA256:...` or `SHA1:...`. Undefined: damaged, of another version, or with a section that names keys in a way that is not read here (an extension). */
export function readKrl(bytes: Buffer): ReadonlySet<string> | undefined {
  const found = new Set<string>()
  try {
    const reader = new SshReader(bytes)
    reader.take(MAGIC.length)
    if (reader.uint32() !== FORMAT) return undefined
    reader.take(24) // version, date and flags, eight bytes each
    reader.string() // reserved
    reader.string() // comment
    while (reader.left > 0) {
      const type = reader.take(1)[0]
      const data = reader.string()
      switch (type) {
        // No certificate is accepted as a signer, and a list's own signature says nothing that its place does not say.
        case SECTION.certificates: case SECTION.signature: break
        case SECTION.keys: for (const one of each(data, blob => printed('SHA256', createHash('sha256').update(blob).digest()))) found.add(one); break
        case SECTION.sha1: for (const one of each(data, digestOf('SHA1'))) found.add(one); break
        case SECTION.sha256: for (const one of each(data, digestOf('SHA256'))) found.add(one); break
        default: return undefined
      }
    }
  } catch {
    return undefined // cut off: what is missing may revoke any key
  }
  return found
}
