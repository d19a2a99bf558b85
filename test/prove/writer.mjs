/**
 * One of several processes that write one log: events, decisions and calls.
 *
 * node writer.mjs LOG STATE_DIR NAME CALLS
 */
import { openSqliteLog } from '../../dist/log/sqlite.js'

const [file, stateDir, name, calls] = process.argv.slice(2)
const log = openSqliteLog(file, { stateDir, busyTimeoutMs: 60_000 })
const at = () => Date.now()
for (let n = 0; n < Number(calls); n++) {
  const id = `${name}-${n}`
  log.event({ eventId: id, senderId: id, source: 'user', text: `call ${n} of ${name}`, textLength: 10, at: at() })
  log.begin({ callId: id, by: 'router', tool: 'count', route: 'count', eventId: id, explicit: true, args: { n }, origins: {}, allowed: [], at: at() })
  log.end({ callId: id, kind: 'called', reason: 'ask', why: 'counted', at: at(), ms: 0 })
}
log.close()
