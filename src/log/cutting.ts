/** What retention and redaction share: the triggers off for a moment inside a transaction, and a checkpoint row that says what was done. */
import { checkpointBytes } from './checkpoint-bytes.ts'
import type { CheckpointDetail } from './checkpoints.ts'
import type { Db } from './db.ts'
import type { PendingRow } from './rows.ts'
import { TRIGGERS } from './schema.ts'
import type { Secrets } from './secrets.ts'
import { serialise } from './serialise.ts'

/** Inside a transaction only: nobody else ever sees the log without its trigger. */
export function withoutTrigger(db: Db, name: string, work: () => void): void {
  db.exec(`DROP TRIGGER ${name}`)
  work()
  db.exec(TRIGGERS.get(name) ?? '')
}

/** With a keyed hash: otherwise whoever can write the file could take rows out and chain on a checkpoint that excuses it. */
export function checkpointRow(act: string, about: string, detail: CheckpointDetail, at: number, secrets: Secrets): PendingRow {
  const mac = secrets.digest('checkpoint-v1', checkpointBytes(act, about, detail, at))
  return { kind: 'checkpoint', body: serialise({ who: 'usher', act, about, detail, at, keyId: secrets.keyId, mac }) }
}

/** What was taken out must not stay in the write-ahead log either. False when a reader held it; the next checkpoint does it then. */
export function emptyWal(db: Db): boolean {
  const [result] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
  return result?.busy === 0
}
