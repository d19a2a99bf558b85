/** Which program is at the other end: seen from a real connection, and kept with a yes that came from the page. */
import { spawn } from 'node:child_process'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { callerOf } from '../../src/serve/caller.ts'
import { Place, ROUTES } from './support.ts'

/** Elsewhere the system does not show it, and nothing is said. */
const elsewhere = process.platform !== 'linux'

describe.skipIf(elsewhere)('the process behind a connection', () => {
  const seenFrom = async (env: NodeJS.ProcessEnv) => {
    const server = createServer()
    await new Promise<void>(ready => { server.listen(0, '127.0.0.1', ready) })
    const came = new Promise<Socket>(resolve => { server.once('connection', resolve) })
    const child = spawn(process.execPath, ['-e', `require('net').connect(${(server.address() as AddressInfo).port}, '127.0.0.1')`], { env: { ...process.env, ...env } })
    try {
      const socket = await came
      return { pid: child.pid, seen: callerOf(socket), ends: { remotePort: socket.remotePort, localPort: socket.localPort } }
    } finally {
      child.kill('SIGKILL')
      server.close()
    }
  }
  test('is found by its socket, with its name', async () => {
    const { pid, seen } = await seenFrom({})
    expect(seen).toEqual({ pid, program: expect.stringMatching(/./) })
  })
  test('one that was started for a tool call reads so', async () => {
    const { seen } = await seenFrom({ USHER_TOOL_CALL: 'c-1' })
    expect(seen?.['inside']).toContain('USHER_TOOL_CALL')
  })
  test('a connection that is gone, or was never there, has none', async () => {
    for (const ends of [{}, { remotePort: 1, localPort: 2 }, { remotePort: 0, localPort: 0 }]) expect(callerOf(ends)).toBeUndefined()
  })
})

describe.skipIf(elsewhere)('a yes on the page', () => {
  const place = new Place()
  afterAll(() => place.remove())
  test('control:human: is kept with the process that sent the form', async () => {
    place.write('routes/routes.yaml', ROUTES.replace('  - name: slow', '  - name: careful\n    tool: record\n    triggers: ["sign off {words:rest}"]\n    allow: [fs.write]\n    approve: always\n    must_fire: ["sign off the list"]\n    must_not_fire: ["do not sign off the list"]\n  - name: slow'))
    const user = place.token('me', 'user')
    const server = await place.start()
    await server.post({ text: 'sign off the list' }, { token: user })
    const origin = `http://127.0.0.1:${server.port}`
    const form = (path: string, fields: Record<string, string>, cookie = '') => fetch(origin + path, { method: 'POST', headers: { origin, cookie, 'content-type': 'application/x-www-form-urlencoded' }, body: new URLSearchParams(fields), redirect: 'manual' })
    const cookie = ((await form('/session', { word: place.pageToken })).headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const page = await (await fetch(`${origin}/approvals`, { headers: { cookie } })).text()
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? ''
    const yes = await form('/act/decide', { csrf: field('csrf'), id: field('id'), hash: field('hash'), answer: 'approve', secret: '' }, cookie)
    expect(yes.status).toBe(200)
    expect(place.acts('approve')).toMatchObject([{ detail: { proof: 'unproven', caller: { pid: process.pid } } }])
  })
})
