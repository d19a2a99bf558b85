/**
 * This machine's place in the fleet: a heartbeat that says which routes and which encoder it runs, and the pin that says which ones may fire.
 * A machine that runs others holds: it decides and logs, and calls nothing by itself.
 */
import { UsherError } from '../../errors.ts'
import type { ActRow } from '../../ports.ts'
import type { PgConnection } from './client.ts'

/** Ms between two heartbeats. */
const BEAT = 5000

export interface FleetPlaceParts {
  readonly writer: string
  readonly ask: <T>(question: (connection: PgConnection) => Promise<T>) => Promise<T>
  readonly now: () => number
  readonly waiting: () => number
  readonly connected: () => boolean
}

export interface Heartbeat { readonly machine: string, readonly pid: number, readonly tableHash: string, readonly encoder: string, readonly waiting: number }

export class FleetPlace {
  readonly #parts: FleetPlaceParts
  #machine = ''
  #tableHash = ''
  #encoder = ''
  #timer: NodeJS.Timeout | undefined
  constructor(parts: FleetPlaceParts) { this.#parts = parts }

  start(machine: string): void {
    this.#machine = machine
    this.#timer = setInterval(() => { void this.beat() }, BEAT).unref()
  }

  stop(): void { clearInterval(this.#timer) }

  /** Which table and encoder this machine runs stands in the act of loading them. */
  saw(row: ActRow): void {
    if (row.act !== 'routes.load' && row.act !== 'routes.reload') return
    this.#tableHash = row.about
    if (typeof row.detail['encoder'] === 'string') this.#encoder = row.detail['encoder']
  }

  async beat(): Promise<void> {
    if (!this.#parts.connected()) return
    const detail: Heartbeat = { machine: this.#machine, pid: process.pid, tableHash: this.#tableHash, encoder: this.#encoder, waiting: this.#parts.waiting() }
    // A beat that is lost says what it should: that nothing was heard of the machine.
    await this.#parts.ask(connection => connection.query('INSERT INTO usher.heartbeats (writer, at, detail) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [this.#parts.writer, this.#parts.now(), JSON.stringify(detail)])).catch(() => undefined)
  }

  /** Inside the transaction of a call's row. Throws FLEET_HELD. */
  async mayFire(connection: PgConnection): Promise<void> {
    const [pin] = await connection.query<{ table_hash: string, encoder: string }>('SELECT table_hash, encoder FROM usher.pins ORDER BY place DESC LIMIT 1')
    if (!pin) return
    const other = [pin.table_hash === this.#tableHash ? '' : `routes ${this.#tableHash.slice(0, 12) || 'none'} instead of ${pin.table_hash.slice(0, 12)}`, pin.encoder === this.#encoder ? '' : `encoder ${this.#encoder || 'none'} instead of ${pin.encoder}`].filter(part => part !== '')
    if (other.length > 0) throw new UsherError('FLEET_HELD', `this machine runs other ${other.join(' and ')}, and the fleet is pinned; it fires nothing until it runs the same, or a person pins these: usher fleet pin`)
  }
}
