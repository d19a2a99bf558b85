/** Route files that change while the server runs. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openSqliteLog } from '../../src/log/sqlite.ts'
import { loadRoutes } from '../../src/routes/load.ts'
import { acceptRoutes } from '../../src/serve/acceptance.ts'
import { sha256 } from '../../src/util/canonical.ts'
import { Place, ROUTES, until, type Outcomes, type Running } from './support.ts'

const place = new Place()
const file = join(place.routes, 'routes.yaml')
const acceptedFolder = join(place.state, 'accepted', 'routes')
let server: Running
let user: string
let webhook: string
let nth = 0

interface State { readonly routes: { readonly standing: string, readonly says: string, readonly names: string[], readonly hash: string } }
const standing = async () => (await server.ask('/state', { token: place.pageToken })).json<State>().routes
const edit = (text: string) => writeFileSync(file, text)
const settled = async (kind: string) => { await until(async () => (await standing()).standing === kind); return standing() }
const say = async (words: string, token = user) => (await server.post({ text: words }, { token })).json<Outcomes>().outcomes[0]
const fresh = () => `write down number ${nth++}`
async function accept(): Promise<void> {
  const log = openSqliteLog(place.log, { stateDir: place.state })
  await acceptRoutes(acceptedFolder, loadRoutes([file]), log, 'alice', Date.now())
  log.close()
}

beforeAll(async () => {
  await accept()
  user = place.token('me', 'user')
  webhook = place.token('ci', 'webhook')
  server = await place.start()
})
beforeEach(async () => {
  edit(ROUTES)
  await accept()
  await settled('loaded')
  await until(async () => (await standing()).names.join() === 'record,slow')
  // A standing of before the edit reads `loaded` too.
  const whole = loadRoutes([file]).hash
  await until(async () => (await standing()).hash === whole)
})
afterAll(() => place.remove())

test('closed: a bad edit keeps the last good table, and says so in the state, in the log and to the owner', async () => {
  const before = await standing()
  edit(ROUTES.replace('tool: record', 'tool: recrod'))
  const bad = await settled('bad')
  expect(bad.hash).toBe(before.hash)
  expect(bad.says).toMatch(/last good routes decide: .*routes\.yaml:\d+:\d+/)
  expect((await say(fresh()))?.kind).toBe('called')
  await until(() => place.acts('routes.bad').length === 1)
  expect(server.err()).toContain('do not load')
  edit('routes: [')
  await until(() => place.acts('routes.bad').length === 2)
  edit(ROUTES)
  await settled('loaded')
  expect((await say(fresh()))?.kind).toBe('called')
})

test('closed: an edit whose own tests do not hold is a bad edit', async () => {
  edit(ROUTES.replace('must_not_fire: ["why did you write it down?"]', 'must_not_fire: ["please write down this line"]'))
  expect((await settled('bad')).says).toContain('please write down this line')
  expect((await say(fresh()))?.kind).toBe('called')
})

test('a narrowing edit is swapped between events, with the difference logged', async () => {
  expect((await say(fresh(), webhook))?.kind).toBe('called')
  const before = (await standing()).hash
  edit(ROUTES.replace('from: [user, webhook, chat, local, lines, inbox]', 'from: [user]'))
  await until(async () => (await standing()).hash !== before)
  expect((await standing()).standing).toBe('loaded')
  expect((await say(fresh(), webhook))?.kind).toBe('source-blocked')
  expect((await say(fresh()))?.kind).toBe('called')
  const last = place.acts('routes.reload').at(-1) as { detail: { changes: { widens: boolean, sentence: string }[] } }
  expect(last.detail.changes).toMatchObject([{ widens: false, sentence: expect.stringContaining('may no longer be fired by webhook') as string }])
})

test('control:human: what widens waits for a person; what narrows in the same edit does not', async () => {
  edit(ROUTES.replace('from: [user, webhook]', 'from: [user]').replace('triggers: ["write it down",', 'triggers: ["note this quickly", "write it down",'))
  const waits = await settled('waits')
  expect(waits.says).toMatch(/usher routes accept.*listens to "note this quickly"/)
  expect((await say('note this quickly'))?.kind).not.toBe('called')
  expect((await say('run the slow job', webhook))?.kind).toBe('source-blocked')
  expect((await say(fresh()))?.kind).toBe('called')
  expect(place.acts('routes.wait').at(-1)).toMatchObject({ detail: { changes: [{ widens: true }] } })
  await accept()
  await settled('loaded')
  expect((await say('note this quickly'))?.kind).toBe('called')
})

test('control:human: a new route waits, and a route that is gone is gone at once', async () => {
  const more = `${ROUTES}  - name: more\n    tool: record\n    triggers: ["mark the wall"]\n    allow: [fs.write]\n    must_fire: ["mark the wall"]\n    must_not_fire: ["do not mark the wall"]\n`
  edit(more)
  expect((await settled('waits')).names).toEqual(['record', 'slow'])
  expect((await say('mark the wall'))?.kind).not.toBe('called')
  edit(ROUTES.slice(0, ROUTES.indexOf('  - name: slow')))
  await until(async () => (await standing()).names.join() === 'record')
  expect((await say('run the slow job'))?.kind).not.toBe('called')
})

test('an editor that replaces the file, and files that come and go, are seen', async () => {
  const moved = place.write('routes.new', ROUTES.replace('from: [user, webhook]', 'from: [user]'))
  renameSync(moved, file)
  await until(async () => (await say('run the slow job', webhook))?.kind === 'source-blocked')
  const other = join(place.routes, 'other.yaml')
  writeFileSync(other, 'version: 1\nroutes: [')
  await settled('bad')
  rmSync(other)
  expect((await settled('loaded')).names).toEqual(['record', 'slow'])
})

test('the encoder stays warm over a reload: its processes are the same', async () => {
  const processes = () => readFileSync(`/proc/${server.child.pid}/task/${server.child.pid}/children`, 'utf8').trim()
  await say('something that is near to nothing at all')
  const before = processes()
  expect(before).not.toBe('')
  const { hash } = await standing()
  edit(ROUTES.replace('from: [user, webhook]', 'from: [user]'))
  await until(async () => (await standing()).hash !== hash)
  await say('something else that is near to nothing')
  // A busy encoder may start its second process meanwhile; none of the first ones may go.
  expect(processes().split(' ')).toEqual(expect.arrayContaining(before.split(' ')))
})

test('events that come during a reload are all answered, each by one table', async () => {
  const said = Array.from({ length: 30 }, () => fresh())
  const answers = said.map(text => server.post({ text }, { token: webhook }))
  edit(ROUTES.replace('from: [user, webhook, chat, local, lines, inbox]', 'from: [user]'))
  const kinds = (await Promise.all(answers)).map(answer => answer.json<Outcomes>().outcomes[0]?.kind ?? '')
  expect(kinds.filter(kind => kind !== 'called' && kind !== 'source-blocked')).toEqual([])
  await until(async () => (await say(fresh(), webhook))?.kind === 'source-blocked')
})

test('control:human: a widening edit is not let in by a restart', async () => {
  edit(ROUTES.replace('from: [user, webhook]', 'from: [user, webhook, chat]').replace('triggers: ["run the slow job"]', 'triggers: ["run the slow job", "jump the queue"]'))
  await settled('waits')
  expect(await server.end('SIGTERM')).toBe(0)
  server = await place.start()
  expect((await standing()).standing).toBe('waits')
  expect((await say('jump the queue'))?.kind).not.toBe('called')
  edit('routes: [')
  await settled('bad')
  await server.end('SIGTERM')
  // Bad at the start, too: what was accepted decides.
  server = await place.start()
  expect((await standing()).standing).toBe('bad')
  expect((await say(fresh()))?.kind).toBe('called')
})

test('control:human: a record of acceptance that the log does not name is none: whoever wrote it lets nothing in', async () => {
  const wide = ROUTES.replace('triggers: ["run the slow job"]', 'triggers: ["run the slow job", "let me in"]')
  edit(wide)
  await settled('waits')
  // What a program of the same user could do: copy the files and the list, digests and all.
  const list = JSON.parse(readFileSync(join(acceptedFolder, 'manifest.json'), 'utf8')) as { files: { sha256: string, copy: string }[] }
  writeFileSync(join(acceptedFolder, list.files[0]?.copy ?? ''), wide)
  writeFileSync(join(acceptedFolder, 'manifest.json'), JSON.stringify({ ...list, files: list.files.map(entry => ({ ...entry, sha256: sha256(wide) })) }))
  expect((await settled('bad')).says).toContain('names other accepted routes')
  expect((await say('let me in'))?.kind).not.toBe('called')
  rmSync(acceptedFolder, { recursive: true })
  await until(async () => (await standing()).says.includes('is gone'))
  expect((await say('let me in'))?.kind).not.toBe('called')
})

test('control:human: the first start of all names what was there, so that a later edit waits, over a restart too', async () => {
  const other = new Place()
  try {
    const token = other.token('me', 'user')
    const first = await other.start()
    expect(first.err()).toContain('nobody accepted routes yet')
    await first.end('SIGTERM')
    other.write('routes/routes.yaml', ROUTES.replace('triggers: ["run the slow job"]', 'triggers: ["run the slow job", "slip in"]'))
    const second = await other.start()
    expect((await second.post({ text: 'slip in' }, { token })).json<Outcomes>().outcomes[0]?.kind).not.toBe('called')
    // A person accepts at the command line, and the server takes it by itself.
    const accepted = other.spawn(['routes', 'accept', '--as', 'alice', '--yes', '--routes', other.routes, '--state', other.state, '--log', other.log])
    await until(() => accepted.exitCode !== null)
    expect(accepted.exitCode).toBe(0)
    await until(async () => (await second.ask('/state', { token: other.pageToken })).json<State>().routes.standing === 'loaded')
    expect((await second.post({ text: 'slip in' }, { token })).json<Outcomes>().outcomes[0]?.kind).not.toBe('no-match')
  } finally { await other.remove() }
})
