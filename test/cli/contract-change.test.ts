import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeKey, signFile, type TestKey } from '../contract/keys.ts'
import { fileText, noteTool, recordV2 } from '../contract/records.ts'
import { fixture } from '../mcp/support.ts'
import { scratch } from './usher.ts'

vi.setConfig({ testTimeout: 240_000 })

const places: ReturnType<typeof scratch>[] = []
afterEach(() => { for (const place of places.splice(0)) place.remove() })

interface Place extends ReturnType<typeof scratch> { readonly alice: TestKey, readonly bob: TestKey, readonly file: string }
function made(): Place {
  const place = scratch()
  places.push(place)
  const [alice, bob] = [makeKey(place.folder, 'alice'), makeKey(place.folder, 'bob')]
  writeFileSync(join(place.folder, 'allowed_signers'), `alice ${alice.publicLine}\nbob ${bob.publicLine}\n`, { mode: 0o644 })
  return { ...place, alice, bob, file: join(place.folder, 'tools.allow.json') }
}
const sign = (place: Place, who: 'alice' | 'bob', ...more: readonly string[]) => place.run(['contract', 'sign', '--as', who, '--key', who, '--yes', ...more])
const list = (place: Place) => place.run(['contract', 'list', '--offline', '--i-own-this-machine', '--json']).json() as { status: string, waiting: { message: string }[], problems: { code: string }[], tools: { tool: string, signedBy: string, signedAt: string | null }[] }
const two = [recordV2(), recordV2({}, { ...noteTool, name: 'ping' })]

describe('contract:human: a contract file that changes', () => {
  test('a tool taken out by hand and signed by one is accepted as it is, and the file of before does not come back', () => {
    const place = made()
    writeFileSync(place.file, fileText(2, two, 2))
    signFile(place.file, place.alice, place.bob)
    expect(list(place).tools.map(row => row.tool)).toEqual(['notes/read_note', 'notes/ping'])
    const before = [readFileSync(place.file), readFileSync(`${place.file}.sig`)] as const
    writeFileSync(place.file, fileText(2, [two[0] as (typeof two)[0]], 2))
    expect(sign(place, 'alice')).toMatchObject({ status: 0, stdout: expect.stringContaining('signed by alice') as string })
    expect((JSON.parse(readFileSync(place.file, 'utf8')) as { serial: number }).serial).toBe(3)
    expect(list(place).tools.map(row => row.tool)).toEqual(['notes/read_note'])
    writeFileSync(place.file, before[0])
    writeFileSync(`${place.file}.sig`, before[1])
    expect(list(place)).toMatchObject({ status: 'refused', problems: [{ code: 'serial-rollback' }] })
  })

  test('--remove takes a tool out; an unknown one is wrong use', () => {
    const place = made()
    writeFileSync(place.file, fileText(2, two, 2))
    signFile(place.file, place.alice, place.bob)
    expect(list(place).status).toBe('ok')
    expect(sign(place, 'alice', '--remove', 'notes/toString')).toMatchObject({ status: 2 })
    expect(sign(place, 'alice', '--remove', 'notes/ping')).toMatchObject({ status: 0, stdout: expect.stringContaining('removes  notes/ping') as string })
    expect(list(place).tools.map(row => row.tool)).toEqual(['notes/read_note'])
  })

  test('list names everybody who signed, and the time that is signed, whatever the time of the files', () => {
    const place = made()
    writeFileSync(place.file, fileText(2, two, 1))
    signFile(place.file, place.alice, place.bob)
    expect(list(place).tools[0]).toMatchObject({ signedBy: 'alice, bob', signedAt: null })
    const began = Date.now()
    expect(sign(place, 'alice', '--remove', 'notes/ping').status).toBe(0)
    utimesSync(`${place.file}.sig`, new Date(0), new Date(0))
    const [row] = list(place).tools
    expect(row?.signedBy).toBe('alice')
    expect(Date.parse(row?.signedAt ?? '')).toBeGreaterThanOrEqual(began)
  })
})

describe('contract:human: privileges of each tool', () => {
  test('--privileges and --effects for one tool are that tool\'s; one for all fills the rest; a tool that is not drafted is wrong use', () => {
    const place = made()
    writeFileSync(join(place.folder, 'allowed_signers'), `alice ${place.alice.publicLine}\n`)
    for (const name of ['serve', 'honest']) copyFileSync(fixture(name), join(place.folder, `${name}.mjs`))
    expect(place.run(['contract', 'draft', 'notes', '--', process.execPath, 'honest.mjs']).status).toBe(0)
    const drafts = readdirSync(join(place.folder, '.usher/review')).map(name => join('.usher/review', name))
    expect(sign(place, 'alice', '--draft', ...drafts, '--privileges', 'fs.read', 'notes/nothing=fs.write')).toMatchObject({ status: 2, stderr: expect.stringContaining('none of these drafts') as string })
    expect(existsSync(place.file)).toBe(false)
    const names = (JSON.parse(readFileSync(join(place.folder, drafts[0] as string), 'utf8')) as { tools: { name: string }[] }).tools.map(tool => tool.name)
    expect(names.length).toBeGreaterThan(1)
    const [first, ...others] = names as [string, ...string[]]
    expect(sign(place, 'alice', '--draft', ...drafts, '--privileges', 'fs.read', `notes/${first}=fs.read,http.get`, '--effects', '{"always":[]}', `notes/${first}={"always":["http.get"]}`).status).toBe(0)
    const signed = (JSON.parse(readFileSync(place.file, 'utf8')) as { tools: { name: string, privileges: string[], effects: unknown }[] }).tools
    expect(signed.map(tool => [tool.name, tool.privileges, tool.effects])).toEqual([[first, ['fs.read', 'http.get'], { always: ['http.get'] }], ...others.map(name => [name, ['fs.read'], { always: [] }])])
  })
})

describe('contract:human: code that the server brings along', () => {
  test('closed: a local module that the server imports is pinned: changed, and its tools are not offered', () => {
    const place = made()
    writeFileSync(join(place.folder, 'allowed_signers'), `alice ${place.alice.publicLine}\n`)
    for (const name of ['serve', 'honest']) copyFileSync(fixture(name), join(place.folder, `${name}.mjs`))
    expect(place.run(['contract', 'draft', 'notes', '--', process.execPath, 'honest.mjs']).status).toBe(0)
    expect(sign(place, 'alice', '--draft', ...readdirSync(join(place.folder, '.usher/review')).map(name => join('.usher/review', name)), '--privileges', 'fs.read', '--effects', '{"always":[]}').status).toBe(0)
    const online = () => place.run(['contract', 'list', '--i-own-this-machine', '--json'])
    expect(online().status).toBe(0)
    appendFileSync(join(place.folder, 'serve.mjs'), '// other\n')
    const changed = online()
    expect(changed.status).toBe(1)
    expect(changed.stdout).toContain('serve.mjs has other bytes than were signed')
    expect(place.run(['contract', 'draft', 'notes']).status).toBe(0)
    expect(place.run(['contract', 'review'])).toMatchObject({ status: 1, stdout: expect.stringMatching(/new-bytes.*serve\.mjs/) as string })
  })
})

describe('control:human: verify --base', () => {
  const proposal = (place: Place, signers: string, by: readonly TestKey[]): void => {
    mkdirSync(join(place.folder, 'before'))
    for (const name of ['tools.allow.json', 'tools.allow.json.sig', 'allowed_signers']) copyFileSync(join(place.folder, name), join(place.folder, 'before', name))
    writeFileSync(join(place.folder, 'allowed_signers'), signers)
    writeFileSync(place.file, fileText(2, [recordV2({ privileges: ['fs.read', 'process.start'], effects: { always: ['process.start'] } })], 2))
    rmSync(`${place.file}.sig`)
    signFile(place.file, ...by)
  }
  const base = (): Place => {
    const place = made()
    writeFileSync(place.file, fileText(2, [recordV2()], 1))
    signFile(place.file, place.alice, place.bob)
    return place
  }
  const codes = (place: Place, ...more: readonly string[]) => {
    const ran = place.run(['contract', 'verify', 'tools.allow.json', '--json', ...more])
    return [ran.status, ...(ran.json() as { problems: { code: string }[] }).problems.map(found => found.code)]
  }

  test('closed: a change that brings its own signers is judged by those of before', () => {
    const place = base()
    const eve = makeKey(place.folder, 'eve')
    proposal(place, `eve ${eve.publicLine}\n`, [eve])
    expect(codes(place)).toContain('signer-mismatch')
    expect(codes(place, '--base', 'before/tools.allow.json')).toEqual(expect.arrayContaining([1, 'signers-changed', 'signer-unknown']))
  })

  test('the same signers: one is too few, two are enough; a changed signers file alone is reported', () => {
    const place = base()
    const signers = readFileSync(join(place.folder, 'allowed_signers'), 'utf8')
    proposal(place, signers, [place.alice])
    expect(codes(place, '--base', 'before/tools.allow.json')).toEqual([1, 'too-few-signers'])
    signFile(place.file, place.bob)
    expect(codes(place, '--base', 'before/tools.allow.json')).toEqual([0])
    writeFileSync(join(place.folder, 'allowed_signers'), `${signers}# usher: signers=1\n`)
    expect(codes(place, '--base', 'before/tools.allow.json')).toEqual([1, 'signers-changed'])
  })

  test('closed: a base that is not there, or does not hold, is no base', () => {
    const place = base()
    expect(codes(place, '--base', 'nowhere/tools.allow.json')).toEqual(expect.arrayContaining([1, 'base-missing']))
    expect(place.run(['contract', 'verify', '--base', 'x.json', '--machine'])).toMatchObject({ status: 2 })
  })
})
