/** START HERE: the call log on one SQLite file. Every row of every kind is one link of one chain. */
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { UsherError } from '../errors.ts'
import type { ActRow, CallLog, CallRow, DecisionRow, EventRow, OutcomeRow, RefusalRow, SeenDecision } from '../ports.ts'
import type { Effect } from '../types.ts'
import { AnchorKeeper } from './anchor-keeper.ts'
import { WriteBuffer } from './buffer.ts'
import { openForWriting } from './connection.ts'
import type { Db } from './db.ts'
import { logError } from './failures.ts'
import { onExit } from './on-exit.ts'
import { closedError, Journal } from './journal.ts'
import { OwnerRows } from './owner-rows.ts'
import { redactEvent } from './redact.ts'
import { resolveLogOptions, type LogOptions, type ResolvedLogOptions } from './options.ts'
import { toPlain } from './plain.ts'
import { endsOnly, Reads, toSeen, type Cause } from './reads.ts'
import { decidesAlone, recover } from './recover.ts'
import { RepeatedEffects, type Repeats } from './repeats.ts'
import { actRow, callRow, closingRow, decisionRow, effectRow, eventRow, outcomeRow, refusedRow, repeatsRow, type PendingRow } from './rows.ts'
import { Secrets } from './secrets.ts'
import { serialise } from './serialise.ts'
import { Turn } from './turn.ts'
import { canonicalJson, sha256 } from '../util/canonical.ts'
import { Lru } from '../util/lru.ts'
import { maskKey } from './state.ts'

/** Calls that may be about to begin at once. */
const ANNOUNCED = 1000
/** Ms after which what was counted of repeated effects is written; a killed process takes no more than that of the number. */
const COUNT_MS = 1000

/**
 * Opens the log, makes it when there is none, and gives calls that a dead process left in flight the outcome `unknown`.
 * Throws BAD_OPTION, LOG_OPEN_FAILED, LOG_VERSION (a newer file), LOG_INVALID (not a log).
 */
export function openSqliteLog(file: string, options: LogOptions = {}): SqliteLog {
  if (file === '' || file === ':memory:') throw new UsherError('BAD_OPTION', `the log must be a file, got ${JSON.stringify(file)}: rows in memory are gone after a crash`)
  return new SqliteLog(resolve(file), resolveLogOptions(options))
}

interface Beginning { readonly row: CallRow, readonly call: PendingRow }

export class SqliteLog implements CallLog {
  readonly location: string
  /** Calls that opening marked `unknown`. */
  readonly recovered: readonly string[]
  readonly #db: Db
  readonly #journal: Journal
  readonly #buffer: WriteBuffer
  readonly #reads: Reads
  readonly #secrets: Secrets
  readonly #anchors: AnchorKeeper
  readonly #notes: string[]
  readonly #beginnings: Turn<Beginning>
  readonly #endings: Turn<readonly PendingRow[]>
  readonly #offExit: () => void
  /** Absent where every row is to be synced at once. */
  readonly #repeats: RepeatedEffects | undefined
  #counting: NodeJS.Timeout | undefined
  /** Decisions that announced a call, until it is known what became of it. */
  readonly #announced = new Lru<DecisionRow>(ANNOUNCED)
  #closed = false

  /** Use `openSqliteLog`. */
  constructor(file: string, options: ResolvedLogOptions) {
    this.location = file
    this.#secrets = new Secrets(options.background('log', () => maskKey(options.stateDir)))
    const { db, notes } = options.background('log', () => openForWriting(file, options.busyTimeoutMs))
    this.#db = db
    this.#notes = [...notes]
    if (options.maxPages !== undefined) db.pragma(`max_page_count = ${options.maxPages}`)
    try {
      const alone = decidesAlone(db, options.busyTimeoutMs)
      this.#journal = new Journal(db, file)
      this.#begin(options.clock.now())
      this.recovered = recover(db, this.#journal, this.#secrets, options.clock.now(), alone)
      this.#reads = new Reads(db)
      this.#anchors = new AnchorKeeper(db, options)
      this.#compareAnchor(options.clock.now())
    } catch (cause) {
      db.close()
      throw logError('LOG_OPEN_FAILED', 'cannot open the log', file, cause)
    }
    this.#buffer = new WriteBuffer(this.#journal, file, options.groupCommitMs, head => this.#anchors.written(head))
    this.#endings = new Turn(all => { this.#buffer.soon(...all.flat()) })
    this.#beginnings = new Turn(all => { this.#write(all) })
    this.#repeats = options.groupCommitMs === 0 ? undefined : new RepeatedEffects()
    this.#offExit = onExit(() => this.close())
  }

  /** What was found otherwise than it should be, in words: corrected settings, an anchor that does not fit, an anchor that could not be written. */
  get notes(): readonly string[] {
    return [...this.#notes, ...[this.#anchors.notSent, this.#anchors.failure].filter(words => words !== undefined)]
  }

  event(row: EventRow): void {
    this.#alive()
    this.#buffer.later(eventRow(row, this.#secrets))
  }

  decision(row: DecisionRow): void {
    this.#alive()
    if (row.callId !== undefined) this.#announced.set(row.decisionId, row)
    this.#buffer.later(decisionRow(row, this.#secrets))
  }

  /** Where the decision still waits to be written, it is written as what it became; else a closing decision tells its end. */
  refused(row: RefusalRow): void {
    this.#alive()
    const before = this.#announced.get(row.decisionId)
    if (!before) return
    this.#announced.delete(row.decisionId)
    if (this.#buffer.replace(pending => pending.decisionId === row.decisionId, () => refusedRow(before, row, this.#secrets))) return
    this.#buffer.later(closingRow(before, row, this.#secrets))
  }

  /**
   * Durable on return. Throws LOG_WRITE_FAILED, also where another process called this route for the same sender's id already, or LOG_VALUE
   * for arguments that cannot be kept: then nothing may be called.
   */
  begin(row: CallRow): void {
    this.#alive()
    try {
      this.#write([{ row, call: this.#callRow(row) }])
      this.#announced.delete(row.decisionId ?? '')
    } catch (cause) {
      throw this.#beginError(cause)
    }
  }

  /** As `begin`, with one sync for all calls that begin in the same turn of the event loop. */
  async beginTogether(row: CallRow): Promise<void> {
    this.#alive()
    try {
      await this.#beginnings.together({ row, call: this.#callRow(row) })
      this.#announced.delete(row.decisionId ?? '')
    } catch (cause) {
      throw this.#beginError(cause)
    }
  }

  #write(all: readonly Beginning[]): void {
    this.#buffer.nowAll(all.map(one => one.call), () => { for (const { row } of all) this.#onlyOnce(row) })
  }

  #callRow(row: CallRow): PendingRow {
    const known = this.#secrets.learned
    const call = callRow(row, this.#secrets)
    if (this.#secrets.learned > known) this.#buffer.remake()
    if (row.secretPaths !== undefined && row.secretPaths.length > 0 && row.eventId !== undefined) redactEvent(this.#db, this.#journal, this.#secrets, row.eventId, row.at)
    return call
  }

  #beginError(cause: unknown): UsherError {
    return logError('LOG_WRITE_FAILED', 'cannot write a call to the log', this.location, cause)
  }

  /** `seen` cannot know an event that another process got at the same moment and has not written yet. */
  #onlyOnce(row: CallRow): void {
    const rival = row.eventId === undefined ? undefined : this.#reads.rivalOf(row.eventId, row.route)
    if (rival !== undefined) throw new UsherError('ALREADY_HANDLED', `another process handled the same event already, in call ${rival}; it is not called twice`)
  }

  /** In the file on return; after a power cut in the next moment the call reads `unknown`. */
  end(row: OutcomeRow): void {
    this.#alive()
    this.#buffer.soon(...this.#ending(row))
  }

  /** As `end`, with one transaction for all calls that end in the same turn of the event loop; in the file when it resolves. */
  async endTogether(row: OutcomeRow): Promise<void> {
    this.#alive()
    await this.#endings.together(this.#ending(row))
  }

  #ending(row: OutcomeRow): PendingRow[] {
    return [...this.#counts(this.#repeats?.take(row.callId)), outcomeRow(row, this.#secrets)]
  }

  /** In the file on return, so that the end of the process takes no row of what happened. What happens again in the same call is counted. */
  effect(effect: Effect): void {
    this.#alive()
    if (this.#repeats?.again(effect)) {
      this.#counting ??= setTimeout(() => this.#writeCounts(), COUNT_MS).unref()
      return
    }
    const { seq } = this.#buffer.soon(effectRow(effect, this.#secrets))
    const forgotten = this.#repeats?.first(effect, `effect-${seq}`) ?? []
    if (forgotten.length > 0) this.#buffer.soon(...this.#counts(forgotten))
  }

  #writeCounts(): void {
    this.#counting = undefined
    try {
      const counts = this.#repeats?.soFar() ?? []
      if (counts.length > 0) this.#buffer.soon(...this.#counts(counts))
    } catch {
      this.#buffer.failed() // nobody is there to catch it: the next writer gets it
    }
  }

  #counts(repeats: readonly Repeats[] = []): PendingRow[] {
    return repeats.map(one => repeatsRow(one, this.#secrets))
  }

  act(row: ActRow): void {
    this.#alive()
    this.#buffer.now(actRow(row, this.#secrets))
  }

  /** `[]`: the event was logged and never decided, since the process ended in between. */
  seen(source: string, senderId: string): readonly SeenDecision[] | undefined {
    this.#alive()
    const from = toPlain(source)
    const sender = toPlain(this.#secrets.scrubTokens(senderId))
    const waiting = this.#buffer.waiting
    const waits = waiting.filter(row => isEvent(row, from, sender)).map(row => toPlain(row.eventId ?? ''))
    const ids = new Set([...this.#reads.eventsOf(from, sender), ...waits])
    if (ids.size === 0) return undefined
    const unwritten = waiting.filter(row => row.kind === 'decision' && row.eventId !== undefined && ids.has(toPlain(row.eventId))).map(row => String(row.body))
    return endsOnly([...[...ids].flatMap(id => this.#reads.decisionsOf(id)), ...unwritten]).map(toSeen)
  }

  callTimes(route: string, since: number): readonly number[] {
    this.#alive()
    return this.#reads.callTimes(route, since)
  }

  causes(callId: string): readonly Cause[] {
    this.#alive()
    return this.#reads.causes(callId)
  }

  /** What people decided and what was called, on this connection: for as long as the log is open. */
  ownerRows(): OwnerRows { return new OwnerRows(this.#db) }

  /** Writes what still waits. Twice is fine. */
  close(): void {
    if (this.#closed) return
    this.#offExit()
    try {
      clearTimeout(this.#counting)
      this.#endings.flush()
      this.#beginnings.flush()
      const counts = this.#counts(this.#repeats?.take())
      if (counts.length > 0) this.#buffer.soon(...counts)
      this.#buffer.now()
      // Still open: the observer may log the writing of the anchor.
      this.#anchors.anchor(this.#journal.head())
    } finally {
      this.#closed = true
      this.#buffer.close()
      this.#db.close()
    }
  }

  #alive(): void {
    if (this.#closed) throw closedError(this.location)
  }

  /** A log that lost rows since it was closed says so in itself, and halts until a person resumes. */
  #compareAnchor(now: number): void {
    const mismatch = this.#anchors.mismatch()
    if (mismatch !== undefined) {
      const why = `the log is not what its anchor says (${mismatch})`
      this.#notes.push(`${why}; all auto-invocation is stopped. Look with usher verify, then go on with usher resume`)
      this.#journal.append([
        actRow({ who: 'usher', act: 'log.anchor-mismatch', about: this.location, detail: { mismatch }, at: now }, this.#secrets),
        // As approvals/owner.ts halts: what fires rests on what the log says was asked, limited and switched off before.
        actRow({ who: 'usher', act: 'stop', about: 'log', detail: { reason: 'halted', why, finding: mismatch, key: sha256(canonicalJson(['usher-halt', 1, 'log', mismatch])) }, at: now }, this.#secrets),
      ])
    }
    this.#anchors.anchor(this.#journal.head())
  }

  /** Row 1 names the file, so that an anchor of another log is never taken for this one's. */
  #begin(now: number): void {
    if (this.#journal.head().seq > 0) return
    this.#journal.within(append => {
      if (this.#journal.head().seq === 0) append([{ kind: 'genesis', body: serialise({ logId: randomUUID(), at: now }) }])
    })
  }
}

function isEvent(row: PendingRow, source: string, senderId: string): boolean {
  return row.kind === 'event' && typeof row.body === 'object' && row.body['source'] === source && row.body['senderId'] === senderId
}
