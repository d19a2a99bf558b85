import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { controlRequest } from '../../src/serve/control-client.ts'

let state: string
let server: Server | undefined
beforeEach(() => { state = mkdtempSync(join(tmpdir(), 'usher-control-')) })
afterEach(async () => {
  await new Promise<void>(done => { if (server?.listening) server.close(() => done()); else done() })
  rmSync(state, { recursive: true, force: true })
})

const answering = (how: (socket: Socket) => void): Promise<void> => new Promise(ready => {
  server = createServer(socket => { socket.once('data', () => how(socket)) }).listen(join(state, 'usher.sock'), () => ready())
})

test('nobody listens: no server runs', async () => {
  expect(await controlRequest(state, { do: 'ping' })).toEqual({ kind: 'not-running' })
})

test('a server that ends before it answers is said so, with what to do then', async () => {
  await answering(socket => { socket.destroy() })
  await expect(controlRequest(state, { do: 'approve' }, { after: 'look in the log' })).rejects.toMatchObject({ code: 'SERVE_FAILED', message: expect.stringMatching(/usher\.sock ended before it answered; look in the log$/) as string })
})

test('an answer that is no JSON object is none', async () => {
  await answering(socket => { socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nno') })
  await expect(controlRequest(state, { do: 'ping' })).rejects.toMatchObject({ message: expect.stringContaining('did not answer: its answer is no JSON object; is it still running?') as string })
})
