import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { tempDir } from '../log/support/rows.ts'
import { durability, readStrace } from './syscalls.ts'

const WORKLOAD = fileURLToPath(new URL('workload.mjs', import.meta.url))
const CALLS = 10

/** Why strace cannot be used here; undefined: it can. In a container it may be installed and not allowed. */
function noStrace(): string | undefined {
  const tried = spawnSync('strace', ['-o', '/dev/null', 'true'])
  return tried.error ? 'strace is not installed' : tried.status === 0 ? undefined : 'strace may not trace here'
}

test('trace:before: below SQLite, the sync of the log returned before each handler\'s first effect', { timeout: 120_000 }, ctx => {
  const missing = noStrace()
  if (missing) ctx.skip(missing)
  const dir = tempDir()
  const witnessDir = join(dir, 'witness')
  mkdirSync(witnessDir)
  const out = join(dir, 'trace.txt')
  execFileSync('strace', ['-f', '-s', '8192', '-e', 'trace=openat,write,pwrite64,fsync,fdatasync', '-o', out, process.execPath, WORKLOAD, join(dir, 'log.db'), join(dir, 'state'), witnessDir, 'traced', String(CALLS)])
  const result = durability(readStrace(readFileSync(out, 'utf8')), join(dir, 'log.db-wal'), witnessDir)
  expect(result.effects.length).toBe(CALLS)
  expect(result.early).toEqual([])
  expect(result.syncs).toBeGreaterThanOrEqual(CALLS)
})

const ROW = (callId: string) => `pwrite64(19, "..{\\"by\\":\\"router\\",\\"callId\\":\\"${callId}\\"}..", 4096, 32) = 4096`
const TRACE = [
  '7 openat(AT_FDCWD, "/d/log.db-wal", O_RDWR|O_CREAT, 0600) = 19',
  `7 ${ROW('one')}`,
  '7 fdatasync(19 <unfinished ...>', '8 write(1, ""..., 5) = 5', '7 <... fdatasync resumed>)             = 0',
  '7 openat(AT_FDCWD, "/d/witness/one", O_WRONLY|O_CREAT, 0666) = 21',
]

test('the reading of a trace sees a sync that came in two halves', () => {
  expect(durability(readStrace(TRACE.join('\n')), '/d/log.db-wal', '/d/witness')).toEqual({ early: [], syncs: 1, effects: ['one'] })
})

test('the reading of a trace sees an effect before the sync, after a failed one, after one of another file, and one with no row of its own', () => {
  const early = (lines: readonly string[]) => durability(readStrace(lines.join('\n')), '/d/log.db-wal', '/d/witness').early
  expect(early(TRACE.filter(line => !line.includes('fdatasync')))).toEqual(['one'])
  expect(early(TRACE.map(line => line.replace('= 0', '= -1 EIO (Input/output error)')))).toEqual(['one'])
  expect(early(TRACE.map(line => line.replace('fdatasync(19', 'fdatasync(18')))).toEqual(['one'])
  expect(early([...TRACE, '7 openat(AT_FDCWD, "/d/witness/two", O_WRONLY|O_CREAT, 0666) = 21'])).toEqual(['two'])
  expect(early([...TRACE, `7 ${ROW('two')}`, '7 openat(AT_FDCWD, "/d/witness/two", O_WRONLY|O_CREAT, 0666) = 21'])).toEqual(['two'])
})
