/**
 * A log in PostgreSQL at the command line. Questions are put to a copy of its rows on this machine, brought up to date first; whatever a person
 * writes goes to the log itself.
 */
import type { Command } from 'commander'
import { UsherError } from '../errors.ts'
import { isPostgresUrl } from '../log/address.ts'
import type { LogOptions } from '../log/options.ts'
import type { SqliteLog } from '../log/sqlite.ts'
import type { PostgresLog } from '../log/postgres/log.ts'
import type { Io } from './io.ts'

/** These open the log itself. */
const THEMSELVES: ReadonlySet<string> = new Set(['run', 'serve', 'day', 'verify', 'anchor', 'prune', 'init', 'status', 'pin', 'copy'])
/** These write rows for another process, by a file that both can reach. */
const FILES_ONLY: ReadonlySet<string> = new Set(['proxy', 'pre-tool-use', 'post-tool-use', 'user-prompt-submit', 'install'])

/** The copy -> what it is a copy of. */
const copies = new Map<string, string>()

/** Before a command: its log's address is changed for the copy's. Throws LOG_OPEN_FAILED. */
export async function useCopy(command: Command, io: Io): Promise<void> {
  if (THEMSELVES.has(command.name())) return
  const options = command.opts<{ log?: string, state?: string }>()
  const positional = command.name() === 'replay' ? command.processedArgs.findIndex(value => typeof value === 'string' && isPostgresUrl(value)) : -1
  const url = positional >= 0 ? command.processedArgs[positional] as string : options.log ?? (command.options.some(option => option.long === '--log') ? process.env['USHER_LOG'] : undefined)
  if (url === undefined || !isPostgresUrl(url)) return
  if (FILES_ONLY.has(command.name())) throw new UsherError('BAD_OPTION', `usher ${command.parent?.name() === 'hook' ? 'hook ' : ''}${command.name()} keeps its rows in a file, not in a database; give --log FILE (usher log copy moves them into the fleet's log)`)
  const { mirrorLog } = await import('../log/postgres/mirror.ts')
  const started = Date.now()
  let told = 0
  const { file } = await mirrorLog(url, {
    ...(options.state === undefined ? {} : { stateDir: options.state }),
    onProgress: rows => { if (io.terminal && Date.now() - Math.max(started, told) > 2000) { told = Date.now(); io.err(`copying the fleet's rows: ${rows}`) } },
  })
  copies.set(file, url)
  if (positional >= 0) command.processedArgs[positional] = file
  else command.setOptionValue('log', file)
}

/** For an act of a person: the log itself, also where `file` is a copy. */
export async function writableLog(file: string, options: LogOptions = {}): Promise<SqliteLog | PostgresLog> {
  const { openCallLog } = await import('../log/open.ts')
  return openCallLog(copies.get(file) ?? file, options)
}
