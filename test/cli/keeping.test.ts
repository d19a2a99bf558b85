/** What a person does about the log: accepts what was unexplained, signs anchors and checks them, decides again with another model. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openSqliteLog } from '../../src/log/sqlite.ts'
import { makeKey } from '../contract/keys.ts'
import { decisionOf, effectOf, eventOf, T0, wholeCall } from '../log/support/rows.ts'
import { scratch } from './usher.ts'

vi.setConfig({ testTimeout: 120_000 })

let place: ReturnType<typeof scratch>
beforeEach(() => { place = scratch() })
afterEach(() => place.remove())

/** A log of this folder, with the state folder that the commands have. */
function logged(write: (log: ReturnType<typeof openSqliteLog>) => void): string {
  const file = join(place.folder, 'c.sqlite')
  const log = openSqliteLog(file, { stateDir: join(place.folder, 'state/usher') })
  write(log)
  log.close()
  return file
}

test('effect:observed: a person accepts an unexplained effect, in their name and with a reason; the log keeps both', () => {
  const file = logged(log => { log.effect(effectOf({ callId: null, target: '/usr/bin/backup' })); log.effect(effectOf({ callId: null, target: '/usr/bin/other' })) })
  const [first, second] = place.run(['unexplained', '--log', file, '--json']).json() as { id: string, target: string }[]
  expect(place.run(['unexplained', 'accept', String(first?.id), '--log', file])).toMatchObject({ status: 2 })
  const accepted = place.run(['unexplained', 'accept', String(first?.id), '--why', 'my own backup', '--as', 'anna', '--log', file])
  expect(accepted).toMatchObject({ status: 0, stdout: expect.stringContaining('accepted') as string, stderr: expect.stringContaining('no passphrase is set') as string })
  const left = place.run(['unexplained', '--log', file, '--json'])
  expect(left.status).toBe(1)
  expect((left.json() as { id: string }[]).map(one => one.id)).toEqual([second?.id])
  expect(execFileSync(process.execPath, ['-e', `const D = require(${JSON.stringify(join(import.meta.dirname, '../../node_modules/better-sqlite3'))}); console.log(JSON.stringify(new D(${JSON.stringify(file)}).prepare("SELECT who, about, json_extract(detail, '$.why') AS why FROM acts WHERE act = 'accept'").all()))`], { encoding: 'utf8' }).trim())
    .toBe(JSON.stringify([{ who: 'anna', about: first?.id, why: 'my own backup' }]))
  expect(place.run(['unexplained', 'accept', String(first?.id), '--why', 'again', '--log', file])).toMatchObject({ status: 1, stderr: expect.stringContaining('not in the list') as string })
  expect(place.run(['unexplained', 'accept', String(second?.id), '--why', 'x', '--as', 'model:big', '--log', file]).status).not.toBe(0)
})

test('effect:observed: a run that is over before its models are loaded leaves nothing unexplained: ending them is Usher\'s own work', () => {
  place.write('r.yaml', 'version: 1\nroutes:\n  - name: note\n    tool: append_note\n    triggers: ["take a note: {text}"]\n    allow: [fs.write]\n')
  for (let n = 0; n < 2; n++) expect(place.run(['run', '--source', 'user', '--json', '--log', 'short.sqlite', '--routes', 'r.yaml'], '{"text":"take a note: call the plumber"}\n').lines()).toMatchObject([{ outcomes: [{ kind: 'called' }] }])
  expect(place.run(['unexplained', '--log', 'short.sqlite'])).toMatchObject({ status: 0, stdout: expect.stringContaining('none') as string })
})

test('effect:bounded: what was stopped is a hint beside the list, and no reason to end with 1', () => {
  const file = logged(log => { wholeCall(log); log.effect(effectOf({ callId: 'call-1', blocked: true, target: '/usr/bin/curl', detail: { reason: 'not-allowed' } })) })
  const quiet = place.run(['unexplained', '--log', file])
  expect(quiet).toMatchObject({ status: 0, stdout: expect.stringContaining('1 effect was stopped before it happened, the last: process.start /usr/bin/curl by call_console') as string })
  expect(place.run(['unexplained', '--log', file, '--json']).json()).toEqual([])
  expect(place.run(['unexplained', '--stopped', '--log', file]).stdout).toContain('the route does not allow it')
  expect(place.run(['unexplained', '--stopped', '--log', file, '--json']).json()).toMatchObject([{ target: '/usr/bin/curl', times: 1 }])
})

test('trace:tamper: an anchor is signed with an SSH key, kept elsewhere, and counts only by a key of the signers file', () => {
  const file = logged(wholeCall)
  const anna = makeKey(place.folder, 'anna')
  const mallory = makeKey(place.folder, 'mallory')
  const signers = place.write('allowed_signers', `anna namespaces="usher-anchor" ${anna.publicLine}\n`)
  const kept = join(place.folder, 'anchors.txt')
  expect(place.run(['anchor', '--log', file, '--sign', anna.file, '--to', kept, '--run', `cat > ${join(place.folder, 'sent.txt')}`])).toMatchObject({ status: 0 })
  expect(readFileSync(join(place.folder, 'sent.txt'), 'utf8')).toBe(readFileSync(kept, 'utf8'))
  const verify = (...more: string[]) => place.run(['verify', '--log', file, ...more, '--signers', signers, '--json'])
  expect(verify('--anchor', kept).json()).toMatchObject({ kind: 'ok' })
  const line = readFileSync(kept, 'utf8').trim()
  expect(verify('--anchor', line.replace(/ sshsig:.*/, '')).json()).toMatchObject({ kind: 'broken', first: { kind: 'forged', detail: expect.stringContaining('not signed') as string } })
  expect(verify('--anchor', line.replace(/ \d{4}-/, ' 2031-')).json()).toMatchObject({ kind: 'broken', first: { kind: 'forged', detail: expect.stringContaining('not over this line') as string } })
  const theirs = place.run(['anchor', '--log', file, '--sign', mallory.file]).stdout.trim()
  expect(verify('--anchor', theirs).json()).toMatchObject({ kind: 'broken', first: { kind: 'forged', detail: expect.stringContaining('not in the signers file') as string } })
  // The anchors in the state folder are nobody's: with signers asked for they do not count.
  expect(verify()).toMatchObject({ status: 1 })
  expect(place.run(['anchor', '--log', file, '--run', 'exit 3'])).toMatchObject({ status: 1, stderr: expect.stringContaining('ended with 3') as string })
  expect(place.run(['anchor', '--log', file, '--sign', join(place.folder, 'no-such-key')])).toMatchObject({ status: 2 })
})

test('trace:tamper: usher anchor --always is kept once it worked, sends by itself, and --never ends it', async () => {
  const file = logged(wholeCall)
  const settings = join(place.folder, 'state/usher/anchor.json')
  expect(place.run(['anchor', '--log', file, '--run', 'exit 3', '--always'])).toMatchObject({ status: 1 })
  expect(place.run(['anchor', '--log', file, '--always'])).toMatchObject({ status: 2, stderr: expect.stringContaining('--to FILE or --run COMMAND') as string })
  expect(place.run(['anchor', '--log', file, '--to', 'kept.txt', '--always', '--every', 'soon'])).toMatchObject({ status: 2 })
  expect(existsSync(settings)).toBe(false)
  expect(place.run(['anchor', '--log', file, '--to', 'kept.txt', '--always', '--every', '1h'])).toMatchObject({ status: 0 })
  const lines = (): number => readFileSync(join(place.folder, 'kept.txt'), 'utf8').trim().split('\n').length
  expect(lines()).toBe(1)
  logged(log => { log.effect(effectOf({ callId: null, background: 'usher:x' })) })
  await expect.poll(lines, { timeout: 60_000 }).toBe(2)
  expect(place.run(['anchor', '--log', file, '--never'])).toMatchObject({ status: 0 })
  expect(existsSync(settings)).toBe(false)
})

test('trace:tamper, closed: usher run on a log whose tail was cut says so, and calls nothing until a person resumes', () => {
  const file = logged(log => { for (let n = 1; n < 6; n++) log.act({ who: 'owner', act: 'note', about: String(n), detail: {}, at: n }) })
  execFileSync(process.execPath, ['-e', `const D = require(${JSON.stringify(join(import.meta.dirname, '../../node_modules/better-sqlite3'))}); const db = new D(${JSON.stringify(file)}); db.exec('DROP TRIGGER rows_no_delete; DELETE FROM rows WHERE seq > 3')`])
  place.write('r.yaml', 'version: 1\nroutes:\n  - name: note\n    tool: append_note\n    triggers: ["take a note: {text}"]\n    allow: [fs.write]\n')
  const run = () => place.run(['run', '--source', 'user', '--json', '--log', file, '--routes', 'r.yaml', '--no-reader'], '{"text":"take a note: call the plumber"}\n')
  const first = run()
  expect(first.stderr).toContain('the log is not what its anchor says (cut: ')
  expect(first.lines()).toMatchObject([{ outcomes: [{ kind: 'stopped', reason: 'halted' }] }])
  // Once is enough: what is there now is anchored, and a person decides.
  expect(run()).toMatchObject({ stderr: expect.not.stringContaining('anchor says') as string })
  expect(place.run(['resume', '--log', file, '--as', 'anna']).status).toBe(0)
  expect(run().lines()).toMatchObject([{ outcomes: [{ kind: 'called' }] }])
  expect(place.run(['verify', '--log', file])).toMatchObject({ status: 1 })
})

test('encoder:pinned: replay uses the models that a row names, and says which rows need another', () => {
  const file = logged(log => {
    log.event(eventOf({ eventId: 'e-1', senderId: 's-1', text: 'the weather is fine' }))
    log.decision(decisionOf({ decisionId: 'd-1', eventId: 'e-1', kind: 'no-match', reason: 'none', callId: undefined, route: undefined, tool: undefined, encoderId: 'another-model@1/q8' } as never))
    log.event(eventOf({ eventId: 'e-2', senderId: 's-2', text: 'the weather is fine', at: T0 + 1 }))
    log.decision(decisionOf({ decisionId: 'd-2', eventId: 'e-2', kind: 'no-match', reason: 'none', callId: undefined, route: undefined, tool: undefined, encoderId: '', reader: { id: 'another-reader@1/q8' } } as never))
  })
  place.write('r.yaml', 'version: 1\nroutes:\n  - name: open-console\n    tool: call_console\n    triggers: ["open the console"]\n    preset: { open: true }\n    allow: [browser.open]\n')
  const report = place.run(['replay', file, '--routes', 'r.yaml', '--json'])
  expect(report.json()).toMatchObject({ events: 2, same: 0, otherModels: [{ model: 'another-model@1/q8', events: 1, first: 'e-1' }, { model: 'another-reader@1/q8', events: 1, first: 'e-2' }] })
  expect(place.run(['replay', file, '--routes', 'r.yaml']).stdout).toContain('need the model another-model@1/q8')
  // With a model that is named, that model is the question.
  const model = join(import.meta.dirname, '../../models/all-MiniLM-L6-v2')
  expect(place.run(['replay', file, '--routes', 'r.yaml', '--model', model, '--reader', 'off', '--json']).json()).toMatchObject({ events: 2, otherModels: [] })
  expect(place.run(['replay', file, '--routes', 'r.yaml', '--reader', place.folder])).toMatchObject({ status: 1, stderr: expect.stringContaining('MODEL_MISSING') as string })
})
