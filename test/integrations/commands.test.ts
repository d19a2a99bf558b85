/** `usher init` and `usher doctor`, as a person meets them. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { CHECKS, examine, nodeVersion } from '../../src/cli/doctor-checks.ts'
import { initFiles } from '../../src/cli/init-files.ts'
import { scratch } from '../cli/usher.ts'
import { ROOT } from '../rules/source-files.ts'

let place = scratch()
const places = [place]
beforeEach(() => { place = scratch(); places.push(place) })
afterAll(() => { for (const one of places) one.remove() })

describe('usher init', () => {
  // Inside the package, so that it resolves `usher-router` as a user's project would.
  const folder = join(ROOT, '.usher', `init-test-${process.pid}`)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('gate:explicit: writes a route, a tool module and a test that pass, and replays a day made of the given words', () => {
    const made = place.run(['init', '--folder', folder, '--name', 'kettle', '--say', 'put the kettle on', '--effect', 'device.actuate', '--json'])
    expect(made.stderr).toBe('')
    const { files, day } = made.json() as { files: string[], day: { events: { what: string, text: string, source: string, wouldCall: boolean, outcome: string }[], example: { events: number, calls: string[] } } }
    expect(files).toEqual(['routes/kettle.yaml', 'tools.mjs', 'test/kettle.test.mjs'])
    expect(day.events.every(event => event.text.includes('put the kettle on'))).toBe(true)
    expect(day.events.filter(event => event.wouldCall).map(event => event.what)).toEqual(['an ask', 'an ask, politely'])
    expect(day.events.filter(event => !event.wouldCall).map(event => [event.what, event.outcome])).toEqual([...['a question', 'a negation', 'a mention', 'a report', 'a condition', 'a later time'].map(what => [what, 'not-explicit']), ['a notification', 'source-blocked'], ['somebody else\'s message', 'source-blocked']])
    expect(day.example).toEqual({ events: 67, calls: [] })
    const tested = spawnSync(process.execPath, ['--test', 'test/'], { cwd: folder, encoding: 'utf8', env: place.env })
    expect([tested.status, tested.stdout]).toEqual([0, expect.stringContaining(`# pass ${day.events.length}`)])
    expect(place.run(['decide', '--routes', join(folder, 'routes'), '--tools', join(folder, 'tools.mjs'), 'please put the kettle on', '--json']).json()).toMatchObject([{ wouldCall: true, tool: 'kettle', presetBytes: '{"act":true}' }])
    const again = place.run(['init', '--folder', folder, '--yes', '--name', 'kettle'])
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('already there')])
    expect(readFileSync(join(folder, 'routes/kettle.yaml'), 'utf8')).toContain('put the kettle on')
  })

  test('the written handler does nothing yet, says so, and the log does not say that it did', () => {
    const ran = place.run(['run', '--source', 'user', '--json', '--log', 'l.sqlite', '--routes', join(folder, 'routes'), '--tools', join(folder, 'tools.mjs')], '{"text":"please put the kettle on"}\n')
    expect(ran.lines()[0]).toMatchObject({ outcomes: [{ kind: 'failed', tool: 'kettle', why: expect.stringContaining('kettle does nothing yet') }] })
    expect(place.run(['log', '--log', 'l.sqlite', '--json']).lines()).toMatchObject([{ outcome: 'failed' }])
  })

  test('the written test fails where the route fires on what is no ask, and so does the replay', () => {
    const eager = join(folder, 'eager')
    expect(place.run(['init', '--folder', eager, '--name', 'tide', '--say', 'when is high tide', '--effect', 'none']).stdout).toMatch(/All as it should be[\s\S]*tide does nothing yet/)
    writeFileSync(join(eager, 'routes/tide.yaml'), readFileSync(join(eager, 'routes/tide.yaml'), 'utf8').replace('    triggers:', '    from: [user, notification]\n    triggers:'))
    const tested = spawnSync(process.execPath, ['--test', 'test/'], { cwd: eager, encoding: 'utf8', env: place.env })
    expect([tested.status, tested.stdout]).toEqual([1, expect.stringMatching(/not ok \d+ - a notification does not fire/)])
    const command = place.run(['init', '--folder', join(folder, 'pays'), '--name', 'pays', '--say', 'did you pay the rent', '--effect', 'money.spend'])
    expect([command.status, command.stdout + command.stderr]).toEqual([1, expect.stringMatching(/not as it should be|must_fire/)])
  })

  test('without a terminal and without answers it is used wrongly, and so are answers that are none', () => {
    for (const args of [[], ['--yes', '--name', '../up'], ['--yes', '--name', 'constructor name'], ['--yes', '--say', 'x: [y]'], ['--yes', '--effect', 'unknown'], ['--yes', '--effect', 'world.end']]) {
      const ran = place.run(['init', '--folder', join(folder, 'unused'), ...args])
      expect([args, ran.status, ran.stderr]).toEqual([args, 2, expect.not.stringContaining('not installed')])
    }
    expect(existsSync(join(folder, 'unused'))).toBe(false)
  })

  test('where usher-router is not installed nothing is asked or written, and it says what to install', () => {
    const bare = place.run(['init', '--yes'])
    expect([bare.status, bare.stderr]).toEqual([2, expect.stringMatching(/usher-router and zod are not installed[\s\S]*npm init -y && npm install usher-router zod/)])
    place.write('package.json', '{}')
    mkdirSync(join(place.folder, 'node_modules/usher-router'), { recursive: true })
    writeFileSync(join(place.folder, 'node_modules/usher-router/package.json'), '{"name":"usher-router","main":"index.js"}')
    writeFileSync(join(place.folder, 'node_modules/usher-router/index.js'), '')
    expect(place.run(['init', '--yes']).stderr).toMatch(/: zod is not installed[\s\S]*folder: npm install zod,/)
    expect(existsSync(join(place.folder, 'tools.mjs'))).toBe(false)
  })

  test('a tool without effects needs no preset', () => {
    const files = initFiles({ name: 'tide', say: 'when is high tide', effect: 'none' })
    expect(files.get('routes/tide.yaml')).not.toMatch(/preset|allow|must_not/)
    expect(files.get('tools.mjs')).toContain('effects: {},')
  })
})

describe('usher doctor', () => {
  const doctor = (args: readonly string[] = []) => {
    const ran = place.run(['doctor', '--json', ...args])
    const found = ran.json() as { check: string, status: string, what: string, next?: string }[]
    return { status: ran.status, wrong: found.filter(one => one.status === 'wrong'), of: (check: string) => found.find(one => one.check === check) }
  }
  test('on a sound machine nothing is wrong, and each check says what it saw', () => {
    expect(place.run(['run', '--source', 'user'], '{"text":"hello"}\n').status).toBe(0)
    const { status, of } = doctor()
    expect(status).toBe(0)
    for (const { name } of CHECKS) expect(of(name)?.what).toMatch(/./)
    for (const name of ['node', 'sqlite', 'index', 'model', 'reader', 'routes', 'log', 'permissions', 'disk', 'clock']) expect([name, of(name)?.status]).toEqual([name, 'ok'])
  })

  test('what is wrong ends with 1 and says what to do', async () => {
    place.run(['run', '--source', 'user'], '{"text":"hello"}\n')
    const log = join(place.folder, '.usher/log.sqlite')
    const routes = place.write('broken.yaml', 'version: 1\nroutes: [{ name: x }]\n')
    place.write('tools.allow.json', '{"version":2,"serial":1,"tools":[]}')
    chmodSync(log, 0o644)
    const { status, of } = doctor(['--routes', routes])
    expect(status).toBe(1)
    expect(of('routes')).toMatchObject({ status: 'wrong', what: expect.stringContaining('broken.yaml:2'), next: expect.stringContaining('usher check') })
    expect(of('permissions')).toMatchObject({ status: 'wrong', next: expect.stringContaining('chmod go-rwx') })
    expect(of('contracts')?.status).toBe('wrong')
    const early = await examine({ log, now: Date.now() - 86_400_000 })
    expect(early.find(one => one.check === 'clock')).toMatchObject({ status: 'wrong', what: expect.stringContaining('the clock went back') })
    expect(nodeVersion('18.20.4').status).toBe('wrong')
    expect(nodeVersion('20.19.9').status).toBe('wrong')
    expect(nodeVersion('20.20.0').status).toBe('ok')
    expect(nodeVersion('24.1.0').status).toBe('ok')
  })

  test('a log that was changed, and a file that is none, are found; nothing is mended', () => {
    place.run(['run', '--source', 'user'], '{"text":"hello"}\n')
    const other = join(place.folder, 'other.sqlite')
    cpSync(join(place.folder, '.usher/log.sqlite'), other)
    // As somebody would who wants it to be unseen: the trigger that forbids it is put back.
    const trigger = spawnSync('sqlite3', [other, 'SELECT sql FROM sqlite_master WHERE name = \'rows_no_update\''], { encoding: 'utf8' }).stdout
    expect(spawnSync('sqlite3', [other, `DROP TRIGGER rows_no_update; UPDATE rows SET body = replace(body, '"at"', '"ta"') WHERE seq = 2; ${trigger};`]).status).toBe(0)
    writeFileSync(join(place.folder, 'no.sqlite'), 'not a database at all, but long enough to be looked at as one')
    mkdirSync(join(place.folder, 'x'))
    for (const file of [other, join(place.folder, 'no.sqlite')]) expect(doctor(['--log', file]).of('log')?.status).toBe('wrong')
    // One thing is wrong, and is said once, whatever other check wanted to read the file.
    expect(spawnSync('sqlite3', [join(place.folder, 'theirs.sqlite'), 'CREATE TABLE recipes (name)']).status).toBe(0)
    writeFileSync(join(place.folder, 'empty.sqlite'), '')
    for (const [file, what] of [['no.sqlite', 'is no log'], ['theirs.sqlite', 'belongs to another program'], ['empty.sqlite', 'holds no log']] as const) {
      chmodSync(join(place.folder, file), 0o600)
      const { wrong } = doctor(['--log', join(place.folder, file)])
      expect([file, wrong.map(one => one.check), wrong[0]?.what]).toEqual([file, ['log'], expect.stringContaining(what)])
    }
    expect(readFileSync(join(place.folder, 'no.sqlite'), 'utf8')).toMatch(/^not a database/)
  })
})
