import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { acceptFiles } from '../../src/contract/accepted-files.ts'
import { routeStanding } from '../../src/cli/route-guard.ts'
import { scratch as folderOf } from '../contract/keys.ts'
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
