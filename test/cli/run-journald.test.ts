/** `journalctl -o json | usher run --from journald`, as a person would. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { scratch } from './usher.ts'

const place = scratch()
afterAll(() => place.remove())
const entry = (text: string, id: string, more: object = {}) => `${JSON.stringify({ __CURSOR: id, __REALTIME_TIMESTAMP: '1796076525904231', _SYSTEMD_UNIT: 'backup.service', PRIORITY: '6', MESSAGE: text, ...more })}\n`

test('gate:explicit: no route of the examples hears the journal, whatever it says', () => {
  const asks = ['please open the console', 'take a note: disk at 91 %', 'set a timer for 6 minutes'].map((text, i) => entry(text, `c${i}`)).join('')
  const ran = place.run(['run', '--from', 'journald', '--json'], asks)
  expect(ran.lines().map(line => [line['source'], (line['outcomes'] as { kind: string }[])[0]?.kind])).toEqual(Array.from({ length: 3 }, () => ['journald:backup.service', 'source-blocked']))
  expect(ran.status).toBe(0)
})

test('a route that names the journal, or one unit of it, hears it; an entry that is read twice fires once', () => {
  const route = (from: string) => `version: 1\nroutes:\n  - name: note\n    tool: append_note\n    triggers: ["make a note that {text:rest}"]\n    from: [${from}]\n    allow: [fs.write]\n`
  const written: number[] = []
  const outcome = (from: string, input: string) => {
    const folder = scratch()
    try {
      folder.write('routes.yaml', route(from))
      return folder.run(['run', '--from', 'journald', '--json', '--routes', 'routes.yaml', '--i-own-this-machine'], input).lines().map(line => (line['outcomes'] as { kind: string }[])[0]?.kind)
    } finally {
      // One note, however often its entry came.
      const notes = join(folder.folder, '.usher/notes')
      written.push(existsSync(notes) ? readdirSync(notes).map(file => readFileSync(join(notes, file), 'utf8')).join('').trim().split('\n').length : 0)
      folder.remove()
    }
  }
  expect(outcome('"journald:sshd.service"', entry('make a note that the backup is done', 'c1'))).toEqual(['source-blocked'])
  expect(outcome('"journald:backup.service"', entry('make a note that the backup is done', 'c1'))).toEqual(['called'])
  expect(outcome('journald', entry('make a note that the backup is done', 'c1') + entry('make a note that the backup is done', 'c1'))).toEqual(['called', 'duplicate'])
  expect(written).toEqual([0, 1, 1])
})

test('the source is the journal\'s to name: --source and --trust-file beside it are used wrongly, and so is a format that is none', () => {
  for (const args of [['--from', 'journald', '--source', 'user'], ['--from', 'journald', '--trust-file'], ['--from', 'toString']]) {
    expect([args, place.run(['run', ...args], '').status]).toEqual([args, 2])
  }
})

test('a line that is no entry is kept, said, and ends with 1', () => {
  const ran = place.run(['run', '--from', 'journald', '--json'], `-- Boot 1 --\n${entry('hello', 'c9')}`)
  expect([ran.status, ran.lines().map(line => (line['outcomes'] as { kind: string }[])[0]?.kind)]).toEqual([1, ['malformed', 'no-match']])
})
