/** Routes that call a server's tools: only under a contract that holds at the moment of the call. */
import { copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { makeKey } from '../contract/keys.ts'
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
