import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../rules/source-files.ts'
import { scratch } from './usher.ts'

const place = scratch()
place.write('plain', '')
afterAll(() => place.remove())
const events = (...lines: object[]) => lines.map(line => JSON.stringify(line)).join('\n')
const kinds = (lines: Record<string, unknown>[]) => lines.map(line => (line['outcomes'] as { kind: string, reason: string }[]).map(outcome => `${outcome.kind} ${outcome.reason}`).join(', '))

describe('used wrongly: exit code 2, and a word on what to do', () => {
  test.each([
    ['an unknown command', ['open'], /unknown command 'open'/], ['a name that every object has', ['toString'], /unknown command/], ['another', ['__proto__'], /unknown command/], ['and another', ['constructor'], /unknown command/],
    ['an unknown option', ['log', '--colour'], /unknown option/], ['a source that is no name', ['decide', 'x', '--source', 'A B'], /--source must be a name like "user"/],
    ['an outcome that is none', ['log', '--outcome', 'fired', '--log', 'x.sqlite'], /no log at/], ['a log that is not there', ['unexplained', '--log', 'nowhere.sqlite'], /there is no log at .*nowhere\.sqlite/],
    ['an events file that is not there', ['run', '--events', 'nowhere.jsonl'], /there is no file nowhere\.jsonl/], ['an eval file that is not there', ['eval', 'nowhere.json'], /nowhere\.json cannot be read/],
    ['an events file that is a folder', ['run', '--events', '.'], /is a folder; name a file/], ['a log below a file', ['run', '--log', 'plain/log.sqlite'], /plain cannot be made: something that is no folder stands there/], ['a log that is a folder', ['run', '--log', '.'], /is a folder; a log is a file/],
    ['an encoder that is none', ['fleet', 'pin', '--encoder', 'nonsense', '--log', 'postgres://x@127.0.0.1:1/x'], /--encoder must be an encoder's id, like .*every machine would hold/], ...(['pre-tool-use', 'user-prompt-submit', 'install'] as const).map(name => [`a hook's log in a database, ${name}`, ['hook', name, '--routes', 'x', '--log', 'postgres://x@127.0.0.1:1/x'], /keeps its rows in a file, not in a database; give --log FILE/] as [string, string[], RegExp]),
    ['routes that are not there', ['decide', 'x', '--routes', 'nowhere'], /nowhere/], ['a tools module that is not there', ['decide', 'x', '--tools', 'nowhere.js'], /there is no such file/],
  ])('%s', (_name, args, message) => {
    const ran = place.run(args)
    expect(ran.status).toBe(2)
    expect(ran.stderr).toMatch(message)
    expect(ran.stderr).not.toMatch(/\n\s+at /)
  })
})

describe('help', () => {
  test('every command has a description and an example', () => {
    const names = [...place.run(['--help']).stdout.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(found => found[1]).filter(name => name !== 'help')
    expect(names.length).toBeGreaterThan(12)
    for (const name of names) expect(place.run([name ?? '', '--help']).stdout).toMatch(/Examples?:\n|Usage: usher \S+ .*\[command\]/)
  }, 240_000)
  test('the version is the package\'s', () => expect(place.run(['--version']).stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/))
})

describe('run', () => {
  test('ingest:owns: what a line says of its source is not believed, and with --trust-file it is', () => {
    const line = events({ text: 'please open the console', source: 'user' })
    expect(kinds(place.run(['run', '--source', 'webhook', '--json', '--log', 'owns.sqlite'], line).lines())).toEqual(['source-blocked source'])
    expect(kinds(place.run(['run', '--json', '--log', 'owns.sqlite'], line).lines())).toEqual(['source-blocked source'])
    expect(kinds(place.run(['run', '--trust-file', '--json', '--log', 'owns.sqlite'], line).lines())).toEqual(['called ask'])
  }, 240_000)

  test('an old event of a trusted file is expired, unless the file\'s own time is asked for', () => {
    const line = events({ text: 'please open the console', source: 'user', at: '2025-01-01T12:00:00Z' })
    expect(kinds(place.run(['run', '--trust-file', '--json', '--log', 'old.sqlite'], line).lines())).toEqual(['expired max-age'])
    expect(kinds(place.run(['run', '--trust-file', '--replay-clock', '--json', '--log', 'old-2.sqlite'], line).lines())).toEqual(['called ask'])
    expect(place.run(['run', '--replay-clock'], line).status).toBe(2)
  }, 240_000)

  test('the console\'s address is one that answers while the events run', async () => {
    const child = place.start(['run', '--source', 'user', '--json', '--log', 'page.sqlite'])
    const answer = new Promise<string>(resolve => child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())))
    child.stdin.write(`${events({ text: 'where is the call log' })}\n`)
    const [outcome] = (JSON.parse(await answer) as { outcomes: { kind: string, result: { url: string } }[] }).outcomes
    expect(outcome?.kind).toBe('called')
    const { origin, hash } = new URL(outcome?.result.url ?? '')
    expect((await fetch(origin)).status).toBe(401)
    const page = await fetch(origin, { headers: { authorization: `Bearer ${hash.replace('#token=', '')}` } })
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Call log')
    child.stdin.end()
    await new Promise(resolve => { child.on('exit', resolve) })
  }, 240_000)

  test('a timer rings while the command runs', async () => {
    const child = place.start(['run', '--source', 'user', '--json', '--log', 'timer.sqlite'])
    const rang = new Promise<string>(resolve => child.stderr.once('data', (chunk: Buffer) => resolve(chunk.toString())))
    child.stdin.write(`${events({ text: 'set a timer for 1 second' })}\n`)
    expect(await rang).toContain('timer: PT1S is over')
    child.stdin.end()
    await new Promise(resolve => { child.on('exit', resolve) })
  }, 240_000)

  test('closed: a log that is read-only is refused, not made writable', () => {
    const file = place.write('read-only.sqlite', '')
    chmodSync(file, 0o444)
    expect(place.run(['run', '--source', 'user', '--json', '--log', file], events({ text: 'please open the console' }))).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('read-only') as string })
    expect(statSync(file).mode & 0o777).toBe(0o444)
  })

  test('a malformed line is named by its number, kept, and does not end the stream; the exit code says so', () => {
    const input = ['{"text":"hello there"}', 'nonsense', '', '{"text":7}', '{"text":"set a timer for 3 minutes"}'].join('\n')
    const ran = place.run(['run', '--source', 'user', '--json', '--log', 'bad.sqlite'], input)
    expect(ran.status).toBe(1)
    expect(ran.lines().map(line => line['line'])).toEqual([1, 2, 4, 5])
    expect(kinds(ran.lines())).toEqual(['no-match below-threshold', 'malformed json', 'malformed shape', 'called ask'])
    const kept = place.run(['log', '--outcome', 'malformed', '--json', '--log', 'bad.sqlite']).lines()
    expect(kept.map(entry => (entry['event'] as { text: string }).text)).toEqual(['nonsense', '{"text":7}'])
  }, 240_000)

  test('odd texts get an outcome, never a crash', () => {
    const texts = ['', ' \u200B\u2060 ', '\uD800', 'a\u0000b', '\u202Eelosnoc eht nepo', 'please open the console '.repeat(50_000), '🟠'.repeat(5_000)]
    const ran = place.run(['run', '--source', 'user', '--json', '--log', 'odd.sqlite'], events(...texts.map(text => ({ text }))))
    expect(ran.stderr).toBe('')
    expect(ran.status).toBe(0)
    expect(ran.lines()).toHaveLength(texts.length)
    expect(kinds(ran.lines()).slice(0, 2)).toEqual(['no-match empty', 'no-match empty'])
    expect(kinds(ran.lines()).some(kind => kind.startsWith('called'))).toBe(false)
  }, 240_000)

  test('an outcome appears before the next event arrives', async () => {
    const child = place.start(['run', '--source', 'user', '--json', '--log', 'stream.sqlite'])
    const outcomes: string[] = []
    const next = () => new Promise<string>(resolve => child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())))
    for (const text of ['hello there', 'how are you']) {
      const answer = next()
      child.stdin.write(`${events({ text })}\n`)
      outcomes.push(await answer)
    }
    child.stdin.end()
    const code = await new Promise(resolve => child.on('exit', resolve))
    expect(outcomes.map(line => (JSON.parse(line) as { text: string }).text)).toEqual(['hello there', 'how are you'])
    expect(code).toBe(0)
  }, 240_000)
})

describe('decide', () => {
  test('says what would happen, with exit code 0 only where something would be called, and leaves nothing behind', () => {
    const yes = place.run(['decide', 'please open the console', '--json'])
    expect(yes.status).toBe(0)
    expect(yes.json()).toMatchObject([{ wouldCall: true, tool: 'call_console', args: { open: true }, presetBytes: '{"open":true}' }])
    const no = place.run(['decide', 'why does the console keep opening?', '--json'])
    expect(no.status).toBe(1)
    expect(no.json()).toMatchObject([{ wouldCall: false, kind: 'not-explicit' }])
    expect(existsSync(join(place.folder, '.usher/log.sqlite'))).toBe(false)
    expect(existsSync(join(place.folder, '.usher/opened.txt'))).toBe(false)
  }, 240_000)
})

describe('questions about a log', () => {
  let call = ''
  beforeAll(() => {
    place.run(['run', '--source', 'user', '--json', '--log', 'q.sqlite'], events({ id: '1', text: 'add a note that the bins go out' }, { id: '2', text: 'please open the console' }, { id: '3', text: 'thanks for opening the console' }))
    const [entry] = place.run(['log', '--outcome', 'called', '--tool', 'append_note', '--json', '--log', 'q.sqlite']).lines() as { call: { call: { callId: string } } }[]
    call = entry?.call.call.callId ?? ''
  }, 240_000)

  test('log: filters', () => {
    const count = (...more: string[]) => place.run(['log', '--log', 'q.sqlite', '--json', ...more]).lines().length
    expect([count(), count('--outcome', 'called'), count('--route', 'open-console'), count('--source', 'user'), count('--source', 'voice'), count('--since', '1h'), count('--since', '2100-01-01'), count('--limit', '1')]).toEqual([3, 2, 2, 3, 0, 3, 0, 1])
    expect(place.run(['log', '--log', 'q.sqlite']).stdout).toMatch(/append_note/)
  })
  test('explain: words, phrase, gate, each argument with its span, effect', () => {
    const { stdout } = place.run(['explain', call, '--log', 'q.sqlite'])
    for (const part of ['add a note that the bins go out', 'gate source', 'phrase', '/text', 'fs.write', 'called']) expect(stdout).toContain(part)
    expect(place.run(['explain', call.slice(0, 8), '--log', 'q.sqlite', '--json']).json()).toMatchObject({ calls: [{ call: { callId: call, explicit: true } }] })
    expect(place.run(['explain', 'c-nothing', '--log', 'q.sqlite']).status).toBe(1)
  })
  test('blame: from an effect to the words', () => {
    const effect = (place.run(['explain', call, '--log', 'q.sqlite', '--json']).json() as { calls: { effects: { effectId: string }[] }[] }).calls[0]?.effects[0]?.effectId ?? ''
    const ran = place.run(['blame', effect, '--log', 'q.sqlite'])
    expect(ran.status).toBe(0)
    expect(ran.stdout).toMatch(/asked: .*\n?/)
    expect(ran.stdout).toContain('add a note that the bins go out')
    expect(place.run(['blame', 'effect-99999', '--log', 'q.sqlite']).status).toBe(1)
  })
  test('stats, and a report of a false fire that gives the line for the route', () => {
    const reported = place.run(['report', call, '--wrong', 'I was only quoting', '--who', 'anna', '--log', 'q.sqlite'])
    expect(reported.stdout).toContain('must_not_fire of add-note')
    expect(reported.stdout).toContain('- "add a note that the bins go out"')
    expect(place.run(['stats', '--log', 'q.sqlite', '--json']).json()).toEqual(expect.arrayContaining([expect.objectContaining({ route: 'add-note', fired: 1, falseFires: 1 })]))
    expect(place.run(['stats', '--log', 'q.sqlite']).stdout).toMatch(/add-note\s+1/)
    expect(place.run(['report', 'c-none', '--wrong', 'x', '--log', 'q.sqlite']).status).toBe(2)
  })
  test('verify, anchor and prune', () => {
    const line = place.run(['anchor', '--log', 'q.sqlite']).stdout.trim()
    expect(place.run(['verify', '--log', 'q.sqlite', '--anchor', line]).status).toBe(0)
    expect(place.run(['verify', '--log', 'q.sqlite', '--no-anchor', '--json']).json()).toMatchObject({ kind: 'unanchored' })
    expect(place.run(['prune', '--log', 'q.sqlite']).status).toBe(2)
    expect(place.run(['prune', '--log', 'q.sqlite', '--older-than', '90d', '--json']).json()).toMatchObject({ cut: 0 })
    expect(place.run(['prune', '--log', 'q.sqlite', '--older-than', '90d', '--state', 'elsewhere', '--json']).status).toBe(0)
  })
  test('replay under routes that fire more: exit code 1, and what would be otherwise', () => {
    writeFileSync(join(place.folder, 'wider.yaml'), 'version: 1\nroutes:\n  - name: open-console\n    tool: call_console\n    triggers: ["thanks for opening the console"]\n    preset: { open: true }\n    allow: [browser.open]\n')
    const ran = place.run(['replay', 'q.sqlite', '--routes', 'wider.yaml', '--json'])
    const report = ran.json() as { changes: { change: string, text: string }[] }
    expect(report.changes.map(change => change.change)).toContain('no-longer-fires')
    expect(ran.status).toBe(report.changes.some(change => change.change === 'newly-fires') ? 1 : 0)
  }, 240_000)
})

test('effect:observed: an effect without a call is unexplained: exit code 1', () => {
  writeFileSync(join(place.folder, 'tools.mjs'), `
import { appendFileSync } from 'node:fs'
import { defineTool } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/index.js')).href)}
import * as z from ${JSON.stringify(pathToFileURL(join(ROOT, 'node_modules/zod/index.js')).href)}
setInterval(() => appendFileSync('stray.txt', 'x'), 5).unref()
export default () => [defineTool({ name: 'greet', description: 'says hello', input: z.object({}), effects: {}, run: () => 'hello' })]
`)
  writeFileSync(join(place.folder, 'greet.yaml'), 'version: 1\nroutes:\n  - name: greet\n    tool: greet\n    triggers: ["say hello"]\n')
  const ran = place.run(['run', '--source', 'user', '--tools', 'tools.mjs', '--routes', 'greet.yaml', '--log', 'stray.sqlite', '--json'], events({ text: 'say hello' }))
  expect(kinds(ran.lines())).toEqual(['called ask'])
  const asked = place.run(['unexplained', '--log', 'stray.sqlite', '--json'])
  expect(readdirSync(place.folder)).toContain('stray.txt')
  expect((asked.json() as { kind: string, reason: string }[])[0]).toMatchObject({ kind: 'fs.write', reason: 'no-call' })
  expect(asked.status).toBe(1)
}, 240_000)

test('eval: figures and errors of a file', () => {
  const data = {
    routes: [{ name: 'feed-cat', tool: 'feeder', triggers: ['feed the cat'], preset: { go: true }, effects: ['feed'] }],
    cases: [{ text: 'please feed the cat', source: 'voice', route: 'feed-cat', kind: 'polite' }, { text: 'did you feed the cat?', source: 'user', route: null, kind: 'question' }, { text: 'feed the cat', source: 'log', route: null, kind: 'log' }],
  }
  writeFileSync(join(place.folder, 'asks.json'), JSON.stringify(data))
  const ran = place.run(['eval', 'asks.json', '--json'])
  expect(ran.json()).toMatchObject({ positives: 1, hits: 1, negatives: 2, falseFires: 0, wrongRoute: 0 })
  expect(place.run(['eval', 'asks.json']).stdout).toMatch(/polite/)
}, 240_000)
