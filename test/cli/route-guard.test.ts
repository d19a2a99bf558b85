import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { acceptFiles } from '../../src/contract/accepted-files.ts'
import { routeStanding } from '../../src/cli/route-guard.ts'
import { scratch as folderOf } from '../contract/keys.ts'
import { ROOT } from '../rules/source-files.ts'
import { Place, type Outcomes } from '../serve/support.ts'
import { scratch } from './usher.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

describe('control:human: routes', () => {
  const route = (more: string) => `version: 1\nroutes:\n  - name: open-console\n    tool: call_console\n    triggers: ["open the console"]\n    must_fire: ["open the console"]\n    must_not_fire: ["why does the console keep opening?"]\n${more}`
  test('arming a preset, adding a source or an effect waits for a person; narrowing does not', () => {
    const folder = join(folderOf(), 'routes')
    mkdirSync(folder)
    const write = (more: string) => writeFileSync(join(folder, 'a.yaml'), route(more))
    const accepted = join(folderOf(), 'accepted', 'routes')
    const standing = () => routeStanding([folder], accepted)
    write('    preset: { open: true }\n    allow: [browser.open]\n')
    expect(standing()).toMatchObject({ before: undefined, waits: true })
    acceptFiles(accepted, standing().table.files, 'alice', 5)
    expect(standing()).toMatchObject({ before: { who: 'alice' }, waits: false, changes: [] })
    write('    preset: { open: true }\n    allow: [browser.open, net.connect]\n')
    expect(standing()).toMatchObject({ waits: true, changes: [{ field: 'allow', widens: true }] })
    write('    preset: { open: true }\n    allow: [browser.open]\n    from: [user, webhook]\n')
    expect(standing()).toMatchObject({ waits: true, changes: [{ field: 'from', widens: true }] })
    write('    preset: { open: true, loud: true }\n    allow: [browser.open]\n')
    expect(standing()).toMatchObject({ waits: true, changes: [{ field: 'preset', widens: true }] })
    write('    preset: { open: true }\n    allow: [browser.open]\n    mode: ask\n')
    expect(standing()).toMatchObject({ waits: false, changes: [{ field: 'mode', widens: false }] })
  })

  const place = scratch()
  afterAll(() => place.remove())
  test('usher routes: a widening is shown and waits for a yes of a person; then it is the new measure', () => {
    mkdirSync(join(place.folder, 'routes'))
    writeFileSync(join(place.folder, 'routes/a.yaml'), route('    preset: { open: true }\n    allow: [browser.open]\n'))
    expect(place.run(['routes', 'diff'])).toMatchObject({ status: 1, stdout: expect.stringContaining('nothing was accepted yet') as string })
    expect(place.run(['routes', 'accept', '--as', 'alice'])).toMatchObject({ status: 2, stdout: expect.stringContaining('widens') as string })
    expect(existsSync(join(place.folder, '.usher/accepted'))).toBe(false)
    expect(place.run(['routes', 'accept', '--as', 'model:x', '--yes'])).toMatchObject({ status: 2 })
    expect(place.run(['routes', 'accept', '--as', 'alice', '--yes'])).toMatchObject({ status: 0 })
    expect(place.run(['routes', 'diff', '--json']).json()).toMatchObject({ acceptedBy: 'alice', waits: false, changes: [] })
  }, 240_000)
})

describe('control:human: usher routes with tools', () => {
  const place = scratch()
  afterAll(() => place.remove())
  const module = (more: string) => writeFileSync(join(place.folder, 'tools.mjs'), `export { default } from ${JSON.stringify(join(ROOT, 'test/serve/tools.mjs'))}\n${more}`)
  const routes = (tool: string) => writeFileSync(join(place.folder, 'routes/a.yaml'), `version: 1\nroutes:\n  - name: record\n    tool: ${tool}\n    triggers: ["write it down"]\n    allow: [fs.write]\n`)

  test('routes that do not hold with the tools are not accepted; a tools module that changes waits for a person as a route does', () => {
    mkdirSync(join(place.folder, 'routes'))
    module('')
    routes('recrod')
    expect(place.run(['routes', 'accept', '--as', 'alice', '--yes', '--tools', 'tools.mjs'])).toMatchObject({ status: 1, stderr: expect.stringContaining('there is no tool called "recrod"') as string })
    routes('record')
    expect(place.run(['routes', 'accept', '--as', 'alice', '--yes', '--tools', 'tools.mjs'])).toMatchObject({ status: 0 })
    expect(place.run(['routes', 'diff', '--tools', 'tools.mjs'])).toMatchObject({ status: 0, stdout: expect.stringContaining('no change') as string })
    module('// another tool\n')
    expect(place.run(['routes', 'diff', '--tools', 'tools.mjs', '--json']).json()).toMatchObject({ waits: true, changes: [], files: [expect.stringMatching(/tools\.mjs is not the one that alice accepted/)] })
    // Whoever accepts the routes alone says nothing of the module.
    expect(place.run(['routes', 'accept', '--as', 'bob', '--yes'])).toMatchObject({ status: 0 })
    expect(place.run(['routes', 'diff', '--tools', 'tools.mjs']).status).toBe(1)
    writeFileSync(join(place.folder, 'routes/calibration.json'), '{}')
    expect(place.run(['routes', 'diff'])).toMatchObject({ status: 1, stdout: expect.stringMatching(/calibration\.json is new since bob accepted/) as string })
    expect(place.run(['routes', 'accept', '--as', 'bob', '--yes', '--tools', 'tools.mjs']).status).toBe(0)
    expect(place.run(['routes', 'diff', '--tools', 'tools.mjs']).status).toBe(0)
    expect(place.run(['routes', 'diff', '--tools', 'none.mjs']).status).toBe(2)
  }, 240_000)

  test('closed: a server that starts with another tools module than was accepted calls nothing until a person says so, and is then not stopped again', async () => {
    const served = new Place()
    try {
      const own = join(served.folder, 'own-tools.mjs')
      const write = (more: string) => writeFileSync(own, `export { default } from ${JSON.stringify(join(ROOT, 'test/serve/tools.mjs'))}\n${more}`)
      const user = served.token('me', 'user')
      const kindOf = async (text: string) => {
        const server = await served.start(['--tools', own])
        const outcome = (await server.post({ text }, { token: user })).json<Outcomes>().outcomes[0]
        const stderr = server.err()
        expect(await server.end('SIGTERM')).toBe(0)
        return [outcome?.kind, stderr.includes('is not the one that') ? 'said' : 'silent']
      }
      write('')
      expect(await kindOf('write down one')).toEqual(['called', 'silent'])
      write('// changed\n')
      expect(await kindOf('write down two')).toEqual(['stopped', 'said'])
      expect(place.run(['resume', '--as', 'alice', '--state', served.state, '--log', served.log]).status).toBe(0)
      expect(await kindOf('write down three')).toEqual(['called', 'said'])
    } finally {
      await served.remove()
    }
  }, 240_000)
})
