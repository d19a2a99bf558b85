/** Which files are meant, and their text. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UsherError } from '../errors.ts'
import { ROUTE_CAPS } from './defaults.ts'
import type { Problem } from './problem.ts'

/** Only these names are read in a folder; sub-folders, where drafts may lie, never are. */
const ROUTE_FILE = /^[^.].*\.ya?ml$/i

/**
 * The files themselves and the route files of the folders, in the order given and then by name, each once. Throws ROUTES_MISSING when a
 * path is not there, or there is no file at all.
 */
export function findRouteFiles(paths: readonly string[]): readonly string[] {
  const found = new Map<string, string>()
  for (const path of paths) {
    for (const file of filesOf(path)) {
      const real = realpathSync(file)
      if (!found.has(real)) found.set(real, file)
    }
  }
  if (found.size === 0) throw new UsherError('ROUTES_MISSING', `no route file (*.yaml, *.yml) in ${paths.map(path => JSON.stringify(path)).join(', ') || 'no path at all'}; write one, or name the folder that has them`)
  if (found.size > ROUTE_CAPS.files) throw new UsherError('ROUTES_INVALID', `${found.size} route files, and ${ROUTE_CAPS.files} are the most; is this the right folder?`)
  return [...found.values()]
}

function filesOf(path: string): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return [path]
    const names = readdirSync(path).filter(name => ROUTE_FILE.test(name)).sort()
    return names.map(name => join(path, name)).filter(file => !statSync(file).isDirectory())
  } catch (cause) {
    throw new UsherError('ROUTES_MISSING', `the path ${JSON.stringify(path)} cannot be read: ${reason(cause)}; check the name and the permissions`, { cause })
  }
}

/** The text, or what is wrong with the file as a whole. */
export function readRouteFile(file: string): { readonly kind: 'text', readonly text: string } | { readonly kind: 'bad', readonly problem: Problem } {
  const bad = (message: string) => ({ kind: 'bad', problem: { file, line: 0, column: 0, message } } as const)
  try {
    const stat = statSync(file)
    if (!stat.isFile()) return bad('is not an ordinary file; name a *.yaml file')
    if (stat.size > ROUTE_CAPS.fileBytes) return bad(`has ${stat.size} bytes, and ${ROUTE_CAPS.fileBytes} are the most; split it`)
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file)) }
  } catch (cause) {
    if (cause instanceof TypeError) return bad('is not valid UTF-8; save it as UTF-8')
    return bad(`cannot be read: ${reason(cause)}`)
  }
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
