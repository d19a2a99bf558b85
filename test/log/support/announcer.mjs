// Logs a decision to call, waits until it is written, and stays before its call until it is killed: node announcer.mjs LOG STATE_DIR
import { openSqliteLog } from '../../../dist/log/sqlite.js'

const [file, stateDir] = process.argv.slice(2)
const log = openSqliteLog(file, { stateDir, groupCommitMs: 0 })
log.event({ eventId: 'event-1', senderId: 'sender-1', source: 'user', text: 'please open the console', textLength: 23, at: Date.now() })
log.decision({ decisionId: 'decision-1', eventId: 'event-1', nth: 0, kind: 'called', reason: 'ask', why: 'the words ask for it', route: 'open-console', tool: 'call_console', callId: 'call-1', nearMisses: [], gate: [], reading: [], origins: {}, tableHash: 't', encoderId: 'e', at: Date.now() })
process.stdout.write('decided\n')
setInterval(() => undefined, 1000)
