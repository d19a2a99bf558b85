import { readFileSync, rmSync, utimesSync, writeFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { storeFolder } from '../../src/contract/accepted.ts'
import { ContractStore } from '../../src/contract/store.ts'
import { contractPaths } from '../../src/contract/verify.ts'
import type { JsonObject } from '../../src/types.ts'
import { makeKey, scratch, signFile } from './keys.ts'
import { fileText, recordV2 } from './records.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

const keys = scratch()
const alice = makeKey(keys, 'alice')
const bob = makeKey(keys, 'bob')

function write(file: string, tools: readonly JsonObject[], by: readonly (typeof alice)[], serial = 1): void {
  rmSync(`${file}.sig`, { force: true })
  writeFileSync(file, fileText(2, tools, serial), { mode: 0o644 })
  if (by.length > 0) signFile(file, ...by)
}
function made(signers = `alice ${alice.publicLine}\n`, by = [alice]): string {
  const file = join(scratch(), 'tools.allow.json')
  writeFileSync(join(file, '..', 'allowed_signers'), signers, { mode: 0o644 })
  write(file, [recordV2()], by)
  return file
}
const open = (file: string, more: Partial<ConstructorParameters<typeof ContractStore>[0]> = {}) =>
  new ContractStore({ paths: contractPaths(file), stateFolder: storeFolder(file), ownMachine: true, ...more })

describe('contract:human: the store', () => {
  test('a signed tool is admitted, an unknown one is not, names of Object included', () => {
    const store = open(made())
    expect(store.admit('notes/read_note')).toMatchObject({ kind: 'contract', contract: { name: 'read_note' } })
    for (const name of ['notes/other', 'read_note', 'constructor', '__proto__', '']) expect(store.admit(name)).toMatchObject({ kind: 'refused', reason: 'missing' })
  })

  test('closed, decision table: a file that changed on disk halts everything, names who signed, and the last good contracts stay readable', () => {
    const file = made()
    const halts: unknown[] = []
    const store = open(file, { onHalt: (problems, signedBy) => { halts.push([problems.map(found => found.code), signedBy]) } })
    writeFileSync(file, fileText(2, [recordV2({ privileges: ['fs.read', 'fs.write'] })]))
    expect(store.admit('notes/read_note')).toMatchObject({ kind: 'refused', reason: 'file' })
    expect(store.admit('notes/read_note')).toMatchObject({ kind: 'refused', why: expect.stringContaining('alice') as string })
    expect(store.halted).toBe(true)
    expect(halts).toEqual([[['file-changed'], ['alice']]])
    expect(store.readable.map(contract => contract.privileges)).toEqual([['fs.read']])
    expect(store.callable()).toEqual([])
  })

  test('closed: the halt stays when the old bytes come back, until a person acts', () => {
    const file = made()
    const store = open(file)
    const bytes = readFileSync(file)
    writeFileSync(file, '{}')
    expect(store.callable()).toEqual([])
    writeFileSync(file, bytes)
    expect(store.callable()).toEqual([])
    store.reload()
    expect(store.callable()).toHaveLength(1)
  })

  test('a new time stamp over the same bytes is no change', () => {
    const file = made()
    const store = open(file)
    utimesSync(file, new Date(0), new Date(0))
    expect(store.admit('notes/read_note').kind).toBe('contract')
  })

  test('closed: a changed signature, a changed signers file and a deleted file halt too', () => {
    for (const change of [(file: string) => writeFileSync(`${file}.sig`, ''), (file: string) => writeFileSync(join(file, '..', 'allowed_signers'), ''), (file: string) => rmSync(file), (file: string) => writeFileSync(join(file, '..', 'revoked_signers'), alice.publicLine)]) {
      const file = made()
      const store = open(file)
      change(file)
      expect(store.admit('notes/read_note')).toMatchObject({ kind: 'refused', reason: 'file' })
    }
  })

  test('closed: a key that expires while the store is open is refused at the next call', () => {
    const file = made(`alice valid-before="20260601Z" ${alice.publicLine}\n`)
    let now = Date.UTC(2026, 0, 1)
    const store = open(file, { now: () => now })
    expect(store.admit('notes/read_note').kind).toBe('contract')
    now = Date.UTC(2026, 6, 1)
    expect(store.admit('notes/read_note')).toMatchObject({ kind: 'refused' })
  })

  test('closed: without --i-own-this-machine a file of the running user is refused', () => {
    const store = open(made(), { ownMachine: false })
    expect(store.status).toBe('refused')
    expect(store.problems.map(found => found.code)).toContain('file-writable')
    expect(store.admit('notes/read_note')).toMatchObject({ kind: 'refused' })
  })

  test('closed: unsigned contracts are readable and not callable', () => {
    const store = open(made(undefined, []))
    expect(store.status).toBe('unsigned')
    expect(store.readable).toHaveLength(1)
    expect(store.admit('notes/read_note')).toMatchObject({ kind: 'refused', reason: 'unsigned' })
  })
})

describe('control:human: what was accepted before', () => {
  const signers = `alice ${alice.publicLine}\nbob ${bob.publicLine}\n`
  const wide = recordV2({ privileges: ['fs.read', 'http.get'], effects: { always: ['http.get'] } })

  test('a narrowing that one person signed holds over restarts, and going back needs both again', () => {
    const file = made(signers, [alice, bob])
    write(file, [wide], [alice, bob], 2)
    expect(open(file).status).toBe('ok')
    write(file, [recordV2()], [bob, alice], 3)
    write(file, [recordV2()], [alice], 3)
    expect(open(file).status).toBe('ok')
    expect(open(file).status).toBe('ok')
    write(file, [wide], [alice], 4)
    expect(open(file).waiting.map(found => found.code)).toEqual(['too-few-signers'])
    expect(open(file).callable().map(contract => contract.privileges)).toEqual([['fs.read']])
    write(file, [wide], [alice, bob], 4)
    expect(open(file).status).toBe('ok')
  })

  test('closed: a forged or deleted copy of what was accepted only makes the next change need more people', () => {
    const file = made(signers, [alice, bob])
    expect(open(file).status).toBe('ok')
    const copy = join(storeFolder(file), 'accepted.0.json')
    expect(existsSync(copy)).toBe(true)
    writeFileSync(copy, fileText(2, [wide]))
    write(file, [wide], [alice], 2)
    expect(open(file).problems.map(found => found.code)).toEqual(['too-few-signers'])
    rmSync(copy)
    expect(open(file).problems.map(found => found.code)).toEqual(['too-few-signers'])
  })

  test('after a restart with a file that does not hold, what was accepted before is readable, with who signed it, and nothing is callable', () => {
    const file = made()
    expect(open(file).status).toBe('ok')
    writeFileSync(file, fileText(2, [wide], 2))
    const store = open(file)
    expect(store.status).toBe('refused')
    expect(store.readable.map(contract => contract.privileges)).toEqual([['fs.read']])
    expect(store.signedBy).toEqual(['alice'])
    expect(store.callable()).toEqual([])
  })

  test('closed: an older signed file does not come back over a restart', () => {
    const file = made()
    write(file, [recordV2()], [alice], 5)
    expect(open(file).status).toBe('ok')
    write(file, [recordV2()], [alice], 4)
    expect(open(file).problems.map(found => found.code)).toEqual(['serial-rollback'])
  })
})
