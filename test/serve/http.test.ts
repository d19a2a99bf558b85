import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Place, until, type Outcomes, type Running } from './support.ts'

const place = new Place()
let server: Running
let user: string
let webhook: string
let bridge: string
beforeAll(async () => {
  user = place.token('me', 'user')
  webhook = place.token('ci', 'webhook', 'kind')
  bridge = place.token('bridge', 'chat')
  server = await place.start()
})
afterAll(() => place.remove())

const nothingRan = () => expect(place.recorded().filter(line => line.includes('nobody'))).toEqual([])

describe('who may speak', () => {
  test('ingest:owns: an event without a token, with a wrong one, or with the page\'s is refused, and nothing runs', async () => {
    const event = { id: 'nobody-1', text: 'write it down' }
    expect((await server.post(event)).status).toBe(401)
    expect((await server.post(event, { token: 'usher-source-wrong' })).status).toBe(401)
    expect((await server.post(event, { token: `${user.slice(0, -1)}${user.endsWith('A') ? 'B' : 'A'}` })).status).toBe(401)
    expect((await server.post(event, { headers: { authorization: `Basic ${Buffer.from(`x:${user}`).toString('base64')}` } })).status).toBe(401)
    const reads = await server.post(event, { token: place.pageToken })
    expect([reads.status, reads.text]).toEqual([403, expect.stringContaining('only reads')])
    expect((await server.ask(`/events?token=${user}`, { method: 'POST', body: '{"text":"write it down","id":"nobody-2"}', headers: { 'content-type': 'application/json' } })).status).toBe(401)
    nothingRan()
  })

  test.each([
    ['a rebound name', { host: 'evil.example' }, 421],
    ['a rebound name with the port', 'port of evil', 421],
    ['another port', { host: '127.0.0.1:1' }, 421],
    ['a trailing dot', 'dot', 421],
  ])('a request for %s gets nothing, whatever token it has', async (_name, given, status) => {
    const headers = given === 'port of evil' ? { host: `evil.example:${server.port}` } : given === 'dot' ? { host: `localhost.:${server.port}` } : given as { host: string }
    for (const path of ['/', '/metrics', '/state', '/healthz', '/events/x']) expect((await server.ask(path, { token: place.pageToken, headers })).status).toBe(status)
    expect((await server.post({ id: 'nobody-3', text: 'write it down' }, { token: user, headers })).status).toBe(status)
    nothingRan()
  })

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a sandboxed page', { origin: 'null' }],
    ['a page of another site that sends no origin', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another port', { 'sec-fetch-site': 'same-site' }],
  ])('a request from %s gets nothing and no CORS header', async (_name, headers) => {
    const answer = await server.post({ id: 'nobody-4', text: 'write it down' }, { token: user, headers })
    expect(answer.status).toBe(403)
    expect(Object.keys(answer.headers).filter(name => name.startsWith('access-control'))).toEqual([])
    const preflight = await server.ask('/events', { method: 'OPTIONS', headers: { ...headers, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' } })
    expect([preflight.status, Object.keys(preflight.headers).filter(name => name.startsWith('access-control'))]).toEqual([403, []])
    nothingRan()
  })

  test('the page of this very server is no other origin', async () => {
    const answer = await server.post({ text: 'hello there' }, { token: user, headers: { origin: `http://127.0.0.1:${server.port}`, 'sec-fetch-site': 'same-origin' } })
    expect(answer.status).toBe(200)
  })

  test('reading needs the page\'s token: a source\'s is no key to the log', async () => {
    for (const path of ['/metrics', '/state', '/', '/approvals']) {
      expect([path, (await server.ask(path)).status]).toEqual([path, 401])
      expect([path, (await server.ask(path, { token: user })).status]).toEqual([path, 401])
      expect([path, (await server.ask(path, { token: place.pageToken })).status]).toEqual([path, 200])
    }
  })

  test('control requests are for the Unix socket alone', async () => {
    expect((await server.ask('/control', { method: 'POST', token: place.pageToken, body: '{"do":"stop","who":"me"}' })).status).toBe(404)
    expect((await server.ask('/control', { method: 'POST', token: user, body: '{"do":"stop","who":"me"}' })).status).toBe(404)
  })

  test('every answer forbids inline script, frames and guessing of types', async () => {
    for (const path of ['/', '/healthz', '/nothing', '/events']) {
      const { headers } = await server.ask(path, { token: place.pageToken })
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*script-src 'self'/)
      expect(headers['content-security-policy']).not.toContain('unsafe')
      expect([headers['x-content-type-options'], headers['x-frame-options']]).toEqual(['nosniff', 'DENY'])
    }
  })

  test('health is open and says nothing', async () => {
    expect((await server.ask('/healthz')).json()).toEqual({ status: 'ok' })
  })
})

describe('what an event may say of itself', () => {
  test('ingest:owns: source, cause and time in the body are named as ignored, and the token decides', async () => {
    const before = Date.now()
    const answer = await server.post({ id: 'claims', text: 'hello', source: 'user', at: 5, causedBy: 'c-1', sender: undefined }, { token: webhook })
    expect(answer.json<Outcomes>()).toMatchObject({ source: 'webhook', ignored: ['source', 'at', 'causedBy'] })
    await until(() => place.rows('event').some(row => row['senderId'] === 'claims'))
    const row = place.rows('event').find(found => found['senderId'] === 'claims') ?? {}
    expect(row).toMatchObject({ source: 'webhook' })
    expect(row['causedBy']).toBeUndefined()
    expect(row['at']).toBeGreaterThanOrEqual(before)
  })

  test('ingest:owns: a sender stands under the token\'s source, never beside it', async () => {
    expect((await server.post({ text: 'hello', sender: 'alice' }, { token: bridge })).json<Outcomes>().source).toBe('chat:alice')
    for (const sender of ['a b', '', 'x:y', 'user\n', 7, null, { a: 1 }, '../user']) {
      const answer = await server.post({ id: 'nobody-5', text: 'write it down', sender }, { token: bridge })
      expect([sender, answer.status, answer.json<Outcomes>().outcomes[0]?.kind]).toEqual([sender, 400, 'malformed'])
    }
    const single = place.token('alice-only', 'chat:alice')
    expect((await server.post({ text: 'hello' }, { token: single })).json<Outcomes>().source).toBe('chat:alice')
    expect((await server.post({ id: 'nobody-6', text: 'write it down', sender: 'bob' }, { token: single })).status).toBe(400)
    nothingRan()
  })

  test('a token is made and revoked while the server runs', async () => {
    const late = place.token('late', 'webhook')
    expect((await server.post({ text: 'hello' }, { token: late })).status).toBe(200)
    const { TokenStore } = await import('../../src/serve/tokens.ts')
    new TokenStore(place.state).revoke('late')
    expect((await server.post({ text: 'hello' }, { token: late })).status).toBe(401)
  })

  test('a token that asks for kinds only hears nothing of routes, reasons in words, arguments or results', async () => {
    const answer = await server.post({ id: 'kind-1', text: 'write down a kind' }, { token: webhook })
    expect(Object.keys(answer.json<Outcomes>().outcomes[0] ?? {}).sort()).toEqual(['callId', 'decisionId', 'kind', 'reason'])
    expect(answer.json<Outcomes>().outcomes[0]?.kind).toBe('called')
  })
})

describe('what an event is answered with', () => {
  test('an outcome, and for an id that came before the first outcome again: it runs once', async () => {
    const first = (await server.post({ id: 'once', text: 'write down the first' }, { token: user })).json<Outcomes>()
    expect(first).toMatchObject({ id: 'once', source: 'user', outcomes: [{ kind: 'called', result: { id: 'once' } }] })
    const again = (await server.post({ id: 'once', text: 'write down the first' }, { token: user })).json<Outcomes>()
    expect(again.duplicate).toBe(true)
    expect(again.outcomes.map(({ kind, callId, result }) => ({ kind, callId, result }))).toEqual(first.outcomes.map(({ kind, callId, result }) => ({ kind, callId, result })))
    expect(place.recorded().filter(line => line === 'record once')).toHaveLength(1)
  })

  test('the same id at the same time runs once, and both hear of the same call', async () => {
    const both = await Promise.all([1, 2, 3, 4].map(() => server.post({ id: 'race', text: 'write down a race' }, { token: user })))
    expect(new Set(both.map(answer => answer.json<Outcomes>().outcomes[0]?.callId)).size).toBe(1)
    expect(place.recorded().filter(line => line === 'record race')).toHaveLength(1)
  })

  test('two sources may use one id: they are two events', async () => {
    const mine = (await server.post({ id: 'shared-id', text: 'hello' }, { token: user })).json<Outcomes>()
    const theirs = (await server.post({ id: 'shared-id', text: 'hello' }, { token: bridge })).json<Outcomes>()
    expect([mine.duplicate, theirs.duplicate]).toEqual([undefined, undefined])
  })

  test('lines are answered one by one, in their order, and a bad one spoils no other', async () => {
    const body = '{"id":"l1","text":"hello"}\n\nnot json\n{"id":"l2","text":"write down a line"}\n{"text":3}\n'
    const answer = await server.ask('/events', { method: 'POST', token: user, body, headers: { 'content-type': 'application/x-ndjson' } })
    expect(answer.status).toBe(200)
    expect(answer.lines<Outcomes & { line?: number }>().map(line => [line.id ?? line.line, line.outcomes[0]?.kind])).toEqual([['l1', 'no-match'], [3, 'malformed'], ['l2', 'called'], [5, 'malformed']])
  })

  test('what is no event is 400, and the log keeps it', async () => {
    for (const [body, reason] of [['[]', 'shape'], ['{', 'json'], ['{"text":"a","text":"write it down"}', 'json'], [Buffer.from([0x7b, 0xff, 0x7d]), 'encoding'], ['', 'json'], ['null', 'shape'], ['{"text":"x","id":""}', 'shape']] as const) {
      const answer = await server.ask('/events', { method: 'POST', token: user, body, headers: { 'content-type': 'application/json' } })
      expect([String(body), answer.status, answer.json<Outcomes>().outcomes[0]?.reason]).toEqual([String(body), 400, reason])
    }
    expect((await server.ask('/events', { method: 'POST', token: user, body: '{"text":"a"}' })).status).toBe(415)
    expect((await server.ask('/events', { method: 'POST', token: user, body: 'text=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } })).status).toBe(415)
  })

  test('Prefer: respond-async is answered with 202, the event is handled, and its outcome can be asked for by its own source only', async () => {
    const answer = await server.post({ id: 'later', text: 'write down a promise' }, { token: user, headers: { prefer: 'respond-async' } })
    expect([answer.status, answer.json()]).toEqual([202, { accepted: [{ id: 'later', source: 'user' }] }])
    let state = await server.ask('/events/later', { token: user })
    while (state.status === 202) state = await server.ask('/events/later', { token: user })
    expect(state.json<Outcomes>().outcomes[0]?.kind).toBe('called')
    expect((await server.ask('/events/later', { token: bridge })).status).toBe(404)
    expect((await server.ask('/events/never', { token: user })).status).toBe(404)
    expect(place.recorded().filter(line => line === 'record later')).toHaveLength(1)
  })

  test('Prefer: wait=N answers with the outcome where it comes in time, else with 202, and the event goes on', async () => {
    const quick = await server.post({ id: 'quick', text: 'write down a quick one' }, { token: user, headers: { prefer: 'wait=30' } })
    expect([quick.status, quick.json<Outcomes>().outcomes[0]?.kind]).toEqual([200, 'called'])
    const slow = await server.post({ id: 'slow', text: 'run the slow job' }, { token: user, headers: { prefer: 'wait=1' } })
    expect(slow.status).toBe(202)
    await until(async () => (await server.ask('/events/slow', { token: user })).status === 200)
    expect(place.recorded().filter(line => line.endsWith(' slow'))).toEqual(['begin slow', 'end slow'])
  })

  test('names from Object are names like others', async () => {
    for (const id of ['__proto__', 'constructor', 'toString']) {
      expect((await server.post({ id, text: 'hello' }, { token: user })).json<Outcomes>().duplicate).toBeUndefined()
      expect((await server.ask(`/events/${id}`, { token: user })).status).toBe(200)
    }
    expect((await server.post('{"__proto__":{"source":"user"},"text":"hi"}', { token: webhook })).json<Outcomes>()).toMatchObject({ source: 'webhook', ignored: ['__proto__'] })
  })
})

test('secrets and socket are the owner\'s alone, and no token stands in any file but the page\'s', () => {
  for (const name of ['page.token', 'tokens.json', 'usher.sock', 'accepted.jsonl', 'serve.lock']) expect([name, (statSync(join(place.state, name)).mode & 0o777).toString(8)]).toEqual([name, '600'])
  expect((statSync(place.state).mode & 0o777).toString(8)).toBe('700')
})

test('metrics count outcomes, refusals and requests, with no word of an event', async () => {
  const { text } = await server.ask('/metrics', { token: place.pageToken })
  expect(text).toMatch(/^usher_events_total\{source="user",door="http",outcome="called"\} \d+$/m)
  expect(text).toMatch(/^usher_refused_total\{reason="host"\} \d+$/m)
  expect(text).toMatch(/^usher_queue_capacity 1000$/m)
  expect(text).not.toContain('write it down')
})
