import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { controlFileIn, controlFileNamed } from '../../../src/integrations/gate/control.ts'

const folder = mkdtempSync(join(tmpdir(), 'usher-control-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const log = join(folder, 'calls.sqlite')
const state = join(folder, 'state')
const own = [log, state, join(folder, 'routes')]
mkdirSync(state)
writeFileSync(log, 'x')
linkSync(log, join(folder, 'other-name'))
writeFileSync(join(folder, 'plain.txt'), 'x')
linkSync(join(folder, 'plain.txt'), join(folder, 'plain-too.txt'))

test.each([
  { file_path: 'calls.sqlite' }, { path: 'calls.sqlite-wal' }, { path: 'calls.sqlite-shm' }, { path: 'calls.sqlite-journal' }, { file_path: 'state/passphrase.json' }, { destination: '.claude/settings.json' },
  { moves: [{ source: 'a', newPath: 'routes/a.yaml' }] }, { paths: ['a', 'b', 'routes/b.yaml'] }, { deep: { down: { target: 'routes' } } }, { to: `${homedir()}/.claude.json` }, { uri: `file://${log}` },
  { file: 'other-name' }, { path: 'tools.allow.json' }, { notebook_path: 'x/../routes/a.yaml' }, { output: '.usher/log.sqlite' }, { outputDir: 'routes' },
])('control:human: %j names a file that decides', args => {
  expect(controlFileIn(args, folder, own)).toBeDefined()
})

test.each([
  { file_path: 'src/settings.json' }, { content: 'routes/a.yaml' }, { file_text: 'see\n.usher/log.sqlite' }, { path: 'calls.sqlite.txt' }, { path: 'plain-too.txt' }, { to: 'anna@example.org' }, { query: 'routes' }, { path: 'states/x' }, {},
])('control:human: %j does not', args => {
  expect(controlFileIn(args, folder, own)).toBeUndefined()
})

test.each([
  'echo "" > calls.sqlite-wal', 'rm -rf ./routes', `cp x "${log}"`, 'tee routes/a.yaml', 'sed -i s/a/b/ routes/a.yaml', 'mv a $HOME/.claude.json', 'cat ~/.claude/settings.json', 'ln other-name b; rm ./other-name', 'cd x && echo x >>.usher/log.sqlite', `x=${'state/passphrase.json'} sh`,
])('control:human: a passed command is asked about where it names one: %s', command => {
  expect(controlFileNamed({ command }, folder, own)).toBeDefined()
})

test.each(['ls -la', 'git commit -m "routes are fine"', 'npm test', 'echo state', 'cat plain.txt'])('a command that names none goes on: %s', command => {
  expect(controlFileNamed({ command }, folder, own)).toBeUndefined()
})
