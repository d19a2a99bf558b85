/** Moves a log of one machine into the fleet's, with its proofs: the same bytes, the same hashes, as a writer of its own. */
import { UsherError } from '../../errors.ts'
import { openForReading } from '../connection.ts'
import { headOf, verifyLog } from '../verify.ts'
import { connect, pgError, publicUrl, type PgConnection } from './client.ts'
import { lookupColumns } from './journal.ts'

export interface CopyOptions { readonly stateDir?: string, readonly timeoutMs?: number, readonly onProgress?: (done: number, total: number) => void }
export interface LogCopied { readonly writer: string, readonly rows: number, readonly already: number }

interface Row { readonly seq: number, readonly kind: string, readonly body: string, readonly prev: string, readonly hash: string, readonly text: string | null, readonly data: string | null, readonly salt: string | null }

const PAGE = 1000
const COLUMNS = 'seq, kind, body, prev, hash, text, data, salt, at, event_id, decision_id, call_id, source, sender_id, caused_by, route, tool'
const TYPES = ['bigint', 'text', 'text', 'text', 'text', 'text', 'text', 'text', 'float8', ...Array.from({ length: 8 }, () => 'text')]

/** Goes on where an earlier copy stopped. Throws LOG_INVALID for a log that does not verify, LOG_OPEN_FAILED, LOG_WRITE_FAILED. */
export async function copyToPostgres(file: string, url: string, options: CopyOptions = {}): Promise<LogCopied> {
  const verdict = verifyLog(file, options.stateDir === undefined ? {} : { stateDir: options.stateDir })
  if (verdict.kind === 'broken') throw new UsherError('LOG_INVALID', `${file} does not verify (row ${verdict.first.seq}: ${verdict.first.detail}); a damaged log is not moved: keep the file`)
  const db = openForReading(file)
  const connection = await connect(url, { name: 'usher copy', timeoutMs: options.timeoutMs ?? 60_000 })
  try {
    const { logId: writer } = headOf(db)
    const [there] = await connection.query<{ seq: number, hash: string }>('SELECT seq, hash FROM usher.rows WHERE writer = $1 ORDER BY seq DESC LIMIT 1', [writer])
    const total = Number(db.prepare('SELECT count(*) FROM rows').pluck().get())
    if (there && db.prepare('SELECT hash FROM rows WHERE seq = ?').pluck().get(there.seq) !== there.hash) throw new UsherError('LOG_INVALID', `row ${there.seq} of this log stands in ${publicUrl(url)} with another hash; one of the two was changed`)
    const page = db.prepare(`SELECT seq, kind, body, prev, hash, text, data, salt FROM rows WHERE seq > ? ORDER BY seq LIMIT ${PAGE}`)
    let last = there?.seq ?? 0
    let done = 0
    for (let rows = page.all(last) as Row[]; rows.length > 0; rows = page.all(last) as Row[]) {
      await insertRows(connection, writer, rows)
      last = rows.at(-1)?.seq ?? last
      done += rows.length
      options.onProgress?.(done, total)
    }
    return { writer, rows: done, already: total - done }
  } catch (cause) {
    throw pgError('LOG_WRITE_FAILED', `cannot copy the log to ${publicUrl(url)}`, cause)
  } finally {
    db.close()
    await connection.end()
  }
}

async function insertRows(connection: PgConnection, writer: string, rows: readonly Row[]): Promise<void> {
  const values = rows.map(row => [row.seq, row.kind, row.body, row.prev, row.hash, row.text, row.data, row.salt, ...lookupColumns(row.body)])
  await connection.query(`INSERT INTO usher.rows (writer, ${COLUMNS}) SELECT $1, * FROM unnest(${TYPES.map((type, i) => `$${i + 2}::${type}[]`).join(', ')})`, [writer, ...TYPES.map((_, i) => values.map(row => row[i]))])
}
