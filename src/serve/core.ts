/** The queue before the router, what it keeps on disk, and the log as it is read. */
import { join } from 'node:path'
import type { Usher } from '../assemble.ts'
import { isPostgresUrl } from '../log/address.ts'
import { openLogReader, type LogReader } from '../log/reader.ts'
import type { Clock } from '../ports.ts'
import type { Closers } from './closers.ts'
import { firstOutcomes } from './first-outcome.ts'
import { capacityOf, type Front } from './front.ts'
import { Intake } from './intake.ts'
import type { ServeOptions } from './options.ts'
import { Spool } from './spool.ts'

/** Ms between two looks at a log in a database, for the page. */
const COPY_MS = 1000

export interface Core { readonly intake: Intake, readonly spool: Spool, readonly reader: LogReader, readonly first: (source: string, id: string) => ReturnType<typeof firstOutcomes> }

/** A log in a database is read from a copy on this machine, which is brought up to date all the time. */
export async function readable(log: string, state: string, closers: Closers): Promise<{ readonly file: string, readonly refresh: () => Promise<void> }> {
  if (!isPostgresUrl(log)) return { file: log, refresh: async () => undefined }
  const { keepMirror } = await import('../log/postgres/mirror.ts')
  const mirror = keepMirror(log, { stateDir: state })
  let running: Promise<string> | undefined
  const refresh = (): Promise<string> => running ??= mirror.refresh().then(({ file }) => file).finally(() => { running = undefined })
  closers.add(async () => { await running?.catch(() => undefined); await mirror.close() })
  const file = await refresh()
  // A look that fails is made up for by the next one; the page says how old its newest row is.
  const timer = setInterval(() => { refresh().catch(() => undefined) }, COPY_MS).unref()
  closers.add(() => clearInterval(timer))
  return { file, refresh: async () => { await refresh() } }
}

export function openCore(options: ServeOptions, front: Front, usher: Usher, readable: { readonly file: string, readonly refresh: () => Promise<void> }, clock: Clock, closers: Closers): Core {
  const reader = openLogReader(readable.file, { recover: !isPostgresUrl(options.log) })
  closers.add(() => reader.close())
  const spool = new Spool(join(front.state, 'accepted.jsonl'))
  closers.add(() => spool.close())
  const first = async (source: string, id: string) => { await readable.refresh(); return firstOutcomes(usher.log, reader.db, source, id) }
  const intake = new Intake({
    handle: event => usher.handle(event), first, clock, capacity: capacityOf(options),
    onDone: (event, door, answer, ms) => {
      front.metrics.event(event.source, door, answer.kind === 'handled' ? answer.outcomes.map(outcome => outcome.kind) : ['not-handled'], ms / 1000)
      if (answer.kind === 'handled') spool.done(event)
    },
  })
  return { intake, spool, reader, first }
}
