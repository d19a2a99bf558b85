/** One screen of the fleet: machines, what they run, what is in flight, what a person stopped. */
import { connect, pgError, publicUrl, type PgConnection } from './client.ts'
import type { Heartbeat } from './fleet-place.ts'
import { missingProtection } from './schema.ts'
import { isGone } from './session.ts'

export interface Machine extends Heartbeat {
  readonly writer: string
  readonly heardAt: number
  /** Its connection stands. */
  readonly live: boolean
  /** It was closed, and did not just vanish. */
  readonly ended: boolean
  /** It runs what the fleet is pinned to (always, where nothing is pinned). */
  readonly fires: boolean
  /** Ms since its last row. */
  readonly lastRow?: number
  readonly inFlight: number
}

export interface FleetStatus {
  readonly machines: readonly Machine[]
  readonly pin?: { readonly tableHash: string, readonly encoder: string, readonly who: string, readonly at: number }
  readonly rows: number
  /** Events that were claimed and not decided yet. */
  readonly undecided: number
  readonly inFlight: number
  readonly unknown: number
  readonly protection: readonly string[]
  /** A person (or a halt) stopped auto-invocation on every machine. */
  readonly stopped?: { readonly who: string, readonly at: number, readonly why: string }
  /** Open breakers, by route or `tool:NAME`. */
  readonly breakers: readonly string[]
}

const HOUR = 3600_000

/** Throws LOG_OPEN_FAILED. */
export async function fleetStatus(url: string, now: number, timeoutMs = 10_000): Promise<FleetStatus> {
  const connection = await connect(url, { name: 'usher status', timeoutMs })
  try {
    const [pin] = await connection.query<{ table_hash: string, encoder: string, who: string, at: number }>('SELECT table_hash, encoder, who, at FROM usher.pins ORDER BY place DESC LIMIT 1')
    const one = async (sql: string): Promise<number> => Number((await connection.query<{ n: number }>(sql))[0]?.n ?? 0)
    return {
      machines: await machines(connection, now, pin), rows: await one('SELECT count(*) AS n FROM usher.rows'),
      undecided: await one(`SELECT count(DISTINCT c.event_key) AS n FROM usher.event_claims c WHERE c.at >= ${now - HOUR} AND NOT EXISTS (SELECT 1 FROM usher.rows e JOIN usher.rows d ON d.kind = 'decision' AND d.event_id = e.event_id
        WHERE e.kind = 'event' AND e.source = c.source AND e.sender_id = c.sender_id)`),
      inFlight: await one('SELECT count(*) AS n FROM usher.rows c WHERE c.kind = \'call\' AND NOT EXISTS (SELECT 1 FROM usher.rows o WHERE o.kind = \'outcome\' AND o.call_id = c.call_id)'),
      unknown: await one('SELECT count(*) AS n FROM usher.calls WHERE outcome = \'unknown\''),
      protection: await missingProtection(connection), ...await switches(connection),
      ...(pin ? { pin: { tableHash: pin.table_hash, encoder: pin.encoder, who: pin.who, at: pin.at } } : {}),
    }
  } catch (cause) {
    throw pgError('LOG_OPEN_FAILED', `cannot ask ${publicUrl(url)}`, cause)
  } finally {
    await connection.end()
  }
}

/** What people's acts say, as approvals/owner-state.ts reads them: the newest stop or resume counts, a breaker is open until a person closes it. */
async function switches(connection: PgConnection): Promise<Pick<FleetStatus, 'stopped' | 'breakers'>> {
  const acts = await connection.query<{ act: string, about: string, who: string, at: number, detail: string | null }>('SELECT act, about, who, at, detail FROM usher.acts WHERE act IN (\'stop\', \'resume\', \'breaker.open\', \'breaker.close\', \'report\') ORDER BY at')
  const breakers = new Set<string>()
  let stopped: FleetStatus['stopped']
  for (const { act, about, who, at, detail } of acts) {
    if (act === 'stop') stopped = { who, at, why: (JSON.parse(detail ?? '{}') as { why?: string }).why ?? '' }
    else if (act === 'resume') stopped = undefined
    else if (act === 'breaker.open') breakers.add(about)
    // One report opens it, before any machine notes that down.
    else if (act === 'report') { const { name } = JSON.parse(detail ?? '{}') as { name?: unknown }; if (typeof name === 'string') breakers.add(name) }
    else breakers.delete(about)
  }
  return { breakers: [...breakers], ...(stopped ? { stopped } : {}) }
}

async function machines(connection: PgConnection, now: number, pin: { readonly table_hash: string, readonly encoder: string } | undefined): Promise<readonly Machine[]> {
  const beats = await connection.query<{ writer: string, at: number, detail: string, last: number | null, open: number, ended: boolean }>(`SELECT b.writer, b.at, b.detail, (SELECT max(at) FROM usher.rows r WHERE r.writer = b.writer) AS last,
    EXISTS (SELECT 1 FROM usher.acts a WHERE a.writer = b.writer AND a.act = 'writer.stop') AS ended,
    (SELECT count(*) FROM usher.rows c WHERE c.writer = b.writer AND c.kind = 'call' AND NOT EXISTS (SELECT 1 FROM usher.rows o WHERE o.kind = 'outcome' AND o.call_id = c.call_id)) AS open
    FROM (SELECT DISTINCT ON (writer) writer, at, detail FROM usher.heartbeats WHERE at >= $1 ORDER BY writer, at DESC) b ORDER BY b.writer`, [now - HOUR])
  const found: Machine[] = []
  for (const beat of beats) {
    const detail = JSON.parse(beat.detail) as Heartbeat
    await connection.query('BEGIN')
    const live = !await isGone(connection, beat.writer)
    await connection.query('ROLLBACK')
    found.push({ ...detail, writer: beat.writer, heardAt: beat.at, live, ended: beat.ended, inFlight: Number(beat.open), fires: !pin || (pin.table_hash === detail.tableHash && pin.encoder === detail.encoder), ...(beat.last === null ? {} : { lastRow: beat.last }) })
  }
  return found
}

/** From now on only machines with these routes and this encoder fire. Takes the role that owns the tables. */
export async function pinFleet(url: string, pin: { readonly tableHash: string, readonly encoder: string, readonly who: string, readonly at: number }): Promise<void> {
  const connection = await connect(url, { name: 'usher pin', timeoutMs: 10_000 })
  try {
    await connection.query('INSERT INTO usher.pins (table_hash, encoder, who, at) VALUES ($1, $2, $3, $4)', [pin.tableHash, pin.encoder, pin.who, pin.at])
  } catch (cause) {
    throw pgError('LOG_WRITE_FAILED', `cannot pin the fleet in ${publicUrl(url)}`, cause)
  } finally {
    await connection.end()
  }
}
