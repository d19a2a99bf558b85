import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { alertCommand } from '../../src/cli/alert.ts'
import type { Io } from '../../src/cli/io.ts'
import { effectOf } from '../log/support/rows.ts'

function told() {
  const folder = mkdtempSync(join(tmpdir(), 'usher-alert-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'told.txt')
  return { file, lines: () => existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(line => JSON.parse(line) as { target: string, repeated?: number, untold?: number }) : [] }
}
const errors: string[] = []
const io = { err: (text: string) => { errors.push(text) } } as unknown as Io

test('the effect comes as JSON; the same one again within a minute is counted and not told again', async () => {
  const { file, lines } = told()
  let at = 0
  const alert = alertCommand(`cat >> ${file}`, io, () => at)
  for (let n = 0; n < 5; n++) alert(effectOf({ callId: null, target: '/a' }))
  await expect.poll(() => lines().map(one => one.target), { timeout: 60_000 }).toEqual(['/a'])
  at = 61_000
  alert(effectOf({ callId: null, target: '/a' }))
  await expect.poll(() => lines().at(1), { timeout: 60_000 }).toMatchObject({ target: '/a', repeated: 4 })
})

test('a flood of different effects starts a few commands, and the next one tells how many were left out', async () => {
  const { file, lines } = told()
  const alert = alertCommand(`sleep 1; cat >> ${file}`, io)
  for (let n = 0; n < 500; n++) alert(effectOf({ callId: null, target: `/a${n}` }))
  await expect.poll(() => lines().length, { timeout: 60_000 }).toBe(8)
  await expect.poll(() => { alert(effectOf({ callId: null, target: '/last' })); return lines().find(one => one.target === '/last') }, { timeout: 60_000 }).toMatchObject({ untold: 492 })
  expect(errors).toEqual([])
})
