/** The sources, for tests that read them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Files below a folder of the project, as paths from the root with `/`. */
export function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith(ending))
    .map(entry => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(file => !file.includes('node_modules/'))
    .sort()
}

export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
export const SOURCES: readonly string[] = filesBelow('src', '.ts')
export const TESTS: readonly string[] = filesBelow('test', '.ts')
