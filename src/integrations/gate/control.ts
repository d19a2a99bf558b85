/** The files that decide what may happen, from an agent's tools: its own settings and hooks, and what Usher reads. A person changes them (`control:human`). */
import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { JsonObject } from '../../types.ts'

/** Arguments of runtimes' writing tools that name the file. */
const PATH_KEYS = ['file_path', 'notebook_path', 'path', 'filePath', 'file']
const SETTINGS = /^settings(?:\.[\w-]+)?\.json$/i

/** @param own files and folders of Usher's: routes, contracts, tools modules, the log */
export function controlFileIn(args: JsonObject, cwd: string, own: readonly string[]): string | undefined {
  const paths = PATH_KEYS.flatMap(key => Object.hasOwn(args, key) && typeof args[key] === 'string' ? [args[key]] : [])
  return paths.find(path => isControl(resolve(cwd, path), own) || isControl(real(resolve(cwd, path)), own))
}

function isControl(path: string, own: readonly string[]): boolean {
  const parts = path.split(/[\\/]/).map(part => part.toLowerCase())
  if (parts.includes('.usher') || basename(path).toLowerCase().startsWith('.mcp.json')) return true
  if (parts.includes('.claude') && (SETTINGS.test(basename(path)) || parts.includes('hooks'))) return true
  return own.some(one => within(resolve(one), path) || within(real(resolve(one)), path))
}

function within(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!way.startsWith('..') && !isAbsolute(way))
}

/** Through links, as far as the path exists: a link into the routes is the routes. */
function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(real(parent), basename(path))
  }
}
