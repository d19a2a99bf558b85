/** What retention and redaction share: the triggers off for a moment inside a transaction, and a checkpoint row that says what was done. */
import type { CheckpointDetail } from './checkpoints.ts'
import type { Db } from './db.ts'
import type { PendingRow } from './rows.ts'
import { TRIGGERS } from './schema.ts'
import { serialise } from './serialise.ts'

/** Inside a transaction only: nobody else ever sees the log without its trigger. */
export function withoutTrigger(db: Db, name: string, work: () => void): void {
  db.exec(`DROP TRIGGER ${name}`)
  work()
  db.exec(TRIGGERS.get(name) ?? '')
}

export function checkpointRow(act: string, about: string, detail: CheckpointDetail, at: number): PendingRow {
  return { kind: 'checkpoint', body: serialise({ who: 'usher', act, about, detail, at }) }
}

/** What was taken out must not stay in the write-ahead log either. False when a reader held it; the next checkpoint does it then. */
export function emptyWal(db: Db): boolean {
  const [result] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
  return result?.busy === 0
}
