/** Options of the log, checked once at the door. */
import { UsherError } from '../errors.ts'
import type { Clock } from '../ports.ts'
import { defaultStateDir } from './state.ts'

export interface LogOptions {
  /** Folder for what must not lie in the log: the masking key and the anchors. Default: `defaultStateDir()`. */
  readonly stateDir?: string
  /** Ms to wait for another process's lock before LOG_WRITE_FAILED. Default 5000. The event loop waits with it. */
  readonly busyTimeoutMs?: number
  /** Ms that rows which call nothing may wait for company, 0 to 100. Default 50. */
  readonly groupCommitMs?: number
  /** Default: the system's. */
  readonly clock?: Clock
  /** Runs the log's own file writes (anchors), so that an effects observer can tell them from the host's. Default: runs them plainly. */
  readonly background?: <T>(name: string, work: () => T) => T
  /** SQLite's max_page_count, for a log that must not grow beyond a size. Default: none. */
  readonly maxPages?: number
}

const NAMES = ['stateDir', 'busyTimeoutMs', 'groupCommitMs', 'clock', 'background', 'maxPages']

export type ResolvedLogOptions = Required<Omit<LogOptions, 'maxPages'>> & { readonly maxPages: number | undefined }

/** Throws BAD_OPTION. */
export function resolveLogOptions(options: LogOptions): ResolvedLogOptions {
  for (const name of Object.keys(options)) if (!NAMES.includes(name)) throw new UsherError('BAD_OPTION', `unknown log option ${JSON.stringify(name)}; known: ${NAMES.join(', ')}`)
  const resolved = {
    stateDir: options.stateDir ?? defaultStateDir(), busyTimeoutMs: options.busyTimeoutMs ?? 5000, groupCommitMs: options.groupCommitMs ?? 50,
    clock: options.clock ?? { now: () => Date.now() }, background: options.background ?? ((_name, work) => work()), maxPages: options.maxPages,
  }
  check('busyTimeoutMs', resolved.busyTimeoutMs, 0, 60_000)
  check('groupCommitMs', resolved.groupCommitMs, 0, 100)
  if (resolved.maxPages !== undefined) check('maxPages', resolved.maxPages, 1, 2 ** 31)
  return resolved
}

function check(name: string, value: number, min: number, max: number): void {
  if (!(value >= min && value <= max)) throw new UsherError('BAD_OPTION', `${name} must be from ${min} to ${max}, got ${value}`)
}
