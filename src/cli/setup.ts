/** What the commands share: where the log, the routes and the tools are, unless the owner says otherwise. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { UsherError } from '../errors.ts'
import { isPostgresUrl } from '../log/address.ts'
import { defaultStateDir } from '../log/state.ts'
import type { Tool } from '../types.ts'
import { makeFolder } from '../util/folder.ts'

/** Git-ignored, in the folder where the command runs. */
export const DEFAULT_LOG = '.usher/log.sqlite'

/** Trigger vectors are kept beside the default log, for every command. */
export function cacheFolder(): string {
  return resolve(`${DEFAULT_LOG}.cache`)
}

/** Where the log is, or would be. */
export function logPath(option: string | undefined): string {
  return resolve(option ?? (process.env['USHER_LOG'] || DEFAULT_LOG))
}

/** Makes the folder of a log that is to be written. */
export function logFile(option: string | undefined): string {
  const location = option ?? (process.env['USHER_LOG'] || DEFAULT_LOG)
  if (isPostgresUrl(location)) return location
  const file = resolve(location)
  makeFolder(dirname(file), 'LOG_OPEN_FAILED')
  return file
}

/** Where the example tools keep their files: beside the log, or in the state folder where that is in a database. */
export function besideLog(log: string, state: string = defaultStateDir()): string {
  if (!isPostgresUrl(log)) return dirname(log)
  makeFolder(resolve(state), 'BAD_OPTION')
  return resolve(state)
}

/** The log that a question is put to. Throws LOG_OPEN_FAILED where there is none: an empty answer would be a false one. */
export function existingLog(option: string | undefined): string {
  const file = resolve(option ?? (process.env['USHER_LOG'] || DEFAULT_LOG))
  if (!existsSync(file)) throw new UsherError('LOG_OPEN_FAILED', `there is no log at ${file}; name one with --log, or make one with "npm start" or "usher run"`)
  return file
}

/** The folder `routes` here, else the example routes of the package. */
export function routesFolder(option: readonly string[] | undefined): readonly string[] {
  if (option && option.length > 0) return option
  return [existsSync('routes') ? 'routes' : fileURLToPath(new URL('../../routes', import.meta.url))]
}

export interface ToolOptions {
  readonly tools?: string
  /** Use the desktop's own opener; default: a stand-in that only writes down what would have been opened. */
  readonly realOpener?: boolean
  /** Where the example tools keep their files. */
  readonly folder: string
  readonly consoleAddress: string
  /** An address that lets a browser in, once; default: the page's own. */
  readonly openAddress?: () => string
  /** Told when a timer is over. */
  readonly ring?: (name: string) => void
}

/** The owner's module (default export: tools, or a function that makes them), else the example tools. */
export async function loadTools(options: ToolOptions): Promise<readonly Tool[]> {
  if (!options.tools) {
    const [{ desktopOpener, recordingOpener }, { exampleTools }] = await Promise.all([import('../example/opener.ts'), import('../example/tools.ts')])
    const opener = options.realOpener ? desktopOpener() : recordingOpener(resolve(options.folder, 'opened.txt'))
    return exampleTools({ folder: resolve(options.folder, 'notes'), opener, consoleAddress: options.consoleAddress, ...(options.openAddress ? { openAddress: options.openAddress } : {}), ...(options.ring ? { ring: options.ring } : {}) })
  }
  const file = resolve(options.tools)
  const bad = (what: string, cause?: unknown) => new UsherError('TOOLS_MODULE_INVALID', `${file}: ${what}; a tools module's default export is an array of defineTool(...) tools, or a function that returns one`, { cause })
  if (!existsSync(file)) throw bad('there is no such file')
  let module: { default?: unknown }
  try {
    module = await import(pathToFileURL(file).href) as { default?: unknown }
  } catch (cause) {
    throw bad(`it does not load: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
  }
  const made = typeof module.default === 'function' ? await (module.default as () => unknown)() : module.default
  if (!Array.isArray(made) || !made.every(isTool)) throw bad('its default export is something else')
  return made
}

function isTool(value: unknown): value is Tool {
  return typeof value === 'object' && value !== null && 'name' in value && 'visible' in value && 'run' in value && typeof value.run === 'function'
}
