/** START HERE: the call log in PostgreSQL, for several machines. The same rows as in the SQLite file, one chain for each writer. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { UsherError } from '../../errors.ts'
import type { ActRow, CallLog, CallRow, DecisionRow, EventRow, OutcomeRow, RefusalRow, SeenDecision } from '../../ports.ts'
import type { Effect } from '../../types.ts'
import { closedError } from '../journal.ts'
import { resolveLogOptions, type LogOptions, type ResolvedLogOptions } from '../options.ts'
import { fromPlain, toPlain } from '../plain.ts'
import { endsOnly, toSeen, type Cause } from '../reads.ts'
import { actRow, callRow, closingRow, decisionRow, effectRow, eventRow, outcomeRow, refusedRow, type PendingRow } from '../rows.ts'
import { Secrets } from '../secrets.ts'
import { maskKey } from '../state.ts'
import { claimCall, claimEvent, decidedBefore, eventKey, stillMine } from './claims.ts'
import { publicUrl, type PgConnection } from './client.ts'
import { PgJournal } from './journal.ts'
import { FleetPlace } from './fleet-place.ts'
import { PgOwnerRows } from './owner-rows.ts'
import { recoverDead } from './recover.ts'

/** Ms between looks at an event that another machine is deciding. */
const BUSY_PAUSE = 25
/** Rows of this writer between two notes of everybody's heads. */
const CHECKPOINT_EVERY = 500
const CAUSES_LIMIT = 1000

/** Ms that a decision waits for its call: a stop may have come in between. */
const NO_CALL = 1000

type Refusal = Pick<RefusalRow, 'kind' | 'reason' | 'why'>

/** As the dispatcher answers the same errors. */
function refusalOf(error: unknown): Refusal {
  const why = error instanceof Error ? error.message : String(error)
  if (UsherError.is(error) && error.code === 'FLEET_HELD') return { kind: 'stopped', reason: 'fleet', why }
  if (UsherError.is(error) && error.code === 'ALREADY_HANDLED') return { kind: 'duplicate', reason: 'id', why }
  return { kind: 'denied', reason: 'log-failed', why: `its row could not be written, so it was not called: ${why}` }
}

interface OpenEvent { readonly key: string, readonly generation: number, waiting: PendingRow[], readonly clauses: Map<string, number> }

export interface PostgresLogOptions extends Omit<LogOptions, 'groupCommitMs' | 'maxPages'> {
  /** The machine's name, as `usher fleet status` shows it. Default: `$USHER_MACHINE`, else the host's. */
  readonly machine?: string
}

/** Throws BAD_OPTION, LOG_OPEN_FAILED, LOG_VERSION. Calls that a dead writer left in flight get the outcome `unknown`. */
export async function openPostgresLog(url: string, options: PostgresLogOptions = {}): Promise<PostgresLog> {
  const { machine = process.env['USHER_MACHINE'] ?? hostname(), ...rest } = options
  const settings = resolveLogOptions(rest)
  const writer = randomUUID()
  let log: PostgresLog | undefined
  const journal = await PgJournal.open({ url, writer, timeoutMs: settings.busyTimeoutMs, around: work => settings.background('log', work) }, callId => { log?.phantom(callId) })
  log = new PostgresLog(url, writer, journal, settings)
  try {
    await log.start(machine)
    return log
  } catch (error) {
    await journal.close()
    throw error
  }
}

export class PostgresLog implements CallLog {
  readonly location: string
  readonly writer: string
  readonly #journal: PgJournal
  readonly #secrets: Secrets
  readonly #options: ResolvedLogOptions
  readonly #open = new Map<string, OpenEvent>()
  readonly #decided = new Map<string, DecisionRow>()
  #recovered: readonly string[] = []
  #closed = false
  #late: NodeJS.Timeout | undefined
  #checkpointAt = CHECKPOINT_EVERY
  /** The claim of `seen`, until the event's row names it. */
  readonly #claims = new Map<string, number>()
  readonly #place: FleetPlace

  /** Use `openPostgresLog`. */
  constructor(url: string, writer: string, journal: PgJournal, options: ResolvedLogOptions) {
    this.location = publicUrl(url)
    this.writer = writer
    this.#journal = journal
    this.#options = options
    this.#place = new FleetPlace({ writer, ask: question => journal.ask(question), now: () => options.clock.now(), waiting: () => journal.waiting, connected: () => journal.connected })
    this.#secrets = new Secrets(options.background('log', () => maskKey(options.stateDir)))
  }

  /** Calls that opening marked `unknown`. */
  get recovered(): readonly string[] { return this.#recovered }
  get connected(): boolean { return this.#journal.connected }
  /** Rows that are not durable yet. */
  get waiting(): number { return this.#journal.waiting }

  async start(machine: string): Promise<void> {
    this.#place.start(machine)
    const at = this.#options.clock.now()
    await this.#journal.append([
      { kind: 'genesis', body: { logId: this.writer, at } },
      actRow({ who: 'usher', act: 'writer.start', about: machine, detail: { pid: process.pid }, at }, this.#secrets),
    ])
    this.#recovered = await recoverDead(this.#journal, this.writer, this.#secrets, at)
  }

  /** Waits for its decision, and is written with it: a machine that dies before leaves nothing but its claim, and another one decides. */
  async event(row: EventRow): Promise<void> {
    const source = toPlain(row.source)
    const key = eventKey(source, toPlain(this.#secrets.scrubTokens(row.senderId)))
    const pending = eventRow(row, this.#secrets)
    const generation = this.#claims.get(key)
    this.#claims.delete(key)
    if (row.malformed !== undefined) return this.#journal.append([pending])
    // Events come one after the other: what still waits belongs to a call that was stopped in between.
    this.#flush()
    this.#open.clear()
    this.#decided.clear()
    this.#open.set(row.eventId, { key, generation: generation ?? 0, waiting: [pending], clauses: new Map() })
  }

  /** A decision that calls something is written with its call. */
  async decision(row: DecisionRow): Promise<void> {
    const pending = decisionRow(row, this.#secrets)
    const open = this.#open.get(row.eventId)
    if (row.callId !== undefined && open) {
      open.waiting.push(pending)
      this.#decided.set(row.decisionId, row)
      this.#late ??= setTimeout(() => { this.#late = undefined; this.#flush() }, NO_CALL).unref()
      return
    }
    const rows = [...this.#take(row.eventId), pending]
    await this.#write(rows, open)
  }

  async begin(row: CallRow): Promise<void> {
    const known = this.#secrets.learned
    const call = callRow(row, this.#secrets)
    const open = row.eventId === undefined ? undefined : this.#open.get(row.eventId)
    const decided = row.decisionId === undefined ? undefined : this.#decided.get(row.decisionId)
    const waiting = this.#take(row.eventId)
    // What is written already is closed by a further row, should this be refused.
    if (row.decisionId !== undefined && waiting.some(pending => pending.decisionId === row.decisionId)) this.#decided.delete(row.decisionId)
    const rows = this.#secrets.learned > known ? waiting.map(pending => pending.remake?.() ?? pending) : waiting
    let refusal: Refusal | undefined
    const before = rows.length > 0 ? this.#write(() => refusal === undefined ? rows : rows.map(pending => pending.decisionId === row.decisionId && decided ? refusedRow(decided, refusal as Refusal, this.#secrets) : pending), open) : undefined
    // Both go into one transaction, in this order: the journal keeps it, and asks for the first one's rows when it knows of the second.
    const written = this.#journal.append([call], {
      call: row.callId,
      guard: async connection => {
        try {
          await this.#mayCall(connection, row, open, decided?.nth ?? 0)
        } catch (error) {
          refusal = refusalOf(error)
          throw error
        }
      },
    }).catch((error: unknown) => { refusal ??= refusalOf(error); throw error })
    // Both are awaited: a rejection that nobody awaits would end the host.
    const [first, second] = await Promise.allSettled([before, written])
    if (second.status === 'rejected') throw second.reason
    if (first.status === 'rejected') throw first.reason
  }

  async #mayCall(connection: PgConnection, row: CallRow, open: OpenEvent | undefined, clause: number): Promise<void> {
    // A person's own call is theirs, whatever the fleet is pinned to.
    if (row.by === 'router') await this.#place.mayFire(connection)
    if (open && open.generation > 0) await stillMine(connection, open.key, open.generation)
    const key = open?.key ?? await this.#keyOf(connection, row.eventId)
    if (key !== undefined) await claimCall(connection, { key, route: row.route ?? '', clause, callId: row.callId, writer: this.writer, at: row.at })
  }

  /** A decision that still waits is written as what it became; one that was written is closed by another. What `begin` refused is settled there. */
  async refused(row: RefusalRow): Promise<void> {
    const before = this.#decided.get(row.decisionId)
    if (!before) return
    this.#decided.delete(row.decisionId)
    const open = this.#open.get(row.eventId)
    const waiting = this.#take(row.eventId)
    const ended = waiting.map(pending => pending.decisionId === row.decisionId ? refusedRow(before, row, this.#secrets) : pending)
    await this.#write(waiting.some(pending => pending.decisionId === row.decisionId) ? ended : [...ended, closingRow(before, row, this.#secrets)], open)
  }

  async end(row: OutcomeRow): Promise<void> {
    await this.#durable(this.#journal.append([outcomeRow(row, this.#secrets)]))
    await this.#checkpoint()
  }

  effect(effect: Effect): void {
    if (this.#closed) throw closedError(this.location)
    // Its call's row is durable already. What the connection loses is written when it is back.
    void this.#journal.append([effectRow(effect, this.#secrets)]).catch(() => undefined)
  }

  async act(row: ActRow): Promise<void> {
    this.#place.saw(row)
    await this.#durable(this.#journal.append([actRow(row, this.#secrets)]))
  }

  /** Claims the event for this machine, or gives what another one decided. Rejects with ALREADY_HANDLED while another machine is at it. */
  async seen(source: string, senderId: string): Promise<readonly SeenDecision[] | undefined> {
    const event = { source: toPlain(source), senderId: toPlain(this.#secrets.scrubTokens(senderId)) }
    const key = eventKey(event.source, event.senderId)
    const own = [...this.#open.values()].filter(open => open.key === key)
    const undecided = own.flatMap(open => open.waiting).filter(row => row.kind === 'decision')
    if (undecided.length > 0) return undecided.map(row => toSeen(String(row.body)))
    const until = Date.now() + this.#options.busyTimeoutMs
    for (;;) {
      const claim = await this.#journal.ask(connection => claimEvent(connection, key, event, this.writer, this.#options.clock.now()))
      if (claim.kind === 'mine') { this.#claims.set(key, claim.generation); return claim.logged || own.length > 0 ? [] : undefined }
      if (claim.kind === 'decided') return endsOnly(claim.decisions).map(toSeen)
      if (Date.now() > until) throw new UsherError('ALREADY_HANDLED', `another machine (writer ${claim.writer.slice(0, 8)}) is deciding the same event; send it again later to hear what it decided`)
      await wait(BUSY_PAUSE)
    }
  }

  async look(source: string, senderId: string): Promise<readonly SeenDecision[] | undefined> {
    const event = { source: toPlain(source), senderId: toPlain(this.#secrets.scrubTokens(senderId)) }
    const found = await this.#journal.ask(connection => decidedBefore(connection, event))
    return found && endsOnly(found).map(toSeen)
  }

  async callTimes(route: string, since: number): Promise<readonly number[]> {
    const rows = await this.#journal.ask(connection => connection.query<{ at: number }>('SELECT at FROM usher.rows WHERE kind = \'call\' AND route = $1 AND at >= $2 ORDER BY at DESC', [toPlain(route), since]))
    return rows.map(row => row.at)
  }

  /** The call itself first, then the call that caused its event, and so on. */
  async causes(callId: string): Promise<readonly Cause[]> {
    const chain: Cause[] = []
    const seen = new Set<string>()
    let next: string | null = toPlain(callId)
    while (next !== null && !seen.has(next) && chain.length < CAUSES_LIMIT) {
      const id: string = next
      seen.add(id)
      const [call] = await this.#journal.ask(connection => connection.query<{ route: string | null, event_id: string | null, caused_by: string | null }>(`SELECT c.route, c.event_id, e.caused_by FROM usher.rows c
        LEFT JOIN usher.rows e ON e.kind = 'event' AND e.event_id = c.event_id WHERE c.kind = 'call' AND c.call_id = $1 ORDER BY c.xid, c.place LIMIT 1`, [id]))
      if (!call) break
      chain.push({ callId: fromPlain(id), ...(call.route === null ? {} : { route: fromPlain(call.route) }), ...(call.event_id === null ? {} : { eventId: fromPlain(call.event_id) }) })
      next = call.caused_by
    }
    return chain
  }

  /** Writes what waits as far as the server can be reached, notes everybody's heads, and lets go. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#place.stop()
    clearTimeout(this.#late)
    const left = [...this.#open.values()].flatMap(open => open.waiting)
    this.#open.clear()
    if (this.#journal.connected) {
      await this.#journal.append([...left, actRow({ who: 'usher', act: 'writer.stop', about: this.writer, detail: {}, at: this.#options.clock.now() }, this.#secrets)]).catch(() => undefined)
      this.#checkpointAt = 0
      await this.#checkpoint().catch(() => undefined)
    }
    await this.#journal.close()
  }

  /** What people decided and what was called, over all machines. */
  ownerRows(): PgOwnerRows { return new PgOwnerRows(question => this.#journal.ask(question)) }

  /** A call that was refused, whose row was written all the same. */
  phantom(callId: string): void {
    const row: OutcomeRow = { callId, kind: 'failed', reason: 'error', why: 'the connection to the log was lost while this row was written, so the call was refused: it never ran', at: this.#options.clock.now(), ms: 0 }
    void this.#journal.append([outcomeRow(row, this.#secrets)]).catch(() => undefined)
  }

  /** What no call came for. */
  #flush(): void {
    for (const [eventId, open] of this.#open) {
      const rows = this.#take(eventId)
      if (rows.length > 0) void this.#write(rows, open).catch(() => undefined)
    }
  }

  #take(eventId: string | undefined): readonly PendingRow[] {
    const open = eventId === undefined ? undefined : this.#open.get(eventId)
    const waiting = open?.waiting ?? []
    if (open) open.waiting = []
    return waiting
  }

  #write(rows: readonly PendingRow[] | (() => readonly PendingRow[]), open: OpenEvent | undefined): Promise<void> {
    const { key = '', generation = 0 } = open ?? {}
    return this.#durable(this.#journal.append(rows, generation === 0 ? {} : { guard: connection => stillMine(connection, key, generation) }))
  }

  /** Bounded: while the server is away the row stays in line, and whoever waits for it is told. */
  async #durable(written: Promise<void>): Promise<void> {
    const stop = new AbortController()
    const late = wait(this.#options.busyTimeoutMs, 'late' as const, { signal: stop.signal, ref: false }).catch(() => 'stopped' as const)
    try {
      if (await Promise.race([written.then(() => 'written' as const), late]) === 'late') {
        written.catch(() => undefined)
        throw new UsherError('LOG_WRITE_FAILED', `${this.location} did not confirm the row within ${this.#options.busyTimeoutMs} ms; it is written when the connection is back`)
      }
    } finally {
      stop.abort()
    }
  }

  async #keyOf(connection: PgConnection, eventId: string | undefined): Promise<string | undefined> {
    if (eventId === undefined) return undefined
    const [event] = await connection.query<{ source: string, sender_id: string }>('SELECT source, sender_id FROM usher.rows WHERE kind = \'event\' AND event_id = $1 LIMIT 1', [toPlain(eventId)])
    return event && eventKey(event.source, event.sender_id)
  }

  /** Every writer's head in this writer's chain: a tail that is cut from one chain shows in the others. */
  async #checkpoint(): Promise<void> {
    if (this.#journal.head.seq < this.#checkpointAt) return
    this.#checkpointAt = this.#journal.head.seq + CHECKPOINT_EVERY
    const heads = await this.#journal.ask(connection => connection.query<{ writer: string, seq: number, hash: string }>(`SELECT DISTINCT ON (writer) writer, seq, hash FROM usher.rows
      WHERE writer IN (SELECT writer FROM usher.rows WHERE at >= $1) ORDER BY writer, seq DESC`, [this.#options.clock.now() - 24 * 3600_000]))
    await this.#durable(this.#journal.append([actRow({ who: 'usher', act: 'fleet.heads', about: this.writer, detail: { heads: heads.map(head => [head.writer, head.seq, head.hash]) }, at: this.#options.clock.now() }, this.#secrets)]))
  }
}
