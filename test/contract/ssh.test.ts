import { createHash, createPrivateKey, generateKeyPairSync, sign as cryptoSign } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { inPatternList, readAllowedSigners, readRevoked } from '../../src/contract/allowed-signers.ts'
import { SIGN_NAMESPACE } from '../../src/contract/sign-payload.ts'
import { readSignatures, verifySignature } from '../../src/contract/ssh-signature.ts'
import { sshString } from '../../src/contract/ssh-wire.ts'
import { makeKey, scratch, sshSign, sshVerifies } from './keys.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

const message = Buffer.from('the bytes of a contract')

/** Ours, as one answer: read, known namespace, right signature. */
function accepts(armoured: string, bytes: Buffer = message): boolean {
  const reading = readSignatures(armoured)
  return reading.kind === 'signatures' && reading.signatures.length > 0 && reading.signatures.every(signature => verifySignature(signature, bytes, SIGN_NAMESPACE))
}

describe('signatures of the real ssh-keygen', () => {
  test.each<[string, number | undefined]>([['ed25519', undefined], ['ecdsa', 256], ['ecdsa', 384], ['ecdsa', 521], ['rsa', 2048], ['rsa', 3072]])('%s %s: accepted as they are, refused over other bytes and for another namespace', (type, bits) => {
    const key = makeKey(scratch(), 'key', type, bits)
    for (const hash of ['sha256', 'sha512']) expect(accepts(sshSign(key, message, SIGN_NAMESPACE, ['-O', `hashalg=${hash}`]))).toBe(true)
    expect(accepts(sshSign(key, message), Buffer.from('other bytes'))).toBe(false)
    expect(accepts(sshSign(key, message, 'git'))).toBe(false)
  })

  test('an RSA key that is too small is refused', () => {
    expect(accepts(sshSign(makeKey(scratch(), 'key', 'rsa', 1024), message))).toBe(false)
  })

  test('property: a signature with any byte changed is refused, as the real ssh-keygen refuses it', () => {
    const folder = scratch()
    const key = makeKey(folder, 'alice')
    const signers = join(folder, 'allowed_signers')
    writeFileSync(signers, `alice ${key.publicLine}\n`)
    const armoured = sshSign(key, message)
    const body = armoured.split('\n').slice(1, -2).join('')
    const raw = Buffer.from(body, 'base64')
    const rewrap = (bytes: Buffer) => `-----BEGIN SSH SIGNATURE-----\n${bytes.toString('base64').replace(/.{70}/g, '$&\n')}\n-----END SSH SIGNATURE-----\n`
    expect(accepts(rewrap(raw))).toBe(true)
    fc.assert(fc.property(fc.nat(raw.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Buffer.from(raw)
      changed[at] = (changed[at] as number) ^ flip
      expect(accepts(rewrap(changed))).toBe(false)
    }), { seed: 7, numRuns: 400 })
    fc.assert(fc.property(fc.nat(raw.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Buffer.from(raw)
      changed[at] = (changed[at] as number) ^ flip
      expect(sshVerifies(signers, 'alice', rewrap(changed), message)).toBe(false)
    }), { seed: 7, numRuns: 15 })
  })

  test('text around or between the blocks, and a damaged block, are refused', () => {
    const armoured = sshSign(makeKey(scratch(), 'key'), message)
    expect(readSignatures(armoured + armoured)).toMatchObject({ kind: 'signatures' })
    expect(readSignatures(`${armoured}approved by everybody\n`).kind).toBe('bad')
    expect(readSignatures(armoured.replace('AAAA', 'AAA=')).kind).toBe('bad')
    expect(readSignatures('').kind).toBe('signatures')
  })
})

/** A hardware key in software, by OpenSSH's PROTOCOL.u2f: the real ssh-keygen is the judge of whether it is built rightly. */
function hardwareSignature(type: 'ed25519' | 'ecdsa', flags: number): { readonly publicLine: string, readonly armoured: string } {
  const pair = type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = pair.publicKey.export({ format: 'jwk' })
  const part = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url')
  const name = type === 'ed25519' ? 'sk-ssh-ed25519@openssh.com' : 'sk-ecdsa-sha2-nistp256@openssh.com'
  const body = type === 'ed25519' ? [sshString(part(jwk.x))] : [sshString('nistp256'), sshString(Buffer.concat([Buffer.from([4]), part(jwk.x), part(jwk.y)]))]
  const blob = Buffer.concat([sshString(name), ...body, sshString('ssh:')])
  const sha = (bytes: Buffer | string, hash = 'sha256') => createHash(hash).update(bytes).digest()
  const signed = Buffer.concat([Buffer.from('SSHSIG'), sshString(SIGN_NAMESPACE), sshString(''), sshString('sha512'), sshString(sha(message, 'sha512'))])
  const tail = Buffer.from([flags, 0, 0, 0, 9])
  const data = Buffer.concat([sha('ssh:'), tail, sha(signed)])
  const mpint = (bytes: Buffer): Buffer => {
    const plain = bytes.subarray(bytes.findIndex(byte => byte !== 0))
    return sshString((plain[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), plain]) : plain)
  }
  const raw = type === 'ed25519' ? cryptoSign(null, data, pair.privateKey) : cryptoSign('sha256', data, { key: createPrivateKey(pair.privateKey.export({ format: 'pem', type: 'pkcs8' })), dsaEncoding: 'ieee-p1363' })
  const signature = type === 'ed25519' ? raw : Buffer.concat([mpint(raw.subarray(0, 32)), mpint(raw.subarray(32))])
  const whole = Buffer.concat([Buffer.from('SSHSIG'), Buffer.from([0, 0, 0, 1]), sshString(blob), sshString(SIGN_NAMESPACE), sshString(''), sshString('sha512'), sshString(Buffer.concat([sshString(name), sshString(signature), tail]))])
  return { publicLine: `${name} ${blob.toString('base64')}`, armoured: `-----BEGIN SSH SIGNATURE-----\n${whole.toString('base64').replace(/.{70}/g, '$&\n')}\n-----END SSH SIGNATURE-----\n` }
}

describe('hardware keys', () => {
  test.each(['ed25519', 'ecdsa'] as const)('sk-%s: accepted with a touch, by us and by the real ssh-keygen; refused by us without one', type => {
    const touched = hardwareSignature(type, 1)
    const signers = join(scratch(), 'allowed_signers')
    writeFileSync(signers, `alice ${touched.publicLine}\n`)
    expect(sshVerifies(signers, 'alice', touched.armoured, message)).toBe(true)
    expect(accepts(touched.armoured)).toBe(true)
    expect(accepts(touched.armoured, Buffer.from('other'))).toBe(false)
    expect(accepts(hardwareSignature(type, 0).armoured)).toBe(false)
    expect(readAllowedSigners(readFileSync(signers, 'utf8')).signers).toHaveLength(1)
  })
})

describe('allowed_signers', () => {
  const { publicLine } = makeKey(scratch(), 'alice')
  const [type, base64] = publicLine.split(' ')
  const one = (line: string) => readAllowedSigners(`${line}\n`)

  test('principals, namespaces, times, comments and quotes are read as OpenSSH writes them', () => {
    const list = readAllowedSigners(`# people\n\nalice,a@example.org namespaces="git,usher-contract",valid-after="20260101",valid-before="20270102030405Z" ${publicLine} a comment\n`)
    expect(list.errors).toEqual([])
    expect(list.signers[0]).toMatchObject({ principals: ['alice', 'a@example.org'], namespaces: ['git', 'usher-contract'], validBefore: Date.UTC(2027, 0, 2, 3, 4, 5), line: 3 })
    expect(list.signers[0]?.validAfter).toBe(new Date(2026, 0, 1).getTime())
    expect(one(`"alice" ${type} ${base64}`).signers[0]?.principals).toEqual(['alice'])
  })

  test('a line that cannot be read lets nobody in and is named', () => {
    for (const line of ['alice', `alice ssh-ed25519 AAAA`, `alice ssh-rsa ${base64}`, `alice cert-authority ${publicLine}`, `alice frobnicate="x" ${publicLine}`, `alice valid-before="soon" ${publicLine}`, `alice ${publicLine.slice(0, -40)}`]) {
      const list = one(line)
      expect(list.signers).toEqual([])
      expect(list.errors.map(error => error.line)).toEqual([1])
    }
  })

  test('one person listed needs one signer, two need two, and the file may say otherwise', () => {
    expect(one(`alice ${publicLine}`).needed).toBe(1)
    expect(readAllowedSigners(`alice ${publicLine}\nbob ${publicLine}\n`).needed).toBe(2)
    expect(readAllowedSigners(`# usher: signers=3\nalice ${publicLine}\nbob ${publicLine}\n`).needed).toBe(3)
    expect(readAllowedSigners(`# usher: signers=0\nalice ${publicLine}\n`).needed).toBe(1)
  })

  test('patterns fit as OpenSSH\'s do, and a negated one refuses', () => {
    expect(inPatternList(['*@example.org'], 'a@example.org')).toBe(true)
    expect(inPatternList(['*@example.org', '!m@*'], 'm@example.org')).toBe(false)
    expect(inPatternList(['a?c'], 'abc')).toBe(true)
    expect(inPatternList(['a.c'], 'abc')).toBe(false)
    expect(inPatternList(['!m'], 'a')).toBe(false)
  })

  test('revoked keys are read from key lines and fingerprints; a list that cannot be read revokes everything', () => {
    expect(readRevoked(`# gone\n${publicLine}\n`)?.size).toBe(1)
    expect(readRevoked('SHA256:JhYMw9pPZQnYFZ6dEnMaxWz4F2XwF1bcLhm+L1pWkZo\n')?.size).toBe(1)
    expect(readRevoked('SSHKRL\n\u0000\u0001')).toBeUndefined()
  })
})
