/**
 * One writer's chain in PostgreSQL. What comes while a transaction runs goes into the next one, so a flood costs few flushes of the disk.
 *
 * After a lost connection nobody knows whether the last batch was committed: the chain in the database says so, and rows that are not there
 * are written again. A call whose row could not be confirmed was refused; if its row turns out to be there, its outcome says that it never ran.
 */
import { UsherError } from '../../errors.ts'
import { GENESIS_PREV, rowHash } from '../chain.ts'
import { bodyText } from '../journal.ts'
import type { PendingRow } from '../rows.ts'
import { pgError, publicUrl, sqlState, type PgConnection } from './client.ts'
import { holdWriter, openAgain, openSession, type SessionOptions } from './session.ts'

export interface Head { readonly seq: number, readonly hash: string }

/** Rows that belong together. `guard` runs inside the transaction and may refuse them: then none of them is written, and the others are. */
interface Item {
  /** Asked for when the transaction writes them: a guard that refused a call changes what its decision says. */
  readonly rows: () => readonly PendingRow[]
  readonly guard?: (connection: PgConnection) => Promise<void>
  /** A call's: refused when it cannot be confirmed at once, and never written later. */
  readonly call?: string
  readonly done: (error?: unknown) => void
}

interface Chained { readonly seq: number, readonly kind: string, readonly body: string, readonly prev: string, readonly hash: string, readonly row: PendingRow }

export class PgJournal {
  readonly #options: SessionOptions
  #connection: PgConnection
  #head: Head
  #queue: Item[] = []
  #working: Promise<void> | undefined
  #uncertain: { readonly items: readonly Item[], readonly last: Head } | undefined
  #reconnecting: Promise<void> | undefined
  #closed = false
  /** Calls that were refused, and whose rows turned out to be written. */
  readonly #onPhantom: (callId: string) => void

  private constructor(connection: PgConnection, options: SessionOptions, head: Head, onPhantom: (callId: string) => void) {
    this.#connection = connection
    this.#options = options
    this.#head = head
    this.#onPhantom = onPhantom
  }

  /** Throws LOG_OPEN_FAILED or LOG_VERSION. */
  static async open(options: SessionOptions, onPhantom: (callId: string) => void): Promise<PgJournal> {
    const connection = await options.around(() => openSession(options))
    try {
      await holdWriter(connection, options)
      return new PgJournal(connection, options, await headOf(connection, options.writer), onPhantom)
    } catch (cause) {
      await connection.end()
      throw pgError('LOG_OPEN_FAILED', `cannot open the log ${publicUrl(options.url)}`, cause)
    }
  }

  get head(): Head { return this.#head }
  get connected(): boolean { return this.#connection.alive && this.#reconnecting === undefined }
  /** Rows that are not durable yet. */
  get waiting(): number { return this.#queue.reduce((sum, item) => sum + item.rows().length, 0) }

  /** Resolves when the rows are durable. A call's (`call`) rejects with LOG_WRITE_FAILED when that cannot be confirmed; other rows wait for the connection to come back. */
  append(rows: readonly PendingRow[] | (() => readonly PendingRow[]), more: { readonly guard?: Item['guard'], readonly call?: string } = {}): Promise<void> {
    if (this.#closed) return Promise.reject(new UsherError('CLOSED', `the log ${publicUrl(this.#options.url)} is closed; open it again before writing`))
    if (more.call !== undefined && !this.connected) return Promise.reject(new UsherError('LOG_WRITE_FAILED', `no connection to ${publicUrl(this.#options.url)} at the moment, so the call's row cannot be written; nothing was called`))
    return new Promise((resolve, reject) => {
      this.#queue.push({ rows: typeof rows === 'function' ? rows : () => rows, ...(more.guard ? { guard: more.guard } : {}), ...(more.call === undefined ? {} : { call: more.call }), done: error => { if (error === undefined) resolve(); else reject(error as Error) } })
      this.#work()
    })
  }

  /** A question between two batches: the connection has one statement at a time. Rejects with LOG_OPEN_FAILED while there is none. */
  async ask<T>(question: (connection: PgConnection) => Promise<T>): Promise<T> {
    await this.#working
    while (this.#asking) await this.#asking.catch(() => undefined)
    const answer = (async () => {
      try {
        return await question(this.#connection)
      } catch (cause) {
        if (!this.#connection.alive) this.#lost()
        throw pgError('LOG_OPEN_FAILED', `cannot ask ${publicUrl(this.#options.url)}`, cause)
      }
    })()
    this.#asking = answer
    try { return await answer } finally { if (this.#asking === answer) this.#asking = undefined; this.#work() }
  }
  #asking: Promise<unknown> | undefined

  /** Writes what waits, as far as the server can be reached, and lets go of the writer's lock. */
  async close(): Promise<void> {
    if (this.#closed) return
    await this.#asking?.catch(() => undefined)
    await this.#working
    this.#closed = true
    const left = this.#queue
    this.#queue = []
    for (const item of left) item.done(new UsherError('LOG_WRITE_FAILED', `the log was closed while ${publicUrl(this.#options.url)} could not be reached; this row is not written`))
    await this.#connection.end()
  }

  #work(): void {
    if (this.#working || this.#asking || this.#reconnecting || this.#queue.length === 0) return
    // Not at once: what is handed over in the same turn goes into one transaction.
    this.#working = Promise.resolve().then(() => this.#batch()).finally(() => { this.#working = undefined; this.#work() })
  }

  async #batch(): Promise<void> {
    const items = this.#queue
    this.#queue = []
    const connection = this.#connection
    const ready: Item[] = []
    const refusedItems = new Set<Item>()
    let chained: readonly Chained[] = []
    try {
      await connection.query('BEGIN')
      for (const item of items) {
        const refused = await refusedBy(item, connection)
        if (refused) { refusedItems.add(item); item.done(refused) } else ready.push(item)
      }
      chained = chain(ready.flatMap(item => item.rows()), this.#head)
      await insert(connection, this.#options.writer, chained)
      await connection.query('COMMIT')
      this.#head = chained.at(-1) ?? this.#head
      for (const item of ready) item.done()
    } catch (cause) {
      await this.#failed(items.filter(item => !refusedItems.has(item)), ready, chained, cause)
    }
  }

  async #failed(items: readonly Item[], ready: readonly Item[], chained: readonly Chained[], cause: unknown): Promise<void> {
    const error = pgError('LOG_WRITE_FAILED', `cannot write to the log ${publicUrl(this.#options.url)}`, cause)
    for (const item of items) if (item.call !== undefined) item.done(error)
    const others = items.filter(item => item.call === undefined)
    if (this.#connection.alive) {
      await this.#connection.query('ROLLBACK').catch(() => undefined)
      // The server refused these rows for what they are: it would do so again.
      if (sqlState(cause) !== '') { for (const item of others) item.done(error); return }
    }
    const last = chained.at(-1)
    this.#uncertain = last && { items: ready, last }
    this.#queue = [...(last ? others.filter(item => !ready.includes(item)) : others), ...this.#queue]
    this.#lost()
  }

  #lost(): void {
    if (this.#reconnecting || this.#closed) return
    this.#reconnecting = this.#options.around(() => this.#comeBack()).finally(() => { this.#reconnecting = undefined; this.#work() })
  }

  async #comeBack(): Promise<void> {
    await this.#connection.end()
    const refuse = this.#queue.filter(item => item.call !== undefined)
    this.#queue = this.#queue.filter(item => item.call === undefined)
    for (const item of refuse) item.done(new UsherError('LOG_WRITE_FAILED', `the connection to ${publicUrl(this.#options.url)} was lost before the call's row was written; nothing was called`))
    const connection = await openAgain(this.#options, () => this.#closed)
    if (!connection) return
    this.#connection = connection
    const head = await headOf(connection, this.#options.writer).catch(() => undefined)
    if (head === undefined) { await connection.end(); return this.#comeBack() }
    const uncertain = this.#uncertain
    this.#uncertain = undefined
    this.#head = head
    if (!uncertain) return
    if (head.hash === uncertain.last.hash) {
      for (const item of uncertain.items) { if (item.call === undefined) item.done(); else this.#onPhantom(item.call) }
    } else {
      this.#queue = [...uncertain.items.filter(item => item.call === undefined), ...this.#queue]
    }
  }
}

/** Rows in their places behind the head. */
function chain(rows: readonly PendingRow[], head: Head): readonly Chained[] {
  let { seq, hash } = head
  return rows.map(row => {
    const body = bodyText(row)
    const prev = hash
    seq++
    hash = rowHash(seq, row.kind, body, prev)
    return { seq, kind: row.kind, body, prev, hash, row }
  })
}

async function refusedBy(item: Item, connection: PgConnection): Promise<unknown> {
  if (!item.guard) return undefined
  // A guard's own statements go when it refuses; the batch goes on.
  await connection.query('SAVEPOINT guard')
  try {
    await item.guard(connection)
    await connection.query('RELEASE SAVEPOINT guard')
    return undefined
  } catch (error) {
    if (!connection.alive || sqlState(error) !== '') throw error
    await connection.query('ROLLBACK TO SAVEPOINT guard')
    return error
  }
}

const COLUMNS = ['seq', 'kind', 'body', 'prev', 'hash', 'text', 'data', 'salt', 'at', 'event_id', 'decision_id', 'call_id', 'source', 'sender_id', 'caused_by', 'route', 'tool'] as const
const TYPES = ['bigint', 'text', 'text', 'text', 'text', 'text', 'text', 'text', 'float8', ...Array.from({ length: 8 }, () => 'text')]

export async function insert(connection: PgConnection, writer: string, rows: readonly Chained[]): Promise<void> {
  if (rows.length === 0) return
  const columns = rows.map(valuesOf)
  await connection.query(
    `INSERT INTO usher.rows (writer, ${COLUMNS.join(', ')}) SELECT $1, * FROM unnest(${TYPES.map((type, i) => `$${i + 2}::${type}[]`).join(', ')})`,
    [writer, ...COLUMNS.map((_, i) => columns.map(row => row[i]))],
  )
}

/** What is looked up stands in columns of its own; `usher verify` compares them with the body, which the hash covers. */
export function lookupColumns(body: string): readonly (string | number | null)[] {
  const fields = JSON.parse(body) as Record<string, unknown> | null
  const text = (name: string): string | null => typeof fields?.[name] === 'string' ? fields[name] : null
  return [typeof fields?.['at'] === 'number' ? fields['at'] : null, ...['eventId', 'decisionId', 'callId', 'source', 'senderId', 'causedBy', 'route', 'tool'].map(text)]
}

function valuesOf({ seq, kind, body, prev, hash, row }: Chained): readonly unknown[] {
  return [seq, kind, body, prev, hash, row.text ?? null, row.data ?? null, row.salt ?? null, ...lookupColumns(body)]
}

async function headOf(connection: PgConnection, writer: string): Promise<Head> {
  const [head] = await connection.query<Head>('SELECT seq, hash FROM usher.rows WHERE writer = $1 ORDER BY seq DESC LIMIT 1', [writer])
  return head ?? { seq: 0, hash: GENESIS_PREV }
}
