/** Files that decide: a change behind a running command's back halts auto-invocation. Who else may write them: test/cli/control-guard.test.ts. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { scratch } from '../cli/usher.ts'

const ROUTES = 'version: 1\nroutes:\n  - name: note\n    tool: append_note\n    triggers: ["take a note: {text:rest}"]\n    allow: [fs.write]\n'
let place: ReturnType<typeof scratch>
let file: string
beforeEach(() => {
  place = scratch()
  mkdirSync(join(place.folder, 'routes'), { mode: 0o755 })
  file = join(place.folder, 'routes/a.yaml')
  writeFileSync(file, ROUTES)
})
afterEach(() => place.remove())

test('control:human: a route file that changes while events come halts everything, until a person resumes', async () => {
  const child = place.start(['run', '--source', 'user', '--no-reader', '--json'])
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => { out += chunk.toString() })
  const outcomes = () => out.trim().split('\n').filter(line => line !== '').map(line => (JSON.parse(line) as { outcomes: { kind: string, reason: string }[] }).outcomes[0])
  const said = async (text: string, count: number) => {
    child.stdin.write(`${JSON.stringify({ text })}\n`)
    await expect.poll(outcomes, { timeout: 60_000 }).toHaveLength(count)
    return outcomes().at(-1)
  }
  expect(await said('take a note: one', 1)).toMatchObject({ kind: 'called' })
  appendFileSync(file, '    from: [user, webhook]\n')
  expect(await said('take a note: two', 2)).toMatchObject({ kind: 'stopped', reason: 'halted' })
  expect(await said('take a note: three', 3)).toMatchObject({ kind: 'stopped', reason: 'halted' })
  child.stdin.end()
  await new Promise(resolve => { child.on('close', resolve) })
  expect(place.run(['stop', '--status'])).toMatchObject({ status: 1, stdout: expect.stringContaining('is not the file that was loaded') })
  expect(place.run(['resume', '--as', 'alice'])).toMatchObject({ status: 0 })
  expect(place.run(['run', '--source', 'user', '--no-reader', '--json'], '{"text":"take a note: four"}\n').lines()).toMatchObject([{ outcomes: [{ kind: 'called' }] }])
})
