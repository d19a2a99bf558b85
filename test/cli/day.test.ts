/** The whole way, as `npm start` runs it: the table line by line, twice into one log, and killed in the middle. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { read } from '../rules/source-files.ts'
import { scratch } from './usher.ts'

interface Expected { readonly id: string, readonly outcome: string, readonly reason: string, readonly tool?: string, readonly args?: object }
const EXPECTED = read('test/cli/day.expected.jsonl').trim().split('\n').map(line => JSON.parse(line) as Expected)
const DAY = read('src/example/day.jsonl').trim().split('\n').map(line => JSON.parse(line) as { id: string, source: string, text: string })

const place = scratch()
afterAll(() => place.remove())

describe('the day, once', () => {
  let ran: ReturnType<typeof place.run>
  let lines: Record<string, unknown>[]
  beforeAll(() => {
    ran = place.run(['day', '--json'])
    lines = ran.lines()
  }, 240_000)

  test('it runs to its end, and says nothing on stderr', () => expect(ran).toMatchObject({ status: 0, stderr: '' }))

  test('the story is in it: chatter all day, and one explicit ask at 15:47', () => {
    expect(DAY.length).toBeGreaterThanOrEqual(60)
    expect(DAY.filter(event => /memory[- ]map/i.test(event.text) && event.source !== 'user').length).toBeGreaterThan(15)
    expect(new Set(DAY.map(event => event.source.split(':')[0]))).toEqual(new Set(['user', 'voice', 'notification', 'webhook', 'log', 'chat', 'model']))
  })

  test('every line is as it was decided to be', () => {
    const got = lines.map(line => {
      const [outcome] = line['outcomes'] as { kind: string, reason: string, tool?: string, args?: object }[]
      return { id: line['id'], outcome: outcome?.kind, reason: outcome?.reason, ...(outcome?.tool ? { tool: outcome.tool } : {}), ...(outcome?.kind === 'called' ? { args: outcome.args } : {}) }
    })
    expect(got).toEqual(EXPECTED)
  })

  test('effect:observed: one tab was opened, by the one ask, and the notes are the ones that were asked for', () => {
    expect(readFileSync(join(place.folder, '.usher/opened.txt'), 'utf8').trim().split('\n')).toHaveLength(1)
    const db = new Database(join(place.folder, '.usher/log.sqlite'), { readonly: true })
    const effects = db.prepare('select c.tool, e.kind, ev.text from effects e join calls c on c.call_id = e.call_id join events ev on ev.event_id = c.event_id where e.kind = \'process.start\'').all()
    expect(effects).toEqual([{ tool: 'call_console', kind: 'process.start', text: 'please open the console' }])
    expect(db.prepare('select count(*) from effects where call_id is null and background is null').pluck().get()).toBe(0)
    db.close()
  })

  test('nothing is unexplained', () => {
    const asked = place.run(['unexplained'])
    expect(asked).toMatchObject({ status: 0, stderr: '' })
    expect(asked.stdout).toContain('none')
  })

  test('the log verifies', () => expect(place.run(['verify', '--json']).json()).toMatchObject({ kind: 'ok' }))

  test('a second run of the same day fires nothing twice', () => {
    const again = place.run(['day', '--json']).lines()
    expect(again).toHaveLength(DAY.length)
    expect(again.flatMap(line => (line['outcomes'] as { kind: string }[]).map(outcome => outcome.kind)).every(kind => kind === 'duplicate')).toBe(true)
    expect(readFileSync(join(place.folder, '.usher/opened.txt'), 'utf8').trim().split('\n')).toHaveLength(1)
  }, 240_000)

  test('deciding the logged day again under the same routes gives the same decisions', () => {
    const again = place.run(['replay', '--json'])
    expect(again.json()).toMatchObject({ events: 2 * DAY.length, same: 2 * DAY.length, changes: [], notReplayable: 0 })
    expect(again.status).toBe(0)
  }, 240_000)
})

test('the table for people: outcomes counted, effects, the held ones, where the log lies, and three commands to try', () => {
  const other = scratch()
  const { stdout, status } = other.run(['day'])
  expect(status).toBe(0)
  expect(stdout).toMatch(/15:47:00\s+user\s+please open the console\s+called\s+call_console/)
  expect(stdout).toMatch(/Outcomes .*source-blocked/)
  expect(stdout).toMatch(/process\.start xdg-open\s+by call_console/)
  expect(stdout).toMatch(/no explicit ask behind them\?\s+none/)
  expect(stdout).toMatch(/Held .*came near it 2 times without asking/)
  expect(stdout).toContain('.usher/log.sqlite')
  expect(stdout.match(/^ {2}npx usher /gm)).toHaveLength(3)
  other.remove()
}, 240_000)

describe('trace:crash: killed with -9 in the middle of the day', () => {
  test.each([5, 12, 25, 45, 60])('after about %i lines: every effect has a row, and nothing in flight reads done', async after => {
    const other = scratch()
    const child = other.start(['day', '--json'])
    let seen = 0
    await new Promise<void>(resolve => {
      child.stdout.on('data', (chunk: Buffer) => {
        seen += chunk.toString().split('\n').length - 1
        if (seen >= after) child.kill('SIGKILL')
      })
      child.on('exit', () => resolve())
    })
    const file = join(other.folder, '.usher/log.sqlite')
    const verified = other.run(['verify', '--json'])
    expect(['ok', 'unanchored']).toContain((verified.json() as { kind: string }).kind)
    const log = other.run(['log', '--json', '--limit', '1000']).lines()
    expect(log.some(entry => entry['outcome'] === 'in-flight')).toBe(false)
    const db = new Database(file, { readonly: true })
    const count = (sql: string) => db.prepare(sql).pluck().get() as number
    const lines = (name: string) => { const path = join(other.folder, '.usher', name); return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(line => line !== '').length : 0 }
    expect(lines('notes/notes.txt')).toBeLessThanOrEqual(count('select count(*) from calls where tool = \'append_note\''))
    expect(lines('opened.txt')).toBeLessThanOrEqual(count('select count(*) from calls where tool = \'call_console\''))
    expect(count('select count(*) from calls where outcome = \'called\' and tool = \'append_note\'')).toBeLessThanOrEqual(lines('notes/notes.txt'))
    db.close()
    other.remove()
  }, 240_000)
})
