/** Routes that call a server's tools: only under a contract that holds at the moment of the call. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { makeKey, signFile } from '../contract/keys.ts'
import { fileText, recordV1 } from '../contract/records.ts'
import { fixture } from '../mcp/support.ts'
import { scratch } from './usher.ts'

vi.setConfig({ testTimeout: 120_000 })

const places: ReturnType<typeof scratch>[] = []
afterEach(() => { for (const place of places.splice(0)) place.remove() })

/** A folder with a signed contract of the fixture server, and a route to its tool. */
function signed() {
  const place = scratch()
  places.push(place)
  for (const name of ['serve', 'honest', 'listing']) copyFileSync(fixture(name), join(place.folder, `${name}.mjs`))
  writeFileSync(join(place.folder, 'allowed_signers'), `alice ${makeKey(place.folder, 'alice').publicLine}\n`, { mode: 0o644 })
  expect(place.run(['contract', 'draft', 'notes', '--', process.execPath, 'honest.mjs']).status).toBe(0)
  const review = join(place.folder, '.usher/review')
  const drafts = existsSync(review) ? readdirSync(review).map(name => join('.usher/review', name)) : []
  expect(place.run(['contract', 'sign', '--as', 'alice', '--key', 'alice', '--yes', '--draft', ...drafts, '--privileges', 'fs.read', '--effects', '{"always":[]}']).status).toBe(0)
  return place
}

const run = (place: ReturnType<typeof scratch>, ...more: string[]) => place.run(['run', '--source', 'user', '--json', '--log', 'c.sqlite', '--routes', 'notes.yaml', '--contracts', 'tools.allow.json', ...more], '{"text":"read the note 7"}\n')
const ROUTE = 'version: 1\nroutes:\n  - name: read-note\n    tool: notes/read_note\n    triggers: ["read the note {id}"]\n'

test('contract:human: a signed tool is called by its route, and the call names its contract', () => {
  const place = signed()
  writeFileSync(join(place.folder, 'notes.yaml'), ROUTE)
  const ran = run(place, '--i-own-this-machine')
  expect(ran.lines()).toMatchObject([{ outcomes: [{ kind: 'called', tool: 'notes/read_note' }] }])
  const [entry] = place.run(['log', '--outcome', 'called', '--json', '--log', 'c.sqlite']).lines() as { call: { call: { contractHash?: string } } }[]
  expect(entry?.call.call.contractHash).toMatch(/^[0-9a-f]{64}$/)
})

test('contract:human: without a signature, or where the running user may write the file, there is no such tool', () => {
  const place = signed()
  writeFileSync(join(place.folder, 'notes.yaml'), ROUTE)
  expect(run(place)).toMatchObject({ status: 1, stderr: expect.stringContaining('notes/read_note') as string })
  writeFileSync(join(place.folder, 'tools.allow.json'), '{"version":1,"tools":[]}')
  expect(run(place, '--i-own-this-machine').status).toBe(1)
})

test.skipIf(spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status !== 0)('effect:observed: a tool by command in any language is traced where --watch-children or its variable says so, and held to be silent otherwise', () => {
  const place = scratch()
  places.push(place)
  const alice = makeKey(place.folder, 'alice')
  writeFileSync(join(place.folder, 'allowed_signers'), `alice ${alice.publicLine}\n`, { mode: 0o644 })
  writeFileSync(join(place.folder, 'tools.allow.json'), fileText(1, [recordV1({ name: 'keep', privileges: ['fs.write'], command: ['/usr/bin/tee', join(place.folder, 'kept')], inputSchema: { type: 'object', properties: {}, additionalProperties: false } })]), { mode: 0o644 })
  signFile(join(place.folder, 'tools.allow.json'), alice)
  writeFileSync(join(place.folder, 'notes.yaml'), 'version: 1\nroutes:\n  - name: keep\n    tool: keep\n    triggers: ["read the note {id}"]\n    allow: [fs.write, fs.rename, fs.chmod]\n')
  const effects = (log: string, ...more: string[]): readonly string[] => {
    const ran = place.run(['run', '--source', 'user', '--json', '--log', log, '--routes', 'notes.yaml', '--contracts', 'tools.allow.json', '--i-own-this-machine', ...more], '{"text":"read the note 7"}\n')
    expect(ran.lines()).toMatchObject([{ outcomes: [{ kind: 'called', tool: 'keep' }] }])
    const [entry] = place.run(['log', '--json', '--log', log]).lines() as { call: { effects: { kind: string, target: string, watcher: string }[] } }[]
    return (entry?.call.effects ?? []).map(effect => `${effect.kind} ${effect.target} ${effect.watcher}`)
  }
  const write = `fs.write ${join(place.folder, 'kept')} strace`
  expect(effects('plain.sqlite')).not.toContain(write)
  expect(effects('traced.sqlite', '--watch-children', 'strace')).toContain(write)
  Object.assign(place.env, { USHER_WATCH_CHILDREN: 'strace' })
  expect(effects('by-variable.sqlite')).toContain(write)
  Object.assign(place.env, { USHER_WATCH_CHILDREN: 'ptrace' })
  expect(place.run(['proxy', '--i-own-this-machine', '--', '/usr/bin/tee'])).toMatchObject({ status: 2, stderr: expect.stringContaining('USHER_WATCH_CHILDREN takes preload, strace, off') as string })
  expect(place.run(['run', '--watch-children', 'x', '--routes', 'notes.yaml'])).toMatchObject({ status: 2, stderr: expect.stringContaining('--watch-children takes') as string })
})
