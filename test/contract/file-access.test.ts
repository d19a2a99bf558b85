import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { accessBreaches, foreignFileSystem } from '../../src/contract/file-access.ts'
import { isInReview } from '../../src/contract/review-folder.ts'
import { scratch } from './keys.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

const codes = (file: string, ownMachine = true): readonly string[] => accessBreaches(file, { ownMachine }).map(breach => breach.code)
function file(): string {
  const folder = scratch()
  mkdirSync(join(folder, 'etc'))
  writeFileSync(join(folder, 'etc', 'tools.allow.json'), '{}', { mode: 0o644 })
  return join(folder, 'etc', 'tools.allow.json')
}

describe('contract:human: who may write the rules', () => {
  test('closed: a file of the running user is refused unless the owner says it is their own machine', () => {
    const path = file()
    expect(codes(path, false)).toEqual(['file-writable'])
    expect(accessBreaches(path)[0]?.message).toContain('--i-own-this-machine')
    expect(codes(path)).toEqual([])
  })

  test.skipIf(process.geteuid?.() !== 0)('as root the test is ownership: a file of another user is accepted, and the exception is stated for a file of root', () => {
    const path = file()
    expect(accessBreaches(path)[0]?.message).toContain('as root')
    chownSync(path, 12345, 12345)
    expect(codes(path, false)).toEqual([])
  })

  test('closed: links, loose modes of the file and of any folder above it are refused, also on one\'s own machine', () => {
    const path = file()
    chmodSync(path, 0o664)
    expect(codes(path)).toEqual(['file-mode'])
    chmodSync(path, 0o644)
    chmodSync(join(path, '..'), 0o775)
    expect(codes(path)).toEqual(['folder-writable'])
    chmodSync(join(path, '..'), 0o755)
    chmodSync(join(path, '../..'), 0o777)
    expect(codes(path)).toEqual(['folder-writable'])
    chmodSync(join(path, '../..'), 0o700)
    const link = join(scratch(), 'link.json')
    symlinkSync(path, link)
    expect(codes(link)).toEqual(['file-symlink'])
    const folderLink = join(scratch(), 'etc')
    symlinkSync(join(path, '..'), folderLink)
    expect(codes(join(folderLink, 'tools.allow.json'))).toEqual(['file-symlink'])
  })

  test('closed: a file that is missing, or is a folder, is refused', () => {
    expect(codes(join(scratch(), 'none'))).toEqual(['file-missing'])
    expect(codes(scratch())).toEqual(['file-missing'])
  })

  test.skipIf(!existsSync('/dev/shm') || !foreignFileSystem('/dev/shm'))('decision table: an allowlist on a temporary file system is refused, with what was detected', () => {
    const folder = mkdtempSync('/dev/shm/usher-')
    try {
      writeFileSync(join(folder, 'tools.allow.json'), '{}', { mode: 0o600 })
      expect(codes(join(folder, 'tools.allow.json'))).toEqual(['file-system'])
      expect(accessBreaches(join(folder, 'tools.allow.json'), { ownMachine: true })[0]?.message).toContain('tmpfs')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('a review folder is told by its name, however deep', () => {
    expect(isInReview('/home/a/.usher/review/notes.json')).toBe(true)
    expect(isInReview('/home/a/.usher/review/deep/notes.json')).toBe(true)
    expect(isInReview('/home/a/notes.draft.json')).toBe(true)
    expect(isInReview('/home/a/review/tools.allow.json')).toBe(false)
    expect(isInReview('/home/a/.usher/tools.allow.json')).toBe(false)
  })
})
