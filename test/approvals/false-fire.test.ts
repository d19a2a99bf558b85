import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { reportWrong } from '../../src/approvals/false-fire.ts'
import { patchText } from '../../src/approvals/patch-text.ts'
import { parseRoutes } from '../../src/routes/load.ts'
import { bench, type Bench } from './bench.ts'

const forms: readonly (readonly [string, string])[] = [
  ['no list yet', ''],
  ['a list in brackets', '    must_not_fire: ["why does it ring?"]\n'],
  ['an empty list in brackets', '    must_not_fire: []\n'],
  ['a block list with a comment in it', '    must_not_fire:\n      # said in March\n      - "why does it ring?"\n\n      - \'it rang\'\n'],
  ['a list that does not come last', '    must_not_fire: ["why does it ring?"]\n    limits: { perHour: 3 }\n'],
]
const file = (form: string) => `# the house\nversion: 1\nroutes:\n  - name: bell\n    tool: bell\n    triggers: ["ring the bell"]\n${form}    allow: [device.actuate]\n\n  # another one\n  - name: chime\n    tool: chime\n    triggers: ["strike it"]\n`

describe('the patch', () => {
  let on: Bench
  beforeEach(async () => { on = await bench() })
  afterEach(async () => { await on.close() })

  const report = async (text: string, words = 'he said "ring the bell"') => {
    const routes = join(on.folder, 'house.yaml')
    writeFileSync(routes, text)
    const route = { ...parseRoutes(text, routes).routes.get('bell') }
    return reportWrong({ callId: 'c-1', tool: 'bell', route: 'bell', text: words, who: 'alice', wrong: 'he was quoting' }, { log: on.usher.log, clock: on.clock, stateFolder: join(on.folder, 'state'), base: on.folder, route: route as never })
  }

  test.each(forms)('fits %s: git applies it, and only the one sentence is new', async (_name, form) => {
    const made = await report(file(form))
    expect(made.kind).toBe('patch')
    const path = made.kind === 'patch' ? made.file : ''
    expect(readFileSync(join(on.folder, 'house.yaml'), 'utf8')).toBe(file(form))
    expect(path.startsWith(join(on.folder, 'state', 'review'))).toBe(true)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(spawnSync('git', ['apply', '--verbose', path], { cwd: on.folder, encoding: 'utf8' })).toMatchObject({ status: 0 })
    const [before, after] = [parseRoutes(file(form)), parseRoutes(readFileSync(join(on.folder, 'house.yaml'), 'utf8'))]
    expect(after.routes.get('bell')?.mustNotFire).toEqual([...before.routes.get('bell')?.mustNotFire ?? [], 'he said "ring the bell"'])
    expect(after.hash).toBe(before.hash)
  })
  test.each(['it\'s "loud"\nand on two lines', '\u202Eevil: [1, 2]', '- not: a list', '# no comment', 'a\\b', '{{x}}', 'naïve 日本'])('takes the words as they are: %j', async words => {
    const made = await report(file(forms[3]?.[1] ?? ''), words)
    expect(spawnSync('git', ['apply', made.kind === 'patch' ? made.file : ''], { cwd: on.folder })).toMatchObject({ status: 0 })
    expect(parseRoutes(readFileSync(join(on.folder, 'house.yaml'), 'utf8')).routes.get('bell')?.mustNotFire.at(-1)).toBe(words.replace('\n', ' '))
  })
  test('is not made for words that must fire: the advice is to take them out there first', async () => {
    const made = await report(file('    must_fire: ["ring the bell"]\n'), 'ring the bell')
    expect(made.kind === 'kept' ? made.why : '').toMatch(/stand in must_fire of bell .*take them out there first/)
  })
  test('is not made where the file is written in a way that it does not fit, or the words are gone: the report is kept', async () => {
    const flow = '{ version: 1, routes: [{ name: bell, tool: bell, triggers: ["ring the bell"] }] }'
    expect(await report(flow)).toMatchObject({ kind: 'kept' })
    expect(await reportWrong({ callId: 'c-2', tool: 'bell', route: 'bell', text: null, who: 'alice', wrong: 'x' }, { log: on.usher.log, clock: on.clock, stateFolder: join(on.folder, 'state') })).toMatchObject({ kind: 'kept' })
    expect(on.sql('SELECT count(*) AS n FROM acts WHERE act = \'report\'')).toEqual([{ n: 2 }])
  })
  test('gate:limits: the report opens the route\'s breaker until a person closes it, also after a restart', async () => {
    await report(file(''))
    expect(await on.say('ring the bell')).toMatchObject([{ kind: 'limited', reason: 'breaker' }])
    expect(await on.say('strike the chime')).toMatchObject([{ kind: 'called' }])
    await on.restart()
    expect(await on.say('ring the bell')).toMatchObject([{ kind: 'limited', reason: 'breaker' }])
    expect(await on.usher.desk.owner.breakers()).toMatchObject([{ name: 'bell', reason: 'report' }])
    await on.usher.desk.owner.closeBreaker('bell', 'alice')
    expect(await on.say('ring the bell')).toMatchObject([{ kind: 'needs-approval' }])
  })
})

test('a patch between any two texts that differ in one run of lines is what git applies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'usher-patch-'))
  mkdirSync(join(folder, 'routes'))
  const line = fc.string({ maxLength: 6 }).map(text => text.replace(/[\n\r]/g, ' '))
  const lines = fc.array(line, { maxLength: 8 })
  fc.assert(fc.property(lines, lines, lines, lines, fc.boolean(), (head, out, into, tail, ends) => {
    const text = (middle: readonly string[]) => [...head, ...middle, ...tail].join('\n') + (ends ? '\n' : '')
    const [before, after] = [text(out), text(into)]
    if (before === after || before === '' || after === '') return
    writeFileSync(join(folder, 'routes/a.yaml'), before)
    const applied = spawnSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: folder, input: patchText('routes/a.yaml', before, after), encoding: 'utf8' })
    expect(applied.stderr).toBe('')
    expect(readFileSync(join(folder, 'routes/a.yaml'), 'utf8')).toBe(after)
  }), { seed: 9, numRuns: 60 })
  rmSync(folder, { recursive: true, force: true })
})
