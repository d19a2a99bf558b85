/** Tokens are control plane: a server that runs takes a new one only from a person. */
import { readFileSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { TokenStore } from '../../src/serve/tokens.ts'
import { BIN } from '../cli/usher.ts'
import { Place, until } from './support.ts'

const place = new Place()
afterAll(() => place.remove())

test('control:human: a token that is written into the file lets nobody in; one of usher token add does at once, and one that is gone does not', async () => {
  const user = place.token('me', 'user')
  const server = await place.start()
  const status = async (token: string) => (await server.post({ text: 'hello there' }, { token })).status
  expect(await status(user)).toBe(200)

  const store = new TokenStore(place.state)
  const forged = store.add({ name: 'forged', source: 'user', answers: 'full', at: Date.now() })
  expect(await status(forged)).toBe(401)
  expect(await status(user)).toBe(200)
  expect(server.err()).toContain('no person made with "usher token add" (forged)')
  await until(() => place.acts('tokens.refused').length === 1)
  // Another token for a name that is known is another token.
  const file = join(place.state, 'tokens.json')
  const tokens = JSON.parse(readFileSync(file, 'utf8')) as { tokens: { name: string, source: string }[] }
  writeFileSync(file, JSON.stringify({ ...tokens, tokens: tokens.tokens.map(token => ({ ...token, source: 'voice' })) }))
  expect(await status(user)).toBe(401)

  store.revoke('forged')
  store.revoke('me')
  // From a folder whose own log is another one: the row goes where the server reads.
  const made = spawnSync(process.execPath, [BIN, 'token', 'add', 'late', '--source', 'webhook', '--state', place.state], { cwd: place.folder, env: place.env, encoding: 'utf8' })
  expect(made.status).toBe(0)
  expect(await status(made.stdout.trim())).toBe(200)
  expect(await status(forged)).toBe(401)
  expect(spawnSync(process.execPath, [BIN, 'token', 'revoke', 'late', '--state', place.state], { cwd: place.folder, env: place.env }).status).toBe(0)
  expect(await status(made.stdout.trim())).toBe(401)
  expect(place.acts('tokens.write').map(act => (act['detail'] as { what: string }).what)).toEqual(['start', 'add late as webhook', 'revoke late'])
  expect(await server.end('SIGTERM')).toBe(0)
})
