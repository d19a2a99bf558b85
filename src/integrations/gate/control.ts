/** The files that decide what may happen, from an agent's tools: its own settings and hooks, and what Usher reads. A person changes them (`control:human`). */
import { basename, resolve } from 'node:path'
import type { JsonObject } from '../../types.ts'
import { realPath, within } from '../../util/real-path.ts'

/** Arguments of runtimes' writing tools that name the file. */
const PATH_KEYS = ['file_path', 'notebook_path', 'path', 'filePath', 'file']
const SETTINGS = /^settings(?:\.[\w-]+)?\.json$/i

/** @param own files and folders of Usher's: routes, contracts, tools modules, the log */
export function controlFileIn(args: JsonObject, cwd: string, own: readonly string[]): string | undefined {
  const paths = PATH_KEYS.flatMap(key => Object.hasOwn(args, key) && typeof args[key] === 'string' ? [args[key]] : [])
  return paths.find(path => isControl(resolve(cwd, path), own) || isControl(realPath(resolve(cwd, path)), own))
}

function isControl(path: string, own: readonly string[]): boolean {
  const parts = path.split(/[\\/]/).map(part => part.toLowerCase())
  if (parts.includes('.usher') || basename(path).toLowerCase().startsWith('.mcp.json')) return true
  if (parts.includes('.claude') && (SETTINGS.test(basename(path)) || parts.includes('hooks'))) return true
  return own.some(one => within(resolve(one), path) || within(realPath(resolve(one)), path))
}
