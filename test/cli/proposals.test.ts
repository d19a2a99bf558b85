/** What an event, a result or a server proposes: a draft for a person at most, through the command line as people run it. */
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openLogReader } from '../../src/log/reader.ts'
import { makeKey } from '../contract/keys.ts'
import { fixture } from '../mcp/support.ts'
import { scratch } from './usher.ts'

vi.setConfig({ testTimeout: 120_000 })

const place = scratch()
const review = join(place.folder, '.usher/review')
const drafts = (): readonly string[] => existsSync(review) ? readdirSync(review).sort() : []
afterAll(() => place.remove())

beforeAll(() => {
  for (const name of ['serve', 'proposing']) copyFileSync(fixture(name), join(place.folder, `${name}.mjs`))
  writeFileSync(join(place.folder, 'allowed_signers'), `alice ${makeKey(place.folder, 'alice').publicLine}\n`, { mode: 0o644 })
  place.run(['contract', 'draft', 'notes', '--', process.execPath, 'proposing.mjs'])
  place.run(['contract', 'sign', '--as', 'alice', '--key', 'alice', '--yes', '--draft', ...drafts().map(name => join('.usher/review', name)), '--privileges', 'fs.read', '--effects', '{"always":[]}'])
  writeFileSync(join(place.folder, 'notes.yaml'), 'version: 1\nroutes:\n  - name: read-note\n    tool: notes/read_note\n    triggers: ["read the note {id}"]\n')
})

function run(...events: readonly object[]) {
  const ran = place.run(['run', '--source', 'user', '--json', '--no-reader', '--log', 'c.sqlite', '--routes', 'notes.yaml', '--contracts', 'tools.allow.json', '--i-own-this-machine'], events.map(event => `${JSON.stringify(event)}\n`).join(''))
  return ran.lines() as { outcomes: { kind: string, result?: { content: { text: string }[] } }[] }[]
}

function acts(): readonly (readonly [string, string, string])[] {
  const reader = openLogReader(join(place.folder, 'c.sqlite'), { stateDir: join(place.folder, 'state/usher') })
  try {
    return (reader.db.prepare('SELECT body FROM rows WHERE kind = \'act\' ORDER BY seq').pluck().all() as string[]).map(body => JSON.parse(body) as { who: string, act: string, about: string })
      .filter(({ act }) => ['contract.proposed', 'control-plane-write', 'server.request'].includes(act)).map(({ who, act, about }) => [who, act, about])
  } finally {
    reader.close()
  }
}

test('contract:no-model: other words for a tool become a draft with who proposed it; a new address, a route and a signer are dropped; all of it is logged', () => {
  const before = readFileSync(join(place.folder, 'tools.allow.json'))
  const propose = (more: object) => ({ usher: { propose: { server: 'notes', name: 'read_note', ...more } } })
  run(
    { text: 'hello', data: propose({ description: 'Reads one note, whole.', draft_note: 'says the event' }) },
    { text: 'hello again', data: propose({ url: 'https://elsewhere.example/mcp' }) },
    { text: 'hello once more', data: { usher: { routes: ['x'], signers: ['me'] } } },
  )
  expect(drafts()).toHaveLength(1)
  const shown = place.run(['contract', 'review'])
  expect(shown.stdout).toMatch(/proposed by event/)
  expect(shown.stdout).toContain('note: proposed by event: says the event')
  expect(acts()).toEqual([['event', 'contract.proposed', 'notes/read_note'], ['event', 'control-plane-write', 'url'], ['event', 'control-plane-write', 'usher.routes, usher.signers']])
  expect(readFileSync(join(place.folder, 'tools.allow.json'))).toEqual(before)
  expect(place.run(['contract', 'verify']).status).toBe(0)
})

test('contract:no-model: so do a result\'s and a server\'s, and the server hears who may; what it asks of its client is off and a row', () => {
  const [result, server, asks] = run({ text: 'read the note result' }, { text: 'read the note server' }, { text: 'read the note asks' }).map(line => line.outcomes[0])
  expect(result).toMatchObject({ kind: 'called' })
  expect(server?.result?.content[0]?.text).toContain('only a person may change that')
  expect(asks?.result?.content[0]?.text).toContain('the owner allows a server\'s request by name')
  expect(acts().slice(-4)).toEqual([['tool-result', 'contract.proposed', 'notes/read_note'], ['server', 'server.request', 'usher/propose'], ['server', 'contract.proposed', 'notes/read_note'], ['server', 'server.request', 'sampling/createMessage']])
  const proposed = place.run(['contract', 'review', '--json']).json() as { reviews: { proposedBy: string, tools: { description: string }[] }[] }
  expect(proposed.reviews.map(one => one.proposedBy).sort()).toEqual(['event', 'server', 'tool-result'])
  expect(place.run(['contract', 'list', '--i-own-this-machine']).status).toBe(0)
})
