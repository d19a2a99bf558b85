import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { readAccepted, storeFolder } from '../../src/contract/accepted.ts'
import { ContractStore } from '../../src/contract/store.ts'
import { contractPaths } from '../../src/contract/verify.ts'
import type { JsonObject } from '../../src/types.ts'
import { makeKey, scratch, signFile } from './keys.ts'
import { fileText, recordV2 } from './records.ts'

vi.setConfig({ testTimeout: 120_000 })

const keys = scratch()
const [alice, bob] = [makeKey(keys, 'alice'), makeKey(keys, 'bob')]
const wide = recordV2({ privileges: ['fs.read', 'http.get'], effects: { always: ['http.get'] } })

function write(file: string, tools: readonly JsonObject[], by: readonly (typeof alice)[], serial: number): void {
  rmSync(`${file}.sig`, { force: true })
  writeFileSync(file, fileText(2, tools, serial), { mode: 0o644 })
  if (by.length > 0) signFile(file, ...by)
}
function made(): string {
  const file = join(scratch(), 'tools.allow.json')
  writeFileSync(join(file, '..', 'allowed_signers'), `alice ${alice.publicLine}\nbob ${bob.publicLine}\n`, { mode: 0o644 })
  write(file, [recordV2()], [alice, bob], 1)
  return file
}
const open = (file: string, more: Partial<ConstructorParameters<typeof ContractStore>[0]> = {}) => new ContractStore({ paths: contractPaths(file), stateFolder: storeFolder(file), ownMachine: true, ...more })
const privileges = (store: ContractStore) => store.callable().map(contract => contract.privileges)

describe('contract:human: between the first and the second signature', () => {
  test('what both signed before stays callable, at the start and while it runs, and it is said who must still sign', () => {
    const file = made()
    const running = open(file)
    write(file, [wide], [alice], 2)
    for (const store of [running, open(file)]) {
      expect(store.admit('notes/read_note')).toMatchObject({ kind: 'contract', contract: { privileges: ['fs.read'] } })
      expect(store.waiting.map(found => found.code)).toEqual(['too-few-signers'])
      expect(store.waiting[0]?.message).toContain('still to sign: bob')
    }
    signFile(file, bob)
    expect(privileges(open(file))).toEqual([['fs.read', 'http.get']])
    expect(running.reload().status).toBe('ok')
    expect(running.waiting).toEqual([])
    expect(privileges(running)).toEqual([['fs.read', 'http.get']])
  })

  test('closed: a signature of nobody in the list, none at all, or nothing that was accepted before: nothing is callable', () => {
    const stranger = makeKey(scratch(), 'eve')
    for (const by of [[stranger], [], [alice, stranger]]) {
      const file = made()
      expect(open(file).status).toBe('ok')
      write(file, [wide], by, 2)
      expect(privileges(open(file))).toEqual([])
    }
    const fresh = made()
    write(fresh, [wide], [alice], 2)
    expect(open(fresh).problems.map(found => found.code)).toEqual(['too-few-signers'])
    expect(privileges(open(fresh))).toEqual([])
  })

  test('closed: a signer of before who is revoked in the meantime ends what was signed before, too', () => {
    const file = made()
    const store = open(file)
    write(file, [wide], [alice], 2)
    expect(privileges(store)).toEqual([['fs.read']])
    writeFileSync(join(file, '..', 'revoked_signers'), `${bob.publicLine}\n`, { mode: 0o644 })
    expect(privileges(store)).toEqual([])
    expect(privileges(open(file))).toEqual([])
  })
})

describe('contract:human: who may write is asked at each use', () => {
  test('closed: a mode that lets others write, of a file or of a folder above, halts at the very next call', () => {
    for (const loosen of [(file: string) => chmodSync(file, 0o666), (file: string) => chmodSync(join(file, '..', 'allowed_signers'), 0o666), (file: string) => chmodSync(dirname(file), 0o777)]) {
      const file = made()
      const store = open(file)
      for (let call = 0; call < 3; call++) expect(store.admit('notes/read_note').kind).toBe('contract')
      loosen(file)
      expect(store.admit('notes/read_note')).toMatchObject({ kind: 'refused' })
    }
  })
})

describe('contract:human: contracts of another user', () => {
  const asNobody = process.getuid?.() === 0 && spawnSync('setpriv', ['--reuid', '65534', '--clear-groups', '--regid', '65534', 'true']).status === 0

  test.skipIf(!asNobody)('what was accepted is kept in the state folder of a user who may not write the contracts, and the same tools are callable without a waiver', () => {
    const file = made()
    chmodSync(dirname(file), 0o755)
    const state = scratch()
    chmodSync(state, 0o777)
    const read = `import { ContractStore } from './dist/contract/store.js'; import { contractPaths } from './dist/contract/verify.js'; import { storeFolder } from './dist/contract/accepted.js'
      const store = new ContractStore({ paths: contractPaths(process.argv[1]), stateFolder: storeFolder(process.argv[1], process.argv[2]) })
      console.log(JSON.stringify([store.status, store.callable().map(one => one.name), store.problems, storeFolder(process.argv[1], process.argv[2])]))`
    const ran = spawnSync('setpriv', ['--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath, '--input-type=module', '-e', read, file, state], { encoding: 'utf8' })
    const [status, tools, problems, folder] = JSON.parse(ran.stdout) as [string, string[], unknown[], string]
    expect([status, tools, problems]).toEqual(['ok', ['read_note'], []])
    expect(folder.startsWith(state)).toBe(true)
    expect(readAccepted(folder, contractPaths(file), Date.now()).file?.contracts.map(one => one.name)).toEqual(['read_note'])
  })

  test('a folder that cannot be written is an error that says which one', () => {
    const file = made()
    const place = scratch()
    writeFileSync(join(place, 'taken'), '')
    expect(() => open(file, { stateFolder: join(place, 'taken', 'contracts') })).toThrow(/USHER_STATE/)
    mkdirSync(join(place, 'free'))
    expect(open(file, { stateFolder: join(place, 'free') }).status).toBe('ok')
    expect(readFileSync(join(place, 'free', 'accepted.0.json'), 'utf8')).toBe(readFileSync(file, 'utf8'))
  })
})
