/** Where tests keep contracts, which are refused on a temporary file system: the system's temporary folder where that is a disk, else /var/tmp, else the checkout's own ignored folder. */
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { foreignFileSystem } from '../../src/contract/file-access.ts'
import { ROOT } from '../rules/source-files.ts'

export function localFolder(): string {
  for (const folder of [tmpdir(), '/var/tmp']) if (existsSync(folder) && !foreignFileSystem(folder)) return folder
  const folder = join(ROOT, '.usher', 'tests')
  mkdirSync(folder, { recursive: true })
  return folder
}
