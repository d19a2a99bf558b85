import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from '../../src/util/folder.ts'

const place = mkdtempSync(join(tmpdir(), 'usher-folder-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

test('a folder is made for this user only, and one that is there is left as it is', () => {
  const folder = join(place, 'a/b')
  makeFolder(folder, 'LOG_OPEN_FAILED')
  makeFolder(folder, 'LOG_OPEN_FAILED')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('what stands in the way is said in words, with the code that was asked for', () => {
  writeFileSync(join(place, 'file'), '')
  symlinkSync('nowhere', join(place, 'dangling'))
  for (const [path, words] of [['file', 'something that is no folder'], ['file/x', 'folder'], ['dangling', 'folder']] as const) {
    expect(() => makeFolder(join(place, path), 'SERVE_FAILED')).toThrow(expect.objectContaining({ code: 'SERVE_FAILED', message: expect.stringContaining(words) }))
  }
})
