/** Tools from outside under a server: contracts that change while it runs, with and without a signature. */
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { BIN } from '../cli/usher.ts'
import { makeKey } from '../contract/keys.ts'
import { fixture } from '../mcp/support.ts'
import { Place, until, type Outcomes } from './support.ts'

const place = new Place()
afterAll(() => place.remove())

const cli = (...args: string[]) => spawnSync(process.execPath, [BIN, ...args], { cwd: place.folder, env: place.env, encoding: 'utf8' })
interface State { readonly contracts: { readonly status: string, readonly problems: string[], readonly tools: number } }

test('contract:human: unsigned changes halt everything until a person acts; signed ones are loaded while the server runs', async () => {
  for (const name of ['serve', 'honest', 'listing']) copyFileSync(fixture(name), join(place.folder, `${name}.mjs`))
  place.write('allowed_signers', `alice ${makeKey(place.folder, 'alice').publicLine}\n`)
  expect(cli('contract', 'draft', 'notes', '--', process.execPath, 'honest.mjs').status).toBe(0)
  const review = join(place.folder, '.usher/review')
  const drafts = existsSync(review) ? readdirSync(review).map(name => join('.usher/review', name)) : []
  const sign = (...more: string[]) => cli('contract', 'sign', '--as', 'alice', '--key', 'alice', '--yes', ...more)
  expect(sign('--draft', ...drafts, '--privileges', 'fs.read', '--effects', '{"always":[]}')).toMatchObject({ status: 0 })
  place.write('routes/notes.yaml', 'version: 1\nroutes:\n  - name: read-note\n    tool: notes/read_note\n    triggers: ["read the note {id}"]\n    must_fire: ["read the note 9"]\n    must_not_fire: ["do not read the note 9"]\n')
  const user = place.token('me', 'user')
  const server = await place.start(['--contracts', 'tools.allow.json', '--i-own-this-machine'])
  const read = async (nth: number) => (await server.post({ text: `read the note ${nth}` }, { token: user })).json<Outcomes>().outcomes[0]
  const contracts = async () => (await server.ask('/state', { token: place.pageToken })).json<State>().contracts
  expect(await read(1)).toMatchObject({ kind: 'called' })
  expect(await contracts()).toMatchObject({ status: 'ok', problems: [] })
  const page = async () => (await server.ask('/contracts', { token: place.pageToken })).text
  expect(await page()).toMatch(/notes\/read_note[\s\S]*<td>alice<\/td><td>\d{4}-\d\d-\d\d<\/td><td>✓ yes<\/td><td>ready<\/td>/)

  // Drafted and signed anew while it runs: loaded, and nothing halts.
  expect(cli('contract', 'draft', 'notes').status).toBe(0)
  expect(sign('--draft', ...readdirSync(review).map(name => join('.usher/review', name)), '--privileges', 'fs.read,compute', '--effects', '{"always":[]}')).toMatchObject({ status: 0 })
  await until(() => server.err().includes('contracts loaded anew'))
  expect(await read(10)).toMatchObject({ kind: 'called' })
  expect([place.acts('stop'), place.acts('contract.halt')]).toEqual([[], []])

  // Changed without a signature: refused, halted, said.
  const file = join(place.folder, 'tools.allow.json')
  const good = readFileSync(file, 'utf8')
  writeFileSync(file, good.replace('Reads one note.', 'Reads one note and sends it.'))
  await until(async () => (await contracts()).status === 'refused')
  expect(['contract-refused', 'stopped']).toContain((await read(2))?.kind)
  await until(() => place.acts('stop').length > 0)
  expect((await server.post({ text: 'write down while halted' }, { token: user })).json<Outcomes>().outcomes[0]?.kind).toBe('stopped')
  expect(server.err()).toContain('do not hold')

  // What was signed is back, and a person lets it go on.
  writeFileSync(file, good)
  await until(async () => (await contracts()).status === 'ok')
  const resumed = cli('resume', '--state', place.state, '--log', place.log)
  expect([resumed.status, resumed.stderr]).toEqual([0, expect.any(String)])
  expect(await read(3)).toMatchObject({ kind: 'called' })
  expect(server.err()).toContain('contracts loaded anew')
})

test('control:human: usher approve asks the server that runs, which makes the call itself', async () => {
  const [other, third] = [new Place(), new Place()]
  try {
    other.write('routes/careful.yaml', 'version: 1\nroutes:\n  - name: careful\n    tool: record\n    triggers: ["sign off {words:rest}"]\n    allow: [fs.write]\n    approve: always\n    must_fire: ["sign off the list"]\n    must_not_fire: ["do not sign off the list"]\n')
    const user = other.token('me', 'user')
    const server = await other.start()
    const [card] = (await server.post({ id: 'card', text: 'sign off the plan' }, { token: user })).json<{ outcomes: { kind: string, decisionId: string }[] }>().outcomes
    expect(card?.kind).toBe('needs-approval')
    // Tools and routes that the server would not use are wrong use, and the card waits on.
    const own = spawnSync(process.execPath, [BIN, 'approve', card?.decisionId ?? '', '--as', 'alice', '--state', other.state, '--log', other.log, '--tools', 'mine.mjs', '--routes', 'mine'], { cwd: other.folder, env: other.env, encoding: 'utf8' })
    expect([own.status, own.stderr]).toEqual([2, expect.stringContaining('leave --tools and --routes out, or stop the server first')])
    expect(other.recorded()).toEqual([])
    // Without the server's tools: only the server can make this call.
    const said = spawnSync(process.execPath, [BIN, 'approve', card?.decisionId ?? '', '--as', 'alice', '--state', other.state, '--log', other.log, '--json'], { cwd: other.folder, env: { ...other.env, USHER_TEST_RECORD: join(other.folder, 'elsewhere.txt') }, encoding: 'utf8' })
    expect(JSON.parse(said.stdout)).toMatchObject({ kind: 'done', outcome: { kind: 'called', result: { id: 'card' } } })
    expect(other.recorded()).toEqual(['record card'])
    await expect(third.start(['--port', String(server.port)])).rejects.toThrow(/SERVE_FAILED.*cannot listen/s)
  } finally {
    await other.remove()
    await third.remove()
  }
})
