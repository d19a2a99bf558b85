/**
 * A call may show that a word in its event's text is a secret, after the text was written. The text is masked then, and a checkpoint row says
 * which; the free pages and the WAL lose it too.
 */
import { randomBytes } from 'node:crypto'
import { contentHash } from './chain.ts'
import type { CheckpointDetail } from './checkpoints.ts'
import { checkpointRow, emptyWal, withoutTrigger } from './cutting.ts'
import type { Db } from './db.ts'
import type { Journal } from './journal.ts'
import { fromPlain, toPlain } from './plain.ts'
import type { Secrets } from './secrets.ts'

interface Content { readonly seq: number, readonly text: string | null, readonly data: string | null }

/** Masks what is known as secret by now. Throws LOG_WRITE_FAILED: then the call must not run either. */
export function redactEvent(db: Db, journal: Journal, secrets: Secrets, eventId: string, now: number): void {
  const rows = db.prepare('SELECT seq, text, data FROM rows WHERE kind = \'event\' AND event_id = ?').all(toPlain(eventId)) as Content[]
  const changed = rows.flatMap(row => {
    const text = row.text === null ? null : toPlain(secrets.scrub(fromPlain(row.text)))
    const data = row.data === null ? null : secrets.scrubJson(row.data)
    return text === row.text && data === row.data ? [] : [{ seq: row.seq, text, data, salt: randomBytes(12).toString('hex') }]
  })
  if (changed.length === 0) return
  journal.within(append => {
    withoutTrigger(db, 'rows_no_update', () => {
      const update = db.prepare('UPDATE rows SET text = ?, data = ?, salt = ? WHERE seq = ?')
      for (const row of changed) update.run(row.text, row.data, row.salt, row.seq)
    })
    const detail: CheckpointDetail = { redacted: changed.map(row => ({ seq: row.seq, contentHash: contentHash(row.salt, row.text, row.data) })) }
    append([checkpointRow('redact', eventId, detail, now, secrets)])
  })
  emptyWal(db)
}
