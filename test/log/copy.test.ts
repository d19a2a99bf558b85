import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { copyLog } from '../../src/log/copy.ts'
import { anchorLine, verifyLog } from '../../src/log/verify.ts'
import { tempLog, wholeCall } from './support/rows.ts'

test('a copy is a whole log with mode 0600, verifies against an anchor taken before, and nothing is overwritten', () => {
  const opened = tempLog()
  wholeCall(opened.log)
  const anchor = anchorLine(opened.file)
  const target = join(opened.dir, 'copy.db')
  copyLog(opened.file, target)
  expect(verifyLog(target, { anchor })).toMatchObject({ kind: 'ok', rows: 6 })
  expect(statSync(target).mode & 0o777).toBe(0o600)
  expect(() => copyLog(opened.file, target)).toThrow(/exists already; name a new file/)
  expect(() => copyLog(opened.file, join(opened.dir, 'none', 'copy.db'))).toThrow(/cannot copy the log to/)
})

test('trace:tamper: while another process writes, the log and a copy of it verify', { timeout: 120_000 }, async () => {
  const opened = tempLog()
  const stateDir = join(opened.dir, 'state')
  wholeCall(opened.log)
  const writer = spawn(process.execPath, [fileURLToPath(new URL('../prove/writer.mjs', import.meta.url)), opened.file, stateDir, 'busy', '100000'], { stdio: 'ignore' })
  onTestFinished(() => { writer.kill('SIGKILL') })
  const rows: number[] = []
  while (rows.length < 20) {
    const verdict = verifyLog(opened.file, { stateDir })
    expect(verdict.kind).toBe('ok')
    if (verdict.rows !== rows.at(-1)) rows.push(verdict.rows)
    await new Promise(resolve => { setTimeout(resolve, 5) })
  }
  const anchor = anchorLine(opened.file)
  copyLog(opened.file, join(opened.dir, 'copy.db'))
  expect(verifyLog(join(opened.dir, 'copy.db'), { anchor }).kind).toBe('ok')
})
