import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { actBytes, type PersonAct, type Proof } from '../../src/approvals/person-proof.ts'
import { descendsFromCall } from '../../src/approvals/descent.ts'
import { isPassphrase, passphraseFile, writePassphrase } from '../../src/approvals/passphrase.ts'
import { ownProcess, processText } from '../../src/log/process-id.ts'
import { alice, bench, type Bench } from './bench.ts'

let on: Bench
const act: PersonAct = { act: 'resume', about: 'all' }
const typed = (passphrase: string): Proof => ({ kind: 'passphrase', who: 'alice', passphrase })
const verify = async (proof: Proof, about: PersonAct = act) => on.usher.desk.proof.verify(proof, about)
beforeEach(async () => { on = await bench() })
afterEach(async () => { await on.close() })

describe('a passphrase', () => {
  test('until one is set, anyone may, and the notice says so; then only who knows it', async () => {
    const { proof } = on.usher.desk
    expect(await proof.notice()).toContain('anyone who runs as this user')
    expect(await verify(alice)).toMatchObject({ kind: 'ok', how: 'unproven' })
    expect(await verify(typed('anything'))).toMatchObject({ kind: 'refused' })
    await proof.setPassphrase('correct horse', alice)
    expect(await proof.notice()).toBeUndefined()
    expect(await verify(alice)).toMatchObject({ kind: 'refused', why: expect.stringContaining('needed') })
    expect(await verify(typed('wrong horse'))).toMatchObject({ kind: 'refused' })
    expect(await verify(typed('correct horse'))).toEqual({ kind: 'ok', who: 'alice', how: 'passphrase' })
  })
  test('is changed only by who knows the old one, and has eight characters at least', async () => {
    const { proof } = on.usher.desk
    await expect(proof.setPassphrase('1234567', alice)).rejects.toMatchObject({ code: 'BAD_OPTION' })
    await proof.setPassphrase('correct horse', alice)
    await expect(proof.setPassphrase('another one', alice)).rejects.toMatchObject({ code: 'PROOF_REFUSED' })
    await expect(proof.setPassphrase('another one', typed('wrong horse'))).rejects.toMatchObject({ code: 'PROOF_REFUSED' })
    await proof.setPassphrase('another one', typed('correct horse'))
    expect(await verify(typed('another one'))).toMatchObject({ kind: 'ok' })
  })
  test('wrong ones are logged and limited, also side by side; a right one does not count', async () => {
    await on.usher.desk.proof.setPassphrase('correct horse', alice)
    for (let nth = 0; nth < 7; nth++) expect(await verify(typed('correct horse'))).toMatchObject({ kind: 'ok' })
    const guesses = await Promise.all(Array.from({ length: 8 }, (_, nth) => verify(typed(`guess number ${nth}`))))
    expect(guesses.map(guess => guess.kind === 'refused' && /wrong passphrases in/.test(guess.why)).filter(Boolean)).toHaveLength(3)
    expect(await verify(typed('correct horse'))).toMatchObject({ kind: 'refused', why: expect.stringContaining('wait') })
    on.clock.at += 600_001
    expect(await verify(typed('correct horse'))).toMatchObject({ kind: 'ok' })
    const rows = on.sql('SELECT detail FROM acts WHERE act = \'proof.refused\'').map(row => String(row['detail']))
    expect(rows).toHaveLength(9)
    expect(rows.join()).not.toContain('guess number')
  })
  test('the log remembers it: a file that is gone, swapped or damaged lets nobody in', async () => {
    const state = join(on.folder, 'state')
    await on.usher.desk.proof.setPassphrase('correct horse', alice)
    const file = passphraseFile(state)
    const kept = readFileSync(file, 'utf8')
    await writePassphrase(state, 'my own words')
    await expect(verify(typed('my own words'))).rejects.toMatchObject({ code: 'PROOF_REFUSED' })
    await expect(verify(alice)).rejects.toMatchObject({ code: 'PROOF_REFUSED' })
    writeFileSync(file, kept)
    expect(await verify(typed('correct horse'))).toMatchObject({ kind: 'ok' })
    await on.restart({ state: join(on.folder, 'elsewhere') })
    await expect(verify(alice)).rejects.toMatchObject({ code: 'PROOF_REFUSED' })
  })
  test('a hash that was made cheap, or is none, is refused', async () => {
    const state = join(on.folder, 'state')
    await writePassphrase(state, 'correct horse')
    const file = passphraseFile(state)
    const kept = JSON.parse(readFileSync(file, 'utf8')) as object
    for (const more of [{ N: 2 }, { r: 1 }, { kdf: 'none' }, { hash: '' }, { version: 2 }, { N: 2 ** 24 }]) {
      writeFileSync(file, JSON.stringify({ ...kept, ...more }))
      await expect(isPassphrase(state, 'correct horse')).rejects.toMatchObject({ code: 'PROOF_REFUSED' })
    }
    writeFileSync(file, 'not json')
    await expect(isPassphrase(state, 'correct horse')).rejects.toMatchObject({ code: 'PROOF_REFUSED' })
  })
  test('is the same however its accents are typed', async () => {
    await on.usher.desk.proof.setPassphrase('caf\u00e9 au lait', alice)
    expect(await verify(typed('cafe\u0301 au lait'))).toMatchObject({ kind: 'ok' })
  })
  test('a model names itself in vain, and so does nobody', async () => {
    for (const who of ['', '  ', 'model:gpt', ' MODEL : x', 'ｍodel:x']) expect(await verify({ kind: 'none', who })).toMatchObject({ kind: 'refused' })
  })
})

describe('a signature', () => {
  let key: string
  const sign = (bytes: Buffer, namespace = 'usher-person') => {
    writeFileSync(join(on.folder, 'bytes'), bytes)
    spawnSync('rm', ['-f', join(on.folder, 'bytes.sig')])
    spawnSync('ssh-keygen', ['-Y', 'sign', '-q', '-f', key, '-n', namespace, join(on.folder, 'bytes')])
    return readFileSync(join(on.folder, 'bytes.sig'), 'utf8')
  }
  const signed = (more: { at?: number, over?: PersonAct, namespace?: string, who?: string } = {}): Proof => {
    const at = more.at ?? on.clock.at
    return { kind: 'signature', who: more.who ?? 'alice', at, signature: sign(actBytes(more.over ?? act, at), more.namespace) }
  }
  beforeEach(async () => {
    key = join(on.folder, 'key')
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    writeFileSync(join(on.folder, 'signers'), `alice ${readFileSync(`${key}.pub`, 'utf8')}`)
    await on.restart({ signers: join(on.folder, 'signers') })
    await on.usher.desk.proof.setPassphrase('correct horse', alice)
  })

  test('of a listed key proves one act of its person, once, now', async () => {
    const good = signed()
    expect(await verify(good)).toEqual({ kind: 'ok', who: 'alice', how: 'signature' })
    expect(await verify(good)).toMatchObject({ kind: 'refused', why: expect.stringContaining('before') })
  })
  test.each<[string, () => Proof]>([
    ['for another act', () => signed({ over: { act: 'approve', about: 'd-1 abc' } })],
    ['for another thing', () => signed({ over: { act: 'resume', about: 'some' } })],
    ['in another name', () => signed({ who: 'bob' })],
    ['for contracts', () => signed({ namespace: 'usher-contract' })],
    ['of an hour ago', () => signed({ at: on.clock.at - 3_600_000 })],
    ['for tomorrow', () => signed({ at: on.clock.at + 86_400_000 })],
    ['for no time', () => ({ ...signed(), at: Number.NaN }) as Proof],
    ['that is none', () => ({ kind: 'signature', who: 'alice', at: on.clock.at, signature: 'approved' })],
    ['of nobody', () => ({ kind: 'signature', who: 'alice', at: on.clock.at, signature: '' })],
  ])('%s is refused', async (_name, proof) => {
    expect(await verify(proof())).toMatchObject({ kind: 'refused' })
  })
  test('of a key that is no longer listed is refused', async () => {
    const good = signed()
    writeFileSync(join(on.folder, 'signers'), '')
    expect(await verify(good)).toMatchObject({ kind: 'refused' })
  })
})

describe('descent', () => {
  test('nothing shows that this test is a tool call\'s child; a runtime above a process does', () => {
    const own = processText(ownProcess())
    expect(descendsFromCall([])).toBeUndefined()
    expect(descendsFromCall([own])).toBeUndefined()
    const child = spawnSync('sleep', ['0'])
    expect(child.status).toBe(0)
  })
  test('a process that only has the number of a runtime is none', () => {
    const [pid, , boot, space] = JSON.parse(processText(ownProcess())) as [number, string, string, string]
    expect(descendsFromCall([JSON.stringify([process.ppid, '1', boot, space]), JSON.stringify([pid, '1', boot, space])])).toBeUndefined()
  })
  test('text that is no process id is no runtime', () => expect(descendsFromCall(['[]', '{}', '["x"]'])).toBeUndefined())
})
