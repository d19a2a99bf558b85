/** SSH public keys (RFC 4253, RFC 5656, RFC 8709, OpenSSH PROTOCOL.u2f) as keys of node:crypto, and signatures made by them. */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { SshReader } from './ssh-wire.ts'

export interface SshKey {
  readonly type: string
  /** The whole public key blob: two keys are one if these are equal. */
  readonly blob: Buffer
  readonly fingerprint: string
  readonly crypto: KeyObject
  /** Hardware keys sign for an application: `ssh:` by default. */
  readonly application: string | undefined
}

const CURVES: ReadonlyMap<string, { readonly jwk: string, readonly size: number, readonly hash: string }> = new Map([
  ['nistp256', { jwk: 'P-256', size: 32, hash: 'sha256' }], ['nistp384', { jwk: 'P-384', size: 48, hash: 'sha384' }], ['nistp521', { jwk: 'P-521', size: 66, hash: 'sha512' }],
])
/** NIST SP 800-57: below this, RSA is no longer a signature. */
const SMALLEST_RSA_BITS = 2048

const url64 = (bytes: Buffer): string => bytes.toString('base64url')

function ecKey(curveName: string, point: Buffer): KeyObject {
  const curve = CURVES.get(curveName)
  if (!curve) throw new RangeError(`unknown curve ${curveName}`)
  if (point.length !== 1 + 2 * curve.size || point[0] !== 4) throw new RangeError('the curve point is not in uncompressed form')
  return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: curve.jwk, x: url64(point.subarray(1, 1 + curve.size)), y: url64(point.subarray(1 + curve.size)) } })
}

function rsaKey(exponent: Buffer, modulus: Buffer): KeyObject {
  const key = createPublicKey({ format: 'jwk', key: { kty: 'RSA', e: url64(exponent), n: url64(modulus[0] === 0 ? modulus.subarray(1) : modulus) } })
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < SMALLEST_RSA_BITS) throw new RangeError(`an RSA key of ${bits} bits is too small; ${SMALLEST_RSA_BITS} is the least`)
  return key
}

const ed25519Key = (bytes: Buffer): KeyObject => {
  if (bytes.length !== 32) throw new RangeError(`an Ed25519 key has 32 bytes, not ${bytes.length}`)
  return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: url64(bytes) } })
}

/** Throws RangeError (or what node:crypto throws) for a key that is damaged or of a kind that is not accepted (DSA, certificates). */
export function readSshKey(blob: Buffer): SshKey {
  const reader = new SshReader(blob)
  const type = reader.text()
  const [crypto, application] = readKeyBody(type, reader)
  reader.end()
  return { type, blob, crypto, application, fingerprint: `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}` }
}

function readKeyBody(type: string, reader: SshReader): readonly [KeyObject, string | undefined] {
  switch (type) {
    case 'ssh-ed25519': return [ed25519Key(reader.string()), undefined]
    case 'sk-ssh-ed25519@openssh.com': return [ed25519Key(reader.string()), reader.text()]
    case 'ecdsa-sha2-nistp256':
    case 'ecdsa-sha2-nistp384':
    case 'ecdsa-sha2-nistp521': return [ecKey(reader.text(), reader.string()), undefined]
    case 'sk-ecdsa-sha2-nistp256@openssh.com': return [ecKey(reader.text(), reader.string()), reader.text()]
    case 'ssh-rsa': return [rsaKey(reader.string(), reader.string()), undefined]
    default: throw new RangeError(`keys of type ${JSON.stringify(type.slice(0, 60))} are not accepted`)
  }
}

/** r and s as SSH writes them (two mpints) -> the fixed-width form of IEEE P1363 that node:crypto takes. */
function fixedWidth(ecdsa: Buffer, size: number): Buffer {
  const reader = new SshReader(ecdsa)
  const numbers = [reader.string(), reader.string()].map(number => {
    const plain = number[0] === 0 ? number.subarray(1) : number
    if (plain.length > size) throw new RangeError('a signature number is too long')
    return Buffer.concat([Buffer.alloc(size - plain.length), plain])
  })
  reader.end()
  return Buffer.concat(numbers)
}

function verifyEc(key: SshKey, data: Buffer, signature: Buffer): boolean {
  const curve = [...CURVES.values()].find(one => one.jwk === key.crypto.export({ format: 'jwk' }).crv)
  if (!curve) return false
  return verify(curve.hash, data, { key: key.crypto, dsaEncoding: 'ieee-p1363' }, fixedWidth(signature, curve.size))
}

const RSA_HASHES: ReadonlyMap<string, string> = new Map([['rsa-sha2-256', 'sha256'], ['rsa-sha2-512', 'sha512']])
const USER_PRESENT = 0x01

/** A hardware key signs hash(application), flags, counter, hash(data); a signature without a touch is refused. */
function verifyHardware(key: SshKey, data: Buffer, signature: Buffer, rest: SshReader): boolean {
  const tail = rest.take(5)
  rest.end()
  if (((tail[0] ?? 0) & USER_PRESENT) === 0) return false
  const sha = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest()
  const signed = Buffer.concat([sha(key.application ?? ''), tail, sha(data)])
  return key.type.startsWith('sk-ssh-ed25519') ? verify(null, signed, key.crypto, signature) : verifyEc(key, signed, signature)
}

/** Is `blob` this key's signature over `data`? A damaged blob is false, not an exception. SHA-1 (`ssh-rsa` signatures) is refused. */
export function verifySshSignature(key: SshKey, data: Buffer, blob: Buffer): boolean {
  try {
    const reader = new SshReader(blob)
    const algorithm = reader.text()
    const signature = reader.string()
    if (key.type.startsWith('sk-')) return algorithm === key.type && verifyHardware(key, data, signature, reader)
    reader.end()
    if (key.type === 'ssh-rsa') {
      const hash = RSA_HASHES.get(algorithm)
      return hash !== undefined && verify(hash, data, key.crypto, signature)
    }
    if (algorithm !== key.type) return false
    return key.type === 'ssh-ed25519' ? verify(null, data, key.crypto, signature) : verifyEc(key, data, signature)
  } catch (error) {
    // RangeError: damaged encoding. Node's own errors carry a code: a key or signature that OpenSSL will not read.
    if (error instanceof RangeError || (error instanceof Error && 'code' in error)) return false
    throw error
  }
}
