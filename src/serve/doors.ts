/** The doors beside HTTP: the Unix socket, standard input, the watched folder; and the events that an earlier run accepted and did not come to. */
import { join } from 'node:path'
import type { CallLog, Clock } from '../ports.ts'
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
  return path
}
