/** The doors beside HTTP: the Unix socket, standard input, the watched folder; and the events that an earlier run accepted and did not come to. */
import { join } from 'node:path'
import { ERROR_CODES, UsherError, type ErrorCode } from '../errors.ts'
import type { CallLog, Clock, Handled } from '../ports.ts'
import type { Event } from '../types.ts'
import type { Closers } from './closers.ts'
import { FolderDoor } from './folder-door.ts'
import type { Front } from './front.ts'
import type { Intake } from './intake.ts'
import { linesDoor } from './lines-door.ts'
import { listenSocket } from './listen.ts'
import type { ServeOptions } from './options.ts'
import type { Spool } from './spool.ts'

export interface DoorParts { readonly intake: Intake, readonly spool: Spool, readonly log: CallLog, readonly clock: Clock, readonly note: (note: string) => void }

/** Ms that answers may take to get out at the end. */
const LAST_WORDS = 2_000

/** Gives the path of the socket. */
export async function openDoors(options: ServeOptions, front: Front, parts: DoorParts, closers: Closers): Promise<string> {
  const { intake, spool, log, clock, note } = parts
  for (const event of spool.pending) void intake.submit(event, 'kept')
  const path = join(front.state, 'usher.sock')
  const socket = await listenSocket(path, { fetch: front.fetch, onRefused: front.metrics.refused })
  closers.add(() => socket.close(LAST_WORDS))
  if (options.folder) {
    const folder = await FolderDoor.open({ folder: options.folder.path, source: options.folder.source, intake, log, clock, onFailed: (file, why) => note(`${file}: ${why}`) })
    closers.add(() => folder.close())
  }
  if (options.lines) {
    const { bytes, source, answer } = options.lines
    void linesDoor(bytes, { source, intake, log, clock }, answer).catch((error: unknown) => note(`standard input ended: ${error instanceof Error ? error.message : String(error)}`))
  }
  if (options.stream) await openStream(options.stream, parts, closers)
  return path
}

/** Where the log is shared too, an event fires once over all machines: each is acknowledged when its outcome is in the log. */
async function openStream(stream: NonNullable<ServeOptions['stream']>, { intake, log, clock, note }: DoorParts, closers: Closers): Promise<void> {
  const [{ openConsumer }, { runSource }] = await Promise.all([import('../fleet/nats.ts'), import('../fleet/source.ts')])
  const { url, consumer: name, inFlight, credentials, prefix, tries, outcomes } = stream
  const consumer = await openConsumer({ url, stream: stream.stream, consumer: name, inFlight, onConnection: state => note(`stream: ${state}`), ...(credentials === undefined ? {} : { credentials }) })
  const handle = async (event: Event): Promise<Handled> => {
    const answer = await intake.submit(event, 'stream')
    if (answer.kind === 'handled') return { eventId: answer.eventId, outcomes: answer.outcomes }
    throw new UsherError(isErrorCode(answer.code) ? answer.code : 'SERVE_FAILED', answer.why)
  }
  const ended = runSource({ consumer, handle, log, clock, prefix, tries, onTrouble: what => note(`stream: ${what}`), ...(outcomes === undefined ? {} : { outcomes }) })
    .catch((error: unknown) => note(`the stream ended: ${error instanceof Error ? error.message : String(error)}`))
  closers.add(async () => { consumer.stop(); await ended; await consumer.close() })
}

function isErrorCode(code: string): code is ErrorCode {
  return (ERROR_CODES as readonly string[]).includes(code)
}
