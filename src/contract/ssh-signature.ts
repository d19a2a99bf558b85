/** The signature file of `ssh-keygen -Y sign` (OpenSSH PROTOCOL.sshsig), checked in this process. */
import { createHash } from 'node:crypto'
import { readSshKey, type SshKey, verifySshSignature } from './ssh-key.ts'
import { SshReader, sshString, strictBase64 } from './ssh-wire.ts'

const MAGIC = Buffer.from('SSHSIG')
const VERSION = 1
const HASHES: ReadonlySet<string> = new Set(['sha256', 'sha512'])
const ARMOR = /-----BEGIN SSH SIGNATURE-----\r?\n([A-Za-z0-9+/=\r\n]+?)\r?\n-----END SSH SIGNATURE-----(?:\r?\n|$)/g

export interface SshSignature {
  readonly key: SshKey
  readonly namespace: string
  readonly reserved: Buffer
  readonly hash: string
  readonly signature: Buffer
}

export type SignatureReading = { readonly kind: 'signatures', readonly signatures: readonly SshSignature[] } | { readonly kind: 'bad', readonly why: string }

function readOne(base64: string): SshSignature {
  const reader = new SshReader(strictBase64(base64.replace(/[\r\n]/g, '')))
  if (!reader.take(MAGIC.length).equals(MAGIC)) throw new RangeError('it does not begin with SSHSIG')
  const version = reader.uint32()
  if (version !== VERSION) throw new RangeError(`version ${version} is not known`)
  const key = readSshKey(reader.string())
  const namespace = reader.string().toString('utf8')
  const reserved = reader.string()
  const hash = reader.text()
  if (!HASHES.has(hash)) throw new RangeError(`the hash ${JSON.stringify(hash.slice(0, 20))} is not accepted`)
  const signature = reader.string()
  reader.end()
  return { key, namespace, reserved, hash, signature }
}

/** All the signatures of one file, one armoured block after the other. Anything between the blocks is refused: nobody signed it. */
export function readSignatures(text: string): SignatureReading {
  const blocks = [...text.matchAll(ARMOR)]
  if (text.replaceAll(ARMOR, '').trim() !== '') return { kind: 'bad', why: 'it holds text that is no SSH signature block' }
  try {
    return { kind: 'signatures', signatures: blocks.map(block => readOne(block[1] ?? '')) }
  } catch (error) {
    if (error instanceof Error) return { kind: 'bad', why: error.message }
    throw error
  }
}

/** Is it this key's signature over the message, for this namespace? */
export function verifySignature(signature: SshSignature, message: Buffer, namespace: string): boolean {
  if (signature.namespace !== namespace) return false
  const digest = createHash(signature.hash).update(message).digest()
  const signed = Buffer.concat([MAGIC, sshString(signature.namespace), sshString(signature.reserved), sshString(signature.hash), sshString(digest)])
  return verifySshSignature(signature.key, signed, signature.signature)
}
