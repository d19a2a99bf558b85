/** Key revocation lists as `ssh-keygen -k` writes them (PROTOCOL.krl of OpenSSH). What cannot be understood to the end revokes everything. */
import { createHash } from 'node:crypto'
import { SshReader } from './ssh-wire.ts'

const MAGIC = Buffer.from('SSHKRL\n\0', 'latin1')
const FORMAT = 1
const SHA256_BYTES = 32
const SECTION = { certificates: 1, keys: 2, signature: 4, sha256: 5 } as const

export const isKrl = (bytes: Buffer): boolean => bytes.subarray(0, MAGIC.length).equals(MAGIC)

const printed = (digest: Buffer): string => `SHA256:${digest.toString('base64').replace(/=+$/, '')}`

function each(data: Buffer, take: (item: Buffer) => string): readonly string[] {
  const reader = new SshReader(data)
  const found: string[] = []
  while (reader.left > 0) found.push(take(reader.string()))
  return found
}

function digestOf(item: Buffer): string {
  if (item.length !== SHA256_BYTES) throw new RangeError(`a fingerprint has ${item.length} bytes`)
  return printed(item)
}

/** Fingerprints. Undefined: damaged, of another version, or with a section that names keys in a way that is not read here (SHA-1, an extension). */
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
        case SECTION.keys: for (const one of each(data, blob => printed(createHash('sha256').update(blob).digest()))) found.add(one); break
        case SECTION.sha256: for (const one of each(data, digestOf)) found.add(one); break
        default: return undefined
      }
    }
  } catch {
    return undefined // cut off: what is missing may revoke any key
  }
  return found
}
