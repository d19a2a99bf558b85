// A machine that dies: one call in flight, one event claimed and not decided. Arguments: the log's address, a state folder.
import { openPostgresLog } from '../../../dist/log/postgres/log.js'

const [url, stateDir] = process.argv.slice(2)
const log = await openPostgresLog(url, { stateDir })
const at = Date.UTC(2026, 0, 5, 8, 0, 0)
await log.seen('user', 'in-flight')
await log.event({ eventId: 'e-dead', senderId: 'in-flight', source: 'user', text: 'open the console', textLength: 16, at })
await log.decision({ decisionId: 'd-dead', eventId: 'e-dead', nth: 0, kind: 'called', reason: 'ask', why: 'asked', route: 'open-console', tool: 'call_console', callId: 'c-dead', nearMisses: [], gate: [], reading: [], origins: {}, tableHash: 't', encoderId: 'e', at })
await log.begin({ callId: 'c-dead', by: 'router', tool: 'call_console', route: 'open-console', eventId: 'e-dead', decisionId: 'd-dead', explicit: true, args: {}, origins: {}, allowed: [], at })
await log.seen('user', 'undecided')
process.stdout.write('ready\n')
setInterval(() => undefined, 1000)
