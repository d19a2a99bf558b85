/** `usher log`: what was decided, newest last; `--follow` goes on with what comes. */
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { followLog } from '../../log/follow.ts'
import { queryLog, type LogEntry, type LogFilter } from '../../log/query.ts'
import { openLogReader } from '../../log/reader.ts'
import type { LogRecord } from '../../log/records.ts'
import { isSource } from '../../ingest/source.ts'
import type { OutcomeKind } from '../../types.ts'
import { capped } from '../../util/mask.ts'
import { OUTCOMES } from '../../vocabulary/outcomes.ts'
import type { Io } from '../io.ts'
import { row } from '../log-page.ts'
import { outcomeStyle } from '../outcome-style.ts'
import { existingLog } from '../setup.ts'
import { registerCopy } from './fleet.ts'
import { sinceOption } from '../since.ts'
import { table } from '../table.ts'

interface LogOptions { log?: string, since?: string, until?: string, outcome?: string, tool?: string, route?: string, source?: string, limit: string, follow?: true, json?: true }

export function registerLog(program: Command, io: Io): void {
  const command = program.command('log')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--since <when>', 'a duration (90m, 7d), a date, or "today"')
    .option('--until <when>', 'the same, for the end')
    .option('--outcome <kind>', `one of ${Object.keys(OUTCOMES).join(', ')}`)
    .option('--tool <name>', 'of this tool')
    .option('--route <name>', 'of this route')
    .option('--source <name>', 'of this source; "chat" finds "chat:alice" too')
    .option('--limit <n>', 'the newest so many', '100')
    .option('--follow', 'go on with what comes')
    .option('--json', 'one JSON line each')
    .addHelpText('after', `
Examples:
  $ usher log --since today
  $ usher log --outcome called --tool append_note
  $ usher log --source notification --outcome source-blocked --json
  $ usher log --follow`)
    .action(async (options: LogOptions) => {
      const reader = openLogReader(existingLog(options.log))
      try {
        const entries = queryLog(reader, filterOf(options))
        if (options.json) for (const entry of entries) io.out(JSON.stringify(entry))
        else io.out(entries.length === 0 ? 'nothing in the log fits' : entryTable(io, entries))
        if (options.follow) await follow(io, reader, options)
      } finally {
        reader.close()
      }
    })
  registerCopy(command, io)
}

function filterOf(options: LogOptions): LogFilter {
  const limit = Number(options.limit)
  if (!(Number.isInteger(limit) && limit > 0)) throw new UsherError('BAD_OPTION', `--limit must be a whole number above 0, got ${JSON.stringify(options.limit)}`)
  if (options.outcome !== undefined && !Object.hasOwn(OUTCOMES, options.outcome)) throw new UsherError('BAD_OPTION', `--outcome must be one of ${Object.keys(OUTCOMES).join(', ')}, got ${JSON.stringify(options.outcome)}`)
  if (options.source !== undefined && !isSource(options.source)) throw new UsherError('BAD_OPTION', `--source must be a name like "user" or "chat:alice", got ${JSON.stringify(options.source)}`)
  return {
    limit,
    ...(options.since === undefined ? {} : { since: sinceOption(options.since) }), ...(options.until === undefined ? {} : { until: sinceOption(options.until, '--until') }),
    ...(options.outcome === undefined ? {} : { outcome: options.outcome as OutcomeKind }), ...(options.tool === undefined ? {} : { tool: options.tool }),
    ...(options.route === undefined ? {} : { route: options.route }), ...(options.source === undefined ? {} : { source: options.source }),
  }
}

export function entryTable(io: Io, entries: readonly LogEntry[]): string {
  const rows = entries.map(entry => {
    const { at, source, text, outcome, tool, why } = row(entry)
    return [at.replace('T', ' ').slice(0, 19), source, capped(text, 120), outcome, tool, why, entry.call?.call.callId ?? entry.decision?.decisionId ?? entry.event?.eventId ?? '']
  })
  return table(io, ['time (UTC)', 'source', 'text', 'outcome', 'tool', 'why', 'id'], rows, [19, 13, 36, 15, 16, 'rest', 18],
    (index, column, cell) => column === 3 && entries[index] && entries[index].outcome !== 'in-flight' ? io.paint(outcomeStyle(entries[index].outcome), cell) : cell)
}

async function follow(io: Io, reader: ReturnType<typeof openLogReader>, options: LogOptions): Promise<void> {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  for await (const record of followLog(reader, { signal: stop.signal })) io.out(options.json ? JSON.stringify(record) : recordLine(record))
}

function recordLine({ kind, row: record }: LogRecord): string {
  const at = new Date(record.at).toISOString().slice(11, 19)
  switch (kind) {
    case 'event': return `${at}  event     ${record.source}  ${capped(record.text ?? '(dropped)', 120)}`
    case 'decision': return `${at}  decision  ${record.kind}${record.tool ? `  ${record.tool}` : ''}  ${record.why}`
    case 'call': return `${at}  call      ${record.tool}  ${JSON.stringify(record.args)}  by ${record.by}  ${record.callId}`
    case 'outcome': return `${at}  outcome   ${record.kind}  ${record.why}  ${record.callId}`
    case 'effect': return `${at}  effect    ${record.kind} ${record.target}${record.blocked ? ' (stopped)' : ''}  ${record.callId ?? record.background ?? 'no call'}`
    case 'act': return `${at}  act       ${record.who}: ${record.act} ${record.about}`
    default: return kind satisfies never
  }
}
