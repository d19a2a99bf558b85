/** Who may write the files that decide, asked before a command begins and while it runs. */
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { foreignFileSystem } from '../../src/contract/file-access.ts'
import { Place, until, type Outcomes } from '../serve/support.ts'
import { ROOT } from '../rules/source-files.ts'
import { scratch } from './usher.ts'

vi.setConfig({ testTimeout: 120_000 })

const ROUTES = 'version: 1\nroutes:\n  - name: note\n    tool: append_note\n    triggers: ["take a note: {text:rest}"]\n    allow: [fs.write]\n'
const EVENT = '{"text":"take a note: one"}\n'
const RUN = ['run', '--source', 'user', '--no-reader', '--json']
const root = process.geteuid?.() === 0

describe('usher run', () => {
  let place: ReturnType<typeof scratch>
  let file: string
  beforeEach(() => {
    place = scratch()
    mkdirSync(join(place.folder, 'routes'), { mode: 0o755 })
    file = join(place.folder, 'routes/a.yaml')
    writeFileSync(file, ROUTES)
  })
  afterEach(() => place.remove())

  test('control:human: the running user\'s own files are said loudly and logged, with and without the owner\'s word', () => {
    for (const more of [[], ['--i-own-this-machine']]) {
      const ran = place.run([...RUN, ...more], `{"text":"take a note: ${more.length}"}\n`)
      expect(ran.lines()).toMatchObject([{ outcomes: [{ kind: 'called' }] }])
      expect(ran.stderr).toMatch(/any program of the running user may rewrite .*a\.yaml/)
      expect(ran.stderr.includes('or say --i-own-this-machine')).toBe(more.length === 0)
    }
  })

  test.each([
    ['a file that everybody may write', () => chmodSync(file, 0o666), /a\.yaml has mode 666/],
    ['a folder that everybody may write', () => chmodSync(join(place.folder, 'routes'), 0o777), /routes, above .*, has mode 777/],
    ['a folder that is a link', () => { renameSync(join(place.folder, 'routes'), join(place.folder, 'real')); symlinkSync('real', join(place.folder, 'routes')) }, /routes, above .*, is a symbolic link/],
    ['a file that is a link', () => { renameSync(file, join(place.folder, 'a.yaml')); symlinkSync('../a.yaml', file) }, /a\.yaml is a symbolic link/],
    ['a calibration that everybody may write', () => { writeFileSync(join(place.folder, 'routes/calibration.json'), '{}'); chmodSync(join(place.folder, 'routes/calibration.json'), 0o666) }, /calibration\.json has mode 666/],
  ])('closed: %s stops the start, whoever owns the machine', (_what, spoil, message) => {
    spoil()
    const ran = place.run([...RUN, '--i-own-this-machine'], EVENT)
    expect(ran).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(message) as string })
    expect(ran.stderr).toContain('CONTROL_REFUSED')
  })

  test('closed: a tools module that everybody may write stops the start before it is loaded', () => {
    const module = place.write('tools.mjs', `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(join(place.folder, 'loaded'))}, '')\nexport default []\n`)
    chmodSync(module, 0o666)
    expect(place.run([...RUN, '--tools', module], EVENT)).toMatchObject({ status: 1, stderr: expect.stringContaining('tools.mjs has mode 666') as string })
    expect(place.run(['--version']).status).toBe(0)
    expect(() => chmodSync(join(place.folder, 'loaded'), 0o600)).toThrow(/ENOENT/)
  })

  test.skipIf(!existsSync('/dev/shm') || !foreignFileSystem('/dev/shm'))('control:human: routes and tools on a temporary file system are said in one note, and run', () => {
    const folder = mkdtempSync('/dev/shm/usher-')
    try {
      writeFileSync(join(folder, 'a.yaml'), ROUTES)
      writeFileSync(join(folder, 'calibration.json'), '')
      const ran = place.run(['run', '--source', 'user', '--no-reader', '--json', '--routes', join(folder, 'a.yaml')], EVENT)
      expect(ran.stderr).not.toContain('CONTROL_REFUSED')
      expect(ran.stderr.split('\n').filter(line => line.includes('tmpfs'))).toEqual([expect.stringMatching(/^control files {2}on tmpfs \(temporary\): .*a\.yaml, .*; keep them on a local disk$/)])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test.runIf(root)('control:human: where some files belong to somebody else, all must, unless the owner says that the machine is theirs', () => {
    chownSync(file, 4242, 4242)
    const module = place.write('tools.mjs', `export { default } from ${JSON.stringify(join(ROOT, 'test/serve/tools.mjs'))}\n`)
    writeFileSync(file, 'version: 1\nroutes:\n  - name: record\n    tool: record\n    triggers: ["write it down"]\n    allow: [fs.write]\n')
    const refused = place.run([...RUN, '--tools', module], EVENT)
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(/may write .*tools\.mjs, but not .*a\.yaml/) as string })
    const said = place.run([...RUN, '--tools', module, '--i-own-this-machine'], EVENT)
    expect(said.stderr).toContain('--i-own-this-machine: any program of the running user may rewrite')
    expect(said.stderr).not.toContain('CONTROL_REFUSED')
  })

  test.each([['a tools module that changes', 'tools.mjs'], ['a calibration that appears', 'routes/calibration.json']])('control:human: %s while events come halts everything', async (_what, name) => {
    const module = place.write('tools.mjs', `export { default } from ${JSON.stringify(join(ROOT, 'test/serve/tools.mjs'))}\n`)
    writeFileSync(file, 'version: 1\nroutes:\n  - name: record\n    tool: record\n    triggers: ["write down {words:rest}"]\n    allow: [fs.write]\n')
    const child = place.start([...RUN, '--tools', module])
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => { out += chunk.toString() })
    const kinds = () => out.trim().split('\n').filter(line => line !== '').map(line => (JSON.parse(line) as { outcomes: { kind: string }[] }).outcomes[0]?.kind)
    const said = async (text: string, count: number) => {
      child.stdin.write(`${JSON.stringify({ text })}\n`)
      await expect.poll(kinds, { timeout: 60_000 }).toHaveLength(count)
      return kinds().at(-1)
    }
    expect(await said('write down one', 1)).not.toBe('stopped')
    appendFileSync(join(place.folder, name), '\n')
    expect(await said('write down two', 2)).toBe('stopped')
    child.stdin.end()
    await new Promise(resolve => { child.on('close', resolve) })
    expect(place.run(['stop', '--status']).stdout).toContain(name)
  })
})

describe('usher serve', () => {
  test('control:human: others may write the routes from now on: the last good ones decide; a tools module that changes halts', async () => {
    const place = new Place()
    try {
      const module = join(place.folder, 'own-tools.mjs')
      writeFileSync(module, `export { default } from ${JSON.stringify(join(ROOT, 'test/serve/tools.mjs'))}\n`)
      const user = place.token('me', 'user')
      const server = await place.start(['--tools', module])
      const state = async () => (await server.ask('/state', { token: place.pageToken })).json<{ routes: { standing: string, says: string } }>().routes
      const say = async (text: string) => (await server.post({ text }, { token: user })).json<Outcomes>().outcomes[0]
      chmodSync(join(place.routes, 'routes.yaml'), 0o666)
      appendFileSync(join(place.routes, 'routes.yaml'), '# looked at again\n')
      await until(async () => (await state()).standing === 'bad')
      expect((await state()).says).toContain('has mode 666')
      expect(await say('write down with the last good routes')).toMatchObject({ kind: 'called' })
      chmodSync(join(place.routes, 'routes.yaml'), 0o600)
      appendFileSync(join(place.routes, 'routes.yaml'), '# and again\n')
      await until(async () => (await state()).standing === 'loaded')
      appendFileSync(module, '\n// changed\n')
      expect(await say('write down after the tools changed')).toMatchObject({ kind: 'stopped', reason: 'halted' })
      expect(await server.end('SIGTERM')).toBe(0)
    } finally {
      await place.remove()
    }
  })
})
