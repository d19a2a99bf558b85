import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { isRevoked, readRevoked } from '../../src/contract/allowed-signers.ts'
import { readKrl } from '../../src/contract/ssh-krl.ts'
import { readSshKey } from '../../src/contract/ssh-key.ts'
import { sshString } from '../../src/contract/ssh-wire.ts'
import { verifyContracts, contractPaths } from '../../src/contract/verify.ts'
import { makeKey, scratch, signFile, type TestKey } from './keys.ts'
import { fileText, recordV2 } from './records.ts'

vi.setConfig({ testTimeout: 120_000 })

const folder = scratch()
const [alice, bob, carl] = ['alice', 'bob', 'carl'].map(name => makeKey(folder, name)) as [TestKey, TestKey, TestKey]
const fingerprint = (key: TestKey): string => execFileSync('ssh-keygen', ['-lf', `${key.file}.pub`], { encoding: 'utf8' }).split(' ')[1] ?? ''

/** A list by the real ssh-keygen. */
function krl(spec: string, ...more: string[]): Buffer {
  writeFileSync(join(folder, 'spec'), spec)
  execFileSync('ssh-keygen', ['-q', '-k', '-f', join(folder, 'list'), ...more, join(folder, 'spec')])
  return readFileSync(join(folder, 'list'))
}

describe('closed: revocation lists of ssh-keygen -k', () => {
  test('keys and SHA-256 fingerprints are read; the version and the comment of the list say nothing', () => {
    const list = krl(`key: ${alice.publicLine}\nsha256: ${bob.publicLine}\n`, '-z', '7')
    expect(readRevoked(list)).toEqual(new Set([fingerprint(alice), fingerprint(bob)]))
    expect(readRevoked(list)?.has(fingerprint(carl))).toBe(false)
    expect(readRevoked(krl(''))).toEqual(new Set())
  })

  test('what names keys in another way, an unknown part, another version, or a list cut off anywhere: nobody is trusted', () => {
    const list = krl(`key: ${alice.publicLine}\n`)
    expect(readRevoked(Buffer.concat([list, Buffer.from([255]), sshString('x')]))).toBeUndefined()
    const other = Buffer.from(list)
    other[11] = 2
    expect(readRevoked(other)).toBeUndefined()
    // Up to the end of the head a list without parts is whole; a cut inside a part never is.
    const head = krl('').length
    const cuts = Array.from({ length: list.length - 8 }, (_, at) => at + 8).filter(length => length !== head)
    expect(cuts.filter(length => readKrl(list.subarray(0, length)) !== undefined)).toEqual([])
  })

  test('a SHA-1 part revokes the key that it names and no other, as ssh-keygen itself has it', () => {
    const list = readRevoked(krl(`sha1: ${alice.publicLine}\n`))
    const revoked = (key: TestKey): boolean => list !== undefined && isRevoked(list, readSshKey(Buffer.from(key.publicLine.split(' ')[1] ?? '', 'base64')).blob)
    const bySshKeygen = (key: TestKey): boolean => spawnSync('ssh-keygen', ['-Q', '-f', join(folder, 'list'), `${key.file}.pub`]).status !== 0
    expect([alice, bob].map(revoked)).toEqual([true, false])
    expect([alice, bob].map(bySshKeygen)).toEqual([true, false])
  })

  test('contract:human: a contract that a revoked key signed is refused', () => {
    const file = join(scratch(), 'tools.allow.json')
    writeFileSync(file, fileText(2, [recordV2()]))
    writeFileSync(join(file, '..', 'allowed_signers'), `alice ${alice.publicLine}\n`)
    signFile(file, alice)
    writeFileSync(join(file, '..', 'revoked_signers'), krl(`key: ${bob.publicLine}\n`))
    expect(verifyContracts(contractPaths(file)).status).toBe('ok')
    for (const way of ['key', 'sha1', 'sha256']) {
      writeFileSync(join(file, '..', 'revoked_signers'), krl(`${way}: ${alice.publicLine}\n`))
      expect(verifyContracts(contractPaths(file)).problems.map(found => found.code)).toEqual(['signer-revoked'])
    }
  })
})
