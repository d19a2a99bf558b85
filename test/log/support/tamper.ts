/** What somebody with the file and sqlite3 could do: triggers off, rows changed, triggers back on. */
import { createHash } from 'node:crypto'
import { openDatabase, type Db } from '../../../src/log/db.ts'
import { TRIGGERS } from '../../../src/log/schema.ts'

export function tamper(file: string, work: (db: Db) => void): void {
  const db = openDatabase(file, { timeout: 1000 })
  try {
    for (const name of TRIGGERS.keys()) db.exec(`DROP TRIGGER ${name}`)
    work(db)
    for (const sql of TRIGGERS.values()) db.exec(sql)
  } finally {
    db.close()
  }
}

/** Chains everything anew from a row on, as a patient forger would; written apart from the log's own code. */
export function rechain(db: Db, from: number): void {
  const rows = db.prepare('SELECT seq, kind, body FROM rows WHERE seq >= ? ORDER BY seq').all(from) as { seq: number, kind: string, body: string }[]
  let prev = db.prepare('SELECT hash FROM rows WHERE seq = ?').pluck().get(from - 1) as string
  for (const { seq, kind, body } of rows) {
    const hash = createHash('sha256').update(JSON.stringify(['usher-log-row-v1', seq, kind, body, prev])).digest('hex')
    db.prepare('UPDATE rows SET prev = ?, hash = ? WHERE seq = ?').run(prev, hash, seq)
    prev = hash
  }
}
