import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { contractPaths, verifyContracts, type VerifyOptions } from '../../src/contract/verify.ts'
import { readContractFile } from '../../src/contract/read-file.ts'
import type { JsonObject } from '../../src/types.ts'
import { makeKey, scratch, signFile, sshSign, sshVerifies } from './keys.ts'
import { fileText, recordV1, recordV2 } from './records.ts'
import { signPayload } from '../../src/contract/sign-payload.ts'
import { sha256 } from '../../src/util/canonical.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

const folder = scratch()
const alice = makeKey(folder, 'alice')
const bob = makeKey(folder, 'bob', 'ecdsa', 256)

interface Case { readonly version?: 1 | 2, readonly tools?: readonly JsonObject[], readonly signers?: string, readonly by?: readonly (typeof alice)[] }
function made({ version = 1, tools = [recordV1()], signers = `alice ${alice.publicLine}\n`, by = [alice] }: Case = {}): string {
  const file = join(scratch(), 'tools.allow.json')
  writeFileSync(file, fileText(version, tools))
  writeFileSync(join(file, '..', 'allowed_signers'), signers)
  if (by.length > 0) signFile(file, ...by)
  return file
}
const verdict = (file: string, options: VerifyOptions = {}) => verifyContracts(contractPaths(file), options)
const codes = (file: string, options: VerifyOptions = {}) => verdict(file, options).problems.map(found => found.code)

describe('contract:human: signatures over contract files', () => {
  test('decision table: a human-signed local file is accepted, in both versions, and the real ssh-keygen agrees', () => {
    for (const file of [made(), made({ version: 2, tools: [recordV2()] })]) {
      expect(verdict(file)).toMatchObject({ status: 'ok', problems: [], contracts: [{ name: 'read_note' }] })
      expect(sshVerifies(join(file, '..', 'allowed_signers'), 'alice', readFileSync(`${file}.sig`, 'utf8'), signPayload(sha256(readFileSync(file))))).toBe(true)
    }
  })

  test('closed: a file that keeps every rule and has no signature is unsigned: readable, not callable', () => {
    const found = verdict(made({ by: [] }))
    expect(found).toMatchObject({ status: 'unsigned', problems: [{ code: 'unsigned' }], contracts: [] })
    expect(found.file.contracts.map(contract => contract.name)).toEqual(['read_note'])
  })

  test('closed: unsigned and against the rules is refused, with the rules as problems', () => {
    expect(verdict(made({ tools: [recordV1({ origin: 'model' })], by: [] }))).toMatchObject({ status: 'refused', problems: [{ code: 'origin-not-human', tool: 'read_note' }] })
  })

  test('property, closed: any change of any byte of a signed contract is refused', () => {
    const file = made({ version: 2, tools: [recordV2()] })
    const bytes = readFileSync(file)
    fc.assert(fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] as number) ^ flip
      writeFileSync(file, changed)
      expect(verdict(file).status).toBe('refused')
    }), { seed: 7, numRuns: 600 })
    fc.assert(fc.property(fc.nat(bytes.length), fc.uint8Array({ minLength: 1, maxLength: 4 }), (at, more) => {
      writeFileSync(file, Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]))
      expect(verdict(file).status).toBe('refused')
    }), { seed: 7, numRuns: 200 })
    fc.assert(fc.property(fc.nat(bytes.length - 1), at => {
      writeFileSync(file, Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]))
      expect(verdict(file).status).toBe('refused')
    }), { seed: 7, numRuns: 200 })
    writeFileSync(file, bytes)
    expect(verdict(file).status).toBe('ok')
  })

  test('closed: signed_by must be a person whose key made the signature', () => {
    expect(codes(made({ tools: [recordV1({ signed_by: 'bob' })], signers: `alice ${alice.publicLine}\n` }))).toEqual(['signer-mismatch'])
    expect(codes(made({ signers: `bob ${bob.publicLine}\n` }))).toEqual(['signer-unknown'])
  })

  test('closed: a signature for another namespace, or by a key that is not listed for ours, is refused', () => {
    const file = made({ by: [] })
    writeFileSync(`${file}.sig`, sshSign(alice, signPayload(sha256(readFileSync(file))), 'git'))
    expect(codes(file)).toEqual(['signature-invalid'])
    expect(codes(made({ signers: `alice namespaces="git" ${alice.publicLine}\n` }))).toEqual(['signer-unknown'])
    expect(codes(made({ signers: `alice namespaces="git,usher-*" ${alice.publicLine}\n` }))).toEqual([])
  })

  test('closed: expired, not yet valid and revoked keys are refused', () => {
    const now = Date.UTC(2026, 5, 1)
    expect(codes(made({ signers: `alice valid-before="20260101Z" ${alice.publicLine}\n` }), { now })).toEqual(['signer-expired'])
    expect(codes(made({ signers: `alice valid-after="20270101Z" ${alice.publicLine}\n` }), { now })).toEqual(['signer-expired'])
    expect(codes(made({ signers: `alice valid-after="20260101Z",valid-before="20270101Z" ${alice.publicLine}\n` }), { now })).toEqual([])
    const file = made()
    writeFileSync(join(file, '..', 'revoked_signers'), `${alice.publicLine}\n`)
    expect(codes(file)).toEqual(['signer-revoked'])
    writeFileSync(join(file, '..', 'revoked_signers'), 'SSHKRL\n')
    expect(codes(file)).toContain('signers-invalid')
  })

  test('closed: a signers file that is missing, empty or damaged lets nothing be called', () => {
    const file = made()
    writeFileSync(join(file, '..', 'allowed_signers'), `alice ${alice.publicLine}\nmallory nonsense\n`)
    expect(codes(file)).toEqual(['signers-invalid'])
    writeFileSync(join(file, '..', 'allowed_signers'), '# nobody\n')
    expect(codes(file)).toEqual(['signers-missing', 'signer-unknown'])
    rmSync(join(file, '..', 'allowed_signers'))
    expect(codes(file)).toEqual(['signers-missing', 'signer-unknown'])
  })
})

describe('control:human: how many people', () => {
  const both = `alice ${alice.publicLine}\nbob ${bob.publicLine}\n`
  const file = (tools: readonly JsonObject[], by: readonly (typeof alice)[], signers = both) => made({ version: 2, tools, signers, by })

  test('with two people listed, something new needs two different ones', () => {
    expect(codes(file([recordV2()], [alice]))).toEqual(['too-few-signers'])
    expect(codes(file([recordV2()], [alice, alice]))).toEqual(['too-few-signers'])
    expect(codes(file([recordV2()], [alice, bob]))).toEqual([])
  })

  test('one key under two names is one person, and one person with two keys is one', () => {
    expect(codes(file([recordV2()], [alice, alice], `alice ${alice.publicLine}\nbob ${alice.publicLine}\n`))).toEqual(['too-few-signers'])
    expect(codes(file([recordV2()], [alice, bob], `# usher: signers=2\nalice ${alice.publicLine}\nalice ${bob.publicLine}\n`))).toEqual(['too-few-signers'])
  })

  test('narrowing and other words need one, widening needs all of them again', () => {
    const before = readContractFile(file([recordV2({ privileges: ['fs.read', 'http.get'], effects: { always: ['http.get'] } })], [alice, bob]))
    const after = (change: JsonObject, ...by: (typeof alice)[]) => codes(file([recordV2({ privileges: ['fs.read', 'http.get'], effects: { always: ['http.get'] }, ...change })], by), { before })
    expect(after({ privileges: ['fs.read'], effects: {} }, alice)).toEqual([])
    expect(after({ description: 'Reads a note.', wire_hash: 'b'.repeat(64) }, alice)).toEqual([])
    expect(after({ privileges: ['fs.read', 'http.get', 'fs.write'] }, alice)).toEqual(['too-few-signers'])
    expect(after({ effects: { always: ['http.get'], x: ['http.get'] } }, alice)).toEqual(['too-few-signers'])
    expect(after({ server: { name: 'notes', command: ['/usr/bin/other'], pins: [{ path: '/usr/bin/other', sha256: 'a'.repeat(64) }] } }, alice)).toEqual(['too-few-signers'])
    expect(after({ presetOnly: { open: { type: 'boolean' } } }, alice)).toEqual(['too-few-signers'])
    expect(after({ inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } }, bob, alice)).toEqual([])
    expect(after({ inputSchema: { type: 'object', properties: { id: { type: 'string' }, bcc: { type: 'string' } }, required: ['id'] } }, alice)).toEqual(['too-few-signers'])
  })

  test('an older file does not come back by itself', () => {
    const before = readContractFile(made({ version: 2, tools: [recordV2()] }))
    const old = join(scratch(), 'tools.allow.json')
    writeFileSync(old, fileText(2, [recordV2()], 0))
    writeFileSync(join(old, '..', 'allowed_signers'), `alice ${alice.publicLine}\n`)
    signFile(old, alice)
    expect(codes(old, { before })).toEqual(['serial-rollback'])
    appendFileSync(old, '')
  })
})
