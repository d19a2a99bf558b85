/** A log in a database of its own, for each test. */
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { connect } from '../../../src/log/postgres/client.ts'
import { openPostgresLog, type PostgresLog, type PostgresLogOptions } from '../../../src/log/postgres/log.ts'
import { callOf, decisionOf, effectOf, endOf, eventOf, tempDir } from '../support/rows.ts'
import { HAS_POSTGRES, startPostgres, type Postgres } from './server.ts'

export interface Opened { readonly log: PostgresLog, readonly url: string, readonly owner: string, readonly stateDir: string, open(more?: PostgresLogOptions): Promise<PostgresLog> }

/** One server for the file's tests. */
export function withPostgres() {
  let server: Postgres | undefined
  const running = (): Postgres => { if (!server) throw new Error('PostgreSQL did not start'); return server }
  beforeAll(async () => { if (HAS_POSTGRES) server = await startPostgres() }, 120_000)
  afterAll(async () => { await server?.stop() }, 120_000)
  let made = 0
  const tempPgLog = async (options: PostgresLogOptions = {}): Promise<Opened> => {
    const database = `log_${++made}`
    const url = await running().runtimeUrl(database)
    const stateDir = join(tempDir(), 'state')
    const open = async (more: PostgresLogOptions = {}) => {
      const log = await openPostgresLog(url, { stateDir, ...options, ...more })
      onTestFinished(() => log.close())
      return log
    }
    return { log: await open(), url, owner: running().databaseUrl(database), stateDir, open }
  }
  return { running, tempPgLog, asOwner, wholeCall }
}

/** One connection for some statements. */
async function asOwner<T>(url: string, work: (query: (sql: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>) => Promise<T>): Promise<T> {
  const connection = await connect(url, { name: 'test', timeoutMs: 20_000 })
  try { return await work((sql, values) => connection.query(sql, values)) } finally { await connection.end() }
}

/** One asked call with its effect, whole. */
async function wholeCall(log: PostgresLog, n = 1): Promise<void> {
  await log.seen('user', `sender-${n}`)
  await log.event(eventOf({ eventId: `event-${n}`, senderId: `sender-${n}` }))
  await log.decision(decisionOf({ decisionId: `decision-${n}`, eventId: `event-${n}`, callId: `call-${n}` }))
  await log.begin(callOf({ callId: `call-${n}`, eventId: `event-${n}`, decisionId: `decision-${n}` }))
  log.effect(effectOf({ callId: `call-${n}` }))
  await log.end(endOf({ callId: `call-${n}` }))
}
