import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ROOT } from '../rules/source-files.ts'
import { scratch } from './usher.ts'

vi.setConfig({ testTimeout: 240_000 })

const route = (more = ''): string => `version: 1\nroutes:\n  - name: note\n    tool: append_note\n    triggers: ["take a note: {text:rest}"]\n    allow: [fs.write]\n${more}`
const EVENT = '{"text":"take a note: one"}\n'
const RUN = ['run', '--source', 'user', '--no-reader', '--json', '--routes', 'own.yaml']

describe('control:human: usher run, after a person accepted the routes', () => {
  let place: ReturnType<typeof scratch>
  beforeEach(() => {
    place = scratch()
    place.write('own.yaml', route())
    place.run(['routes', 'accept', '--as', 'alice', '--yes', '--routes', 'own.yaml'])
  })
  afterEach(() => place.remove())

  test('as they were accepted, and narrower, they run', () => {
    expect(place.run(RUN, EVENT).lines()).toMatchObject([{ outcomes: [{ kind: 'called' }] }])
    place.write('own.yaml', route('    minMargin: 0.5\n'))
    expect(place.run(RUN, EVENT).stderr).not.toContain('lets more happen')
  })

  test.each([['a source', '    from: [user, webhook]\n'], ['a route', '  - name: more\n    tool: append_note\n    triggers: ["jot down {text:rest}"]\n    allow: [fs.write]\n']])('closed: %s more, and nothing starts until a person accepts it', (_what, more) => {
    place.write('own.yaml', route(more))
    const held = place.run(RUN, EVENT)
    expect(held).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/CONTROL_REFUSED.*than alice accepted.*usher routes accept/) as string })
    expect(place.run(['routes', 'accept', '--as', 'alice', '--yes', '--routes', 'own.yaml']).status).toBe(0)
    expect(place.run(RUN, EVENT).lines()).toMatchObject([{ outcomes: [{ kind: 'called' }] }])
  })

  test('closed: another tools module than the accepted one, or a local module that it imports, does not start', () => {
    mkdirSync(join(place.folder, 'parts'))
    place.write('parts/inner.mjs', 'export const words = "a"\n')
    place.write('tools.mjs', `import { words } from './parts/inner.mjs'\nexport { default } from ${JSON.stringify(join(ROOT, 'test/serve/tools.mjs'))}\nexport const said = words\n`)
    place.write('own.yaml', 'version: 1\nroutes:\n  - name: record\n    tool: record\n    triggers: ["write down {words:rest}"]\n    allow: [fs.write]\n')
    const accept = () => place.run(['routes', 'accept', '--as', 'alice', '--yes', '--routes', 'own.yaml', '--tools', 'tools.mjs'])
    expect(accept().status).toBe(0)
    const run = () => place.run([...RUN, '--tools', 'tools.mjs'], '{"text":"write down one"}\n')
    expect(run().lines()).toMatchObject([{ outcomes: [{ route: 'record' }] }])
    for (const file of ['tools.mjs', 'parts/inner.mjs']) {
      appendFileSync(join(place.folder, file), '// changed\n')
      expect(run()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(`${file} is not the one that alice accepted`) as string })
      expect(accept().status).toBe(0)
      expect(run().lines()).toMatchObject([{ outcomes: [{ route: 'record' }] }])
    }
  })

  test('files of which nobody accepted any run as before', () => {
    place.write('other.yaml', route().replace('take a note', 'scribble'))
    expect(place.run([...RUN.slice(0, -1), 'other.yaml'], '{"text":"scribble: one"}\n').lines()).toMatchObject([{ outcomes: [{ kind: 'called' }] }])
  })
})

describe('control:human: control files on a file system that is gone after a restart', () => {
  const shm = ((): boolean => { try { return statfsSync('/dev/shm').type === 0x01021994 } catch { return false } })()

  test.skipIf(!shm)('it is said once what was found, and the routes run: a demo or a CI may live there', () => {
    const place = scratch()
    const folder = mkdtempSync('/dev/shm/usher-routes-')
    try {
      writeFileSync(join(folder, 'a.yaml'), route(), { mode: 0o600 })
      const run = () => place.run(['run', '--source', 'user', '--no-reader', '--json', '--routes', join(folder, 'a.yaml')], EVENT)
      const ran = run()
      expect(ran.stderr.match(/tmpfs \(temporary\)/g)).toHaveLength(1)
      expect(ran.lines()).toMatchObject([{ outcomes: [{ kind: 'called' }] }])
    } finally {
      rmSync(folder, { recursive: true, force: true })
      place.remove()
    }
  })
})
