// Begins one call and stays in it until it is killed: node sleeper.mjs LOG STATE_DIR CALL_ID
import { openSqliteLog } from '../../../dist/log/sqlite.js'

const [file, stateDir, callId] = process.argv.slice(2)
const log = openSqliteLog(file, { stateDir })
log.begin({ callId, by: 'router', tool: 'sleep', explicit: true, args: {}, origins: {}, allowed: [], at: Date.now() })
process.stdout.write('begun\n')
setInterval(() => undefined, 1000)
