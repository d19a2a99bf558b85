/** The commands of a person, as real processes: two at once, a terminal to type on, and a tool that would like to say yes itself. */
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BIN, scratch } from '../cli/usher.ts'
import { ROOT } from '../rules/source-files.ts'

const ROUTES = 'version: 1\nroutes:\n  - name: bell\n    tool: bell\n    triggers: ["ring the bell"]\n    allow: [device.actuate, fs.write, process.start]\n    approve: always\n  - name: sly\n    tool: sly\n    triggers: ["be sly with {text:rest}"]\n    allow: [device.actuate, fs.write, process.start]\n'

let place: ReturnType<typeof scratch>
let tools: string
beforeEach(() => {
  place = scratch()
  mkdirSync(join(place.folder, 'routes'))
  writeFileSync(join(place.folder, 'routes/a.yaml'), ROUTES)
  tools = join(place.folder, 'tools.mjs')
  copyFileSync(join(ROOT, 'test/approvals/tools.mjs'), tools)
  Object.assign(place.env, { USHER_BIN: BIN, USHER_TOOLS: tools })
})
afterEach(() => place.remove())

const happened = (): string[] => existsSync(join(place.folder, 'happened.txt')) ? readFileSync(join(place.folder, 'happened.txt'), 'utf8').trim().split('\n') : []
const say = (text: string) => place.run(['run', '--source', 'user', '--tools', tools, '--no-reader', '--json'], `${JSON.stringify({ text })}\n`).lines() as { outcomes: { kind: string, decisionId: string }[] }[]
const ring = (): string => say('ring the bell')[0]?.outcomes[0]?.decisionId ?? ''

/** A person types the lines at prompts, in a terminal of their own (`script` of util-linux makes one). */
function typing(args: readonly string[], lines: readonly string[]): Promise<{ status: number | null, output: string }> {
  return new Promise(resolve => {
    const quoted = [process.execPath, BIN, ...args].map(word => `'${word.replaceAll('\'', '\'\\\'\'')}'`).join(' ')
    const child = spawn('script', ['-qec', quoted, '/dev/null'], { cwd: place.folder, env: place.env, stdio: ['pipe', 'pipe', 'pipe'] })
    let output = ''
    let next = 0
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      // One line for each prompt, after it is there: raw mode begins with it.
      while (next < lines.length && (output.match(/(?:passphrase|again): /g) ?? []).length > next) child.stdin.write(`${lines[next++]}\r`)
    })
    child.on('close', status => resolve({ status, output }))
  })
}

describe('usher approve, deny and approvals', () => {
  test('show exactly what would be called, and call it once', () => {
    const id = ring()
    expect(happened()).toEqual([])
    const listed = place.run(['approvals'])
    expect(listed.status).toBe(1)
    for (const words of [id, 'bell', 'device.actuate', 'ring the bell', 'sha256']) expect(listed.stdout).toContain(words)
    expect(listed.stderr).toContain('anyone who runs as this user')
    const said = place.run(['approve', id.slice(0, 8), '--as', 'alice', '--tools', tools])
    expect({ status: said.status, out: said.stdout }).toMatchObject({ status: 0, out: expect.stringContaining('called') })
    expect(said.stderr).toContain('anyone who runs as this user')
    expect(happened()).toEqual(['bell'])
    expect(place.run(['approve', id, '--tools', tools])).toMatchObject({ status: 1, stderr: expect.stringContaining('spent') })
    expect(place.run(['approvals'])).toMatchObject({ status: 0, stdout: 'nothing waits for you\n' })
    expect(JSON.parse(place.run(['approvals', '--all', '--json']).stdout)).toMatchObject({ cards: [{ id, state: 'spent', decidedBy: 'alice', args: {} }] })
    expect(happened()).toEqual(['bell'])
  })
  test('deny is for good', () => {
    const id = ring()
    expect(place.run(['deny', id, '--why', 'late'])).toMatchObject({ status: 0 })
    expect(place.run(['approve', id, '--tools', tools])).toMatchObject({ status: 1, stderr: expect.stringContaining('denied') })
    expect(happened()).toEqual([])
  })
  test('an id that is none is used wrongly', () => {
    ring()
    expect(place.run(['approve', 'd-none', '--tools', tools])).toMatchObject({ status: 2 })
    expect(place.run(['deny', 'constructor'])).toMatchObject({ status: 2 })
  })
  test('two yeses at once, from four processes: one call', async () => {
    const id = ring()
    const codes = await Promise.all(Array.from({ length: 4 }, () => new Promise<number | null>(resolve => { place.start(['approve', id, '--tools', tools]).on('close', resolve) })))
    expect(codes.filter(code => code === 0)).toHaveLength(1)
    expect(happened()).toEqual(['bell'])
  })
  test('a yes and a no at once: one of them', async () => {
    const id = ring()
    const codes = await Promise.all([['approve', id, '--tools', tools], ['deny', id]].map(args => new Promise<number | null>(resolve => { place.start(args).on('close', resolve) })))
    expect(codes.filter(code => code === 0)).toHaveLength(1)
    expect(happened()).toHaveLength(codes[0] === 0 ? 1 : 0)
  })
  test('the log refuses a second use, also where an old copy of the cards was put back', () => {
    const id = ring()
    const cards = join(place.folder, 'state/usher/cards.sqlite')
    const copy = readFileSync(cards)
    expect(place.run(['approve', id, '--tools', tools]).status).toBe(0)
    writeFileSync(cards, copy)
    const again = place.run(['approve', id, '--tools', tools])
    expect(again.status).toBe(1)
    expect(happened()).toEqual(['bell'])
  })
  test('killed between the yes and the call: none, and never one later', async () => {
    const id = ring()
    const child = place.start(['approve', id, '--tools', tools])
    const ended = new Promise(resolve => { child.on('close', resolve) })
    while (!place.run(['approvals', '--all', '--json']).stdout.includes('"spent"') && child.exitCode === null) await new Promise(resolve => { setTimeout(resolve, 1) })
    child.kill('SIGKILL')
    await ended
    expect(place.run(['approve', id, '--tools', tools]).status).toBe(1)
    expect(happened().length).toBeLessThanOrEqual(1)
  })
})

describe('a person\'s proof', () => {
  test('a passphrase is kept as a slow hash only, and asked for from then on, on a terminal', async () => {
    const id = ring()
    const set = await typing(['passphrase', '--as', 'alice'], ['correct horse', 'correct horse'])
    expect(set).toMatchObject({ status: 0 })
    expect(set.output).not.toContain('correct horse')
    const file = join(place.folder, 'state/usher/passphrase.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ kdf: 'scrypt', N: 65536 })
    expect(place.run(['passphrase', '--status'])).toMatchObject({ status: 0 })
    expect(place.run(['approve', id, '--tools', tools], 'correct horse\n')).toMatchObject({ status: 1, stderr: expect.stringContaining('terminal') })
    expect((await typing(['approve', id, '--tools', tools], ['wrong horse'])).status).toBe(1)
    expect(happened()).toEqual([])
    expect((await typing(['approve', id, '--tools', tools], ['correct horse'])).status).toBe(0)
    expect(happened()).toEqual(['bell'])
    // Resuming and closing need it too; stopping does not.
    expect(place.run(['stop'])).toMatchObject({ status: 0 })
    expect(place.run(['resume'])).toMatchObject({ status: 1 })
    expect((await typing(['resume'], ['correct horse'])).status).toBe(0)
  })
  test('an empty state folder, or a passphrase file that is gone, does not open the door', async () => {
    const id = ring()
    await typing(['passphrase'], ['correct horse', 'correct horse'])
    expect(place.run(['approve', id, '--tools', tools, '--state', join(place.folder, 'elsewhere')])).toMatchObject({ status: expect.not.stringMatching('0') as number })
    const file = join(place.folder, 'state/usher/passphrase.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"hash":"./, '"hash":"A'))
    expect(place.run(['approve', id, '--tools', tools])).toMatchObject({ status: 1, stderr: expect.stringContaining('another file') })
    expect(happened()).toEqual([])
  })
  test('a tool cannot say yes: what descends from a runtime that runs tools is refused', () => {
    const id = ring()
    say(`be sly with ${id}`)
    expect(happened().join(' ')).toMatch(/^sly 1 .*runs tools/)
    expect(happened()).not.toContain('bell')
  })
  test('nor does what carries the mark of a tool\'s child', () => {
    const id = ring()
    const asked = spawnSync(process.execPath, [BIN, 'approve', id, '--tools', tools], { cwd: place.folder, env: { ...place.env, USHER_EFFECTS_REPORT: join(place.folder, 'report') }, encoding: 'utf8' })
    expect(asked).toMatchObject({ status: 1, stderr: expect.stringContaining('started for a tool call') })
  })
  test('a signature of a listed key is a proof, once and for this act', () => {
    const id = ring()
    const key = join(place.folder, 'key')
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    writeFileSync(join(place.folder, 'signers'), `alice namespaces="usher-person" ${readFileSync(`${key}.pub`, 'utf8')}`)
    expect(place.run(['approve', id, '--tools', tools, '--as', 'bob', '--key', key, '--signers', 'signers'])).toMatchObject({ status: 1, stderr: expect.stringContaining('not "bob"') })
    expect(place.run(['approve', id, '--tools', tools, '--as', 'alice', '--key', key, '--signers', 'signers'])).toMatchObject({ status: 0 })
    expect(happened()).toEqual(['bell'])
  })
})

describe('usher stop, resume and breaker', () => {
  test('a stop from another process holds for the next run, and ends with a resume', () => {
    say('be sly with apples')
    expect(place.run(['stop', '--why', 'tabs'])).toMatchObject({ status: 0, stdout: expect.stringContaining('tabs') })
    expect(say('be sly with apples')).toMatchObject([{ outcomes: [{ kind: 'stopped' }] }])
    expect(place.run(['stop', '--status'])).toMatchObject({ status: 1 })
    expect(place.run(['resume'])).toMatchObject({ status: 0 })
    expect(place.run(['stop', '--status'])).toMatchObject({ status: 0 })
    expect(say('be sly with pears')).toMatchObject([{ outcomes: [{ kind: 'called' }] }])
  })
  test('a report opens the breaker, and only a person closes it', () => {
    const [line] = say('be sly with apples') as unknown as { outcomes: { callId: string }[] }[]
    const reported = place.run(['report', line?.outcomes[0]?.callId ?? '', '--wrong', 'I was joking'])
    expect(reported.stdout).toContain('+    must_not_fire:')
    expect(say('be sly with plums')).toMatchObject([{ outcomes: [{ kind: 'limited', reason: 'breaker' }] }])
    expect(place.run(['breaker', 'list'])).toMatchObject({ status: 1, stdout: expect.stringContaining('sly') })
    expect(place.run(['breaker', 'close', 'other'])).toMatchObject({ status: 1 })
    expect(place.run(['breaker', 'close', 'sly', '--as', 'alice'])).toMatchObject({ status: 0 })
    expect(place.run(['breaker', 'list'])).toMatchObject({ status: 0 })
  })
})
