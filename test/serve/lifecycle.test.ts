/** Ends of every kind: told to stop, told twice, killed; and two servers at once. */
import { existsSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { Place, until, type Outcomes } from './support.ts'

const places: Place[] = []
const newPlace = () => { const place = new Place(); places.push(place); return place }
afterEach(async () => { for (const place of places.splice(0)) await place.remove() })

const callOutcomes = (place: Place) => place.rows('outcome').map(row => [row['kind'], row['reason']])

describe('told to stop', () => {
  test('the event in flight is finished and answered, those that wait are told, and nothing is lost in silence', async () => {
    const place = newPlace()
    const user = place.token('me', 'user')
    const server = await place.start([], { USHER_TEST_SLOW: '1500' })
    const slow = server.post({ id: 'slow', text: 'run the slow job' }, { token: user })
    await until(() => place.recorded().includes('begin slow'))
    const waits = [1, 2, 3].map(nth => server.post({ id: `waits-${nth}`, text: `write down ${nth}` }, { token: user }))
    const kept = await server.post({ id: 'kept', text: 'write down a kept one' }, { token: user, headers: { prefer: 'respond-async' } })
    expect(kept.status).toBe(202)
    const code = server.end('SIGTERM')
    expect((await slow).json<Outcomes>().outcomes[0]?.kind).toBe('called')
    for (const waited of await Promise.all(waits)) expect([waited.status, waited.json<Outcomes>().error?.code, waited.headers['retry-after']]).toEqual([503, 'CLOSED', '5'])
    expect(await code).toBe(0)
    expect(place.recorded()).toEqual(['begin slow', 'end slow'])
    expect(place.acts('serve.stop')).toMatchObject([{ detail: { refused: 4, kept: 1 } }])
    expect(existsSync(server.socket)).toBe(false)

    // What was accepted with 202 is handled by the next one, once; what was refused may be sent again.
    const next = await place.start()
    await until(() => place.recorded().includes('record kept'))
    expect((await next.post({ id: 'waits-1', text: 'write down 1' }, { token: user })).json<Outcomes>()).toMatchObject({ outcomes: [{ kind: 'called' }] })
    await next.end('SIGTERM')
    expect(place.recorded().filter(line => line === 'record kept')).toHaveLength(1)
    expect((await place.start()).err()).toMatch(/^any program of the running user may rewrite [^\n]+\n$/)
    await sleep(300)
    expect(place.recorded().filter(line => line === 'record kept')).toHaveLength(1)
  })

  test('trace:crash: a second signal ends at once, and the log says unknown of what ran', async () => {
    const place = newPlace()
    const user = place.token('me', 'user')
    const server = await place.start([], { USHER_TEST_SLOW: '60000' })
    const slow = server.post({ id: 'slow', text: 'run the slow job' }, { token: user }).catch((error: Error) => error)
    await until(() => place.recorded().includes('begin slow'))
    server.child.kill('SIGTERM')
    await sleep(300)
    expect(server.child.exitCode).toBeNull()
    expect(await server.end('SIGINT')).toBe(1)
    expect(await slow).toBeInstanceOf(Error)
    expect(callOutcomes(place)).toEqual([['unknown', 'crashed']])
    expect(place.acts('serve.abandon')).toMatchObject([{ detail: { marked: 1 } }])
    expect(place.recorded()).toEqual(['begin slow'])
  })

  test('trace:crash: a call that outlasts the grace is left and marked', async () => {
    const place = newPlace()
    const user = place.token('me', 'user')
    const server = await place.start(['--grace', '1'], { USHER_TEST_SLOW: '60000' })
    server.post({ id: 'slow', text: 'run the slow job' }, { token: user }).catch(() => undefined)
    await until(() => place.recorded().includes('begin slow'))
    expect(await server.end('SIGTERM')).toBe(1)
    expect(callOutcomes(place)).toEqual([['unknown', 'crashed']])
  })
})

test('trace:crash: after kill -9 in a call it reads unknown, is not run again by its id, and what was accepted is handled', async () => {
  const place = newPlace()
  const user = place.token('me', 'user')
  const first = await place.start([], { USHER_TEST_SLOW: '60000' })
  first.post({ id: 'slow', text: 'run the slow job' }, { token: user }).catch(() => undefined)
  await until(() => place.recorded().includes('begin slow'))
  const promised = await first.ask('/events', { method: 'POST', token: user, body: '{"id":"p1","text":"write down one"}\n{"id":"p2","text":"write down two"}\n', headers: { 'content-type': 'application/x-ndjson', prefer: 'respond-async' } })
  expect(promised.status).toBe(202)
  await first.end('SIGKILL')

  const next = await place.start()
  await until(() => place.recorded().includes('record p2'))
  const again = await next.post({ id: 'slow', text: 'run the slow job' }, { token: user })
  expect(again.json<Outcomes>()).toMatchObject({ duplicate: true, outcomes: [{ kind: 'unknown', reason: 'crashed' }] })
  expect(place.recorded()).toEqual(['begin slow', 'record p1', 'record p2'])
  expect((await next.ask('/events/p1', { token: user })).json<Outcomes>().outcomes[0]?.kind).toBe('called')
})

describe('two at once', () => {
  test('a second server on one state folder is refused, and the first goes on', async () => {
    const place = newPlace()
    const server = await place.start()
    const second = place.spawn(place.args(['--log', `${place.log}.other`]))
    let err = ''
    second.stderr?.on('data', (chunk: Buffer) => { err += chunk.toString() })
    await until(() => second.exitCode !== null)
    expect([second.exitCode, err]).toEqual([1, expect.stringMatching(/SERVE_FAILED.*another usher serve runs/s)])
    expect((await server.ask('/healthz')).status).toBe(200)
    expect((await server.ask('/state', { socket: true })).status).toBe(200)
  })

  test('two servers on one log with states of their own: one id runs once', async () => {
    const place = newPlace()
    const other = newPlace()
    const [mine, theirs] = [place.token('me', 'user'), other.token('me', 'user')]
    const one = await place.start()
    const two = await other.start(['--log', place.log], { USHER_TEST_RECORD: place.record })
    const ids = Array.from({ length: 10 }, (_, nth) => `both-${nth}`)
    await Promise.all(ids.flatMap(id => [one.post({ id, text: `write down ${id}` }, { token: mine }), two.post({ id, text: `write down ${id}` }, { token: theirs })]))
    expect(place.recorded().sort()).toEqual(ids.map(id => `record ${id}`).sort())
  })
})

test('closed: a server whose log was deleted calls nothing more, and ends when it is told to, with a failure', async () => {
  const place = newPlace()
  const user = place.token('me', 'user')
  const server = await place.start()
  await server.post({ text: 'write down the first' }, { token: user })
  rmSync(place.log)
  const after = await server.post({ text: 'write down the second' }, { token: user }).then(answer => answer.json<Outcomes>().outcomes?.[0]?.kind)
  expect(after).not.toBe('called')
  expect(place.recorded()).toHaveLength(1)
  expect(await server.end('SIGTERM')).toBe(1)
  expect(server.err()).toContain('LOG_WRITE_FAILED')
  expect(existsSync(server.socket)).toBe(false)
})

test('the log says when the server began and how it ended, and its own work is nobody\'s effect', async () => {
  const place = newPlace()
  const user = place.token('me', 'user')
  const server = await place.start()
  await server.post({ text: 'write down something' }, { token: user, headers: { prefer: 'respond-async' } })
  await until(() => place.recorded().length === 1)
  expect(await server.end('SIGTERM')).toBe(0)
  expect(place.acts('serve.start')).toHaveLength(1)
  expect(place.acts('serve.stop')).toMatchObject([{ about: 'SIGTERM' }])
  const nameless = place.rows('effect').filter(effect => effect['callId'] === null && effect['background'] === undefined)
  expect(nameless).toEqual([])
})
