/** The files that decide what may happen, from an agent's tools: its own settings and hooks, and what Usher reads. A person changes them (`control:human`). */
import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '../../types.ts'
import { isRecord } from '../../util/records.ts'
import { realPath, within } from '../../util/real-path.ts'

/** Names of arguments that name a file, as runtimes' and servers' writing tools have them, at any depth: `file_path`, `destination`, `paths[0]`, `edits[1].newPath`. */
const PATH_KEY = /path|file|dest|target|folder|director|locat|(?:dir|uri|link|src|dst)$|(?:^|[_-])(?:to|from|source|out|output)$/i
const SETTINGS = /^settings(?:\.[\w-]+)?\.json$/i
/** Beside a log lie files that are part of it. */
const PART_OF_LOG = /-(?:wal|shm|journal)$/
const OWN_NAMES: ReadonlySet<string> = new Set(['.claude.json', 'tools.allow.json'])
/** Values looked at. */
const MOST = 10_000
/** `file_text` and the like hold what goes into a file. */
const LONGEST = 4096

/** @param own files and folders of Usher's: routes, contracts, tools modules, the log, the state folder */
export function controlFileIn(args: JsonObject, cwd: string, own: readonly string[]): string | undefined {
  return pathsIn(args).find(path => isControlPath(path, cwd, own))
}

/**
 * A control file that the text of a shell command names, by a word of it: quotes, `~` and `$HOME` are read, what a shell makes of variables and patterns is not. That
 * a command only reads it cannot be told from here.
 */
export function controlFileNamed(args: JsonObject, cwd: string, own: readonly string[]): string | undefined {
  const command = Object.hasOwn(args, 'command') && typeof args['command'] === 'string' ? args['command'] : ''
  const words = command.replace(/["'\\]/g, '').split(/[\s;|&()<>=`]+/).filter(word => word !== '').slice(0, MOST)
  return words.map(word => word.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, homedir())).find(word => /[/.]/.test(word) && isControlPath(word, cwd, own))
}

function pathsIn(args: JsonObject): readonly string[] {
  const found: string[] = []
  const todo: { readonly key: string, readonly value: unknown }[] = [{ key: '', value: args }]
  for (let looked = 0; todo.length > 0 && looked < MOST; looked++) {
    const { key, value } = todo.pop() ?? { key: '', value: undefined }
    if (typeof value === 'string') { if (PATH_KEY.test(key) && value.length <= LONGEST && !value.includes('\n')) found.push(value) }
    else if (Array.isArray(value)) todo.push(...value.slice(0, MOST).map(inner => ({ key, value: inner as unknown })))
    else if (isRecord(value)) todo.push(...Object.entries(value).map(([name, inner]) => ({ key: name, value: inner as unknown })))
  }
  return found
}

function isControlPath(text: string, cwd: string, own: readonly string[]): boolean {
  const path = resolve(cwd, fromUrl(text))
  return isControl(path, own) || isControl(realPath(path), own) || isAnotherName(path, own)
}

function fromUrl(text: string): string {
  if (!/^file:\/\//i.test(text)) return text
  try { return fileURLToPath(text) } catch { return text }
}

function isControl(whole: string, own: readonly string[]): boolean {
  const path = whole.replace(PART_OF_LOG, '')
  const name = basename(path).toLowerCase()
  const parts = path.split(/[\\/]/).map(part => part.toLowerCase())
  if (parts.includes('.usher') || name.startsWith('.mcp.json') || OWN_NAMES.has(name)) return true
  if (parts.includes('.claude') && (SETTINGS.test(name) || parts.includes('hooks'))) return true
  return own.some(one => within(resolve(one), path) || within(realPath(resolve(one)), path))
}

/** A hard link to one of the files. */
function isAnotherName(path: string, own: readonly string[]): boolean {
  const file = statSync(path, { throwIfNoEntry: false, bigint: true })
  if (!file?.isFile() || file.nlink < 2n) return false
  return own.some(one => {
    const other = statSync(one, { throwIfNoEntry: false, bigint: true })
    return other?.dev === file.dev && other.ino === file.ino
  })
}
