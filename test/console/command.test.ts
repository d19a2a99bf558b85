/** `usher console` as a person starts it. */
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqliteLog } from '../../src/log/sqlite.ts'
import { callOf, decisionOf, eventOf, wholeCall } from '../log/support/rows.ts'
import { scratch } from '../cli/usher.ts'
import { words } from './support/page.ts'

let place: ReturnType<typeof scratch>
beforeAll(() => {
  place = scratch()
  const log = openSqliteLog(`${place.folder}/log.sqlite`, { stateDir: `${place.folder}/state/usher` })
  wholeCall(log)
  log.event(eventOf({ eventId: 'e-2', senderId: 's-2', text: 'cut off' }))
  log.decision(decisionOf({ eventId: 'e-2', decisionId: 'd-2', callId: 'c-2' }))
  log.begin(callOf({ eventId: 'e-2', decisionId: 'd-2', callId: 'c-2' }))
  log.close()
  place.write('routes.yaml', 'version: 1\nroutes:\n  - name: lamp\n    tool: lamp\n    triggers: ["light the lamp"]\n')
})
afterAll(() => place.remove())

async function started(args: readonly string[]): Promise<{ origin: string, get: (path: string) => Promise<string>, end: () => Promise<number | null> }> {
  const child = place.start(['console', '--log', 'log.sqlite', ...args])
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()))
    child.once('exit', code => reject(new Error(`ended with ${code}: ${String(child.stderr.read())}`)))
  })
  const { origin, hash } = new URL(line.trim())
  return {
    origin, get: async path => words(await (await fetch(origin + path, { headers: { authorization: `Bearer ${hash.replace('#token=', '')}` } })).text()),
    end: () => new Promise(resolve => { child.once('exit', resolve); child.kill('SIGINT') }),
  }
}

describe('usher console', () => {
  test('prints one address that opens the page, shows routes of the folder, and ends with 0 on Ctrl-C', async () => {
    const page = await started(['--routes', 'routes.yaml'])
    expect((await fetch(page.origin)).status).toBe(401)
    expect(await page.get('/')).toMatch(/cut off .*please open the console ● called call_console/)
    expect(await page.get('/routes')).toContain('lamp calls lamp')
    expect(await page.get('/approvals')).toContain('This page only reads the log')
    place.write('routes.yaml', 'version: 1\nroutes:\n  - name: lamp\n    tol: lamp\n')
    expect(await page.get('/routes')).toMatch(/The files on disk are not what is in use.*routes\.yaml:4:5/)
    expect(await page.end()).toBe(0)
  })
  test('a taken port, a port that is none, a log that is not there: said, and exit code 2 or 1', async () => {
    const taken = createServer()
    await new Promise<void>(resolve => { taken.listen(0, '127.0.0.1', () => resolve()) })
    const { port } = taken.address() as AddressInfo
    expect(place.run(['console', '--log', 'log.sqlite', '--port', String(port)])).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(`cannot listen on port ${port}`) as string })
    await new Promise(resolve => { taken.close(resolve) })
    expect(place.run(['console', '--log', 'log.sqlite', '--port', '70000'])).toMatchObject({ status: 2, stdout: '' })
    expect(place.run(['console', '--log', 'none.sqlite'])).toMatchObject({ stdout: '', stderr: expect.stringContaining('there is no log at') as string })
  })
})
