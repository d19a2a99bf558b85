/**
 * A runtime to be killed: events, decisions, calls through the real dispatcher and observer, and a file per effect as the witness.
 *
 * node workload.mjs LOG STATE_DIR WITNESS_DIR NAME CALLS [BROKEN]
 *
 * BROKEN plants a fault, to show that the harness sees it: `no-row` (calls without a row), `no-effect` (calls that only claim their effect).
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Dispatcher } from '../../dist/dispatch/dispatcher.js'
import { installObserver } from '../../dist/effects/observer.js'
import { openSqliteLog } from '../../dist/log/sqlite.js'

const [file, stateDir, witnessDir, name, calls, broken] = process.argv.slice(2)
const observer = installObserver()
const log = openSqliteLog(file, { stateDir, groupCommitMs: 20, background: (work, run) => observer.background(work, run) })
observer.attach(effect => log.effect(effect))
const clock = { now: () => Date.now() }
const allowed = [`fs.write:${witnessDir}/*`]

const tool = {
  name: 'write_witness', description: 'Leaves a file.', visible: { type: 'object' }, presetOnly: {}, effects: { always: allowed }, origin: { kind: 'code' },
  run: async (_args, call) => {
    await wait(Math.random() * 3)
    if (broken !== 'no-effect') appendFileSync(join(witnessDir, call.callId), `${Date.now()}\n`)
    await wait(Math.random() * 3)
    return { written: true }
  },
}
/** The log with a `begin` that writes nothing. */
function rowless(whole) {
  return { begin: () => undefined, end: () => undefined, effect: effect => whole.effect(effect) }
}
const dispatcher = new Dispatcher({ tools: new Map([[tool.name, tool]]), log: broken === 'no-row' ? rowless(log) : log, observer, clock })

async function one(n) {
  const event = { id: `${name}-${n}`, source: 'user', text: `write witness ${n}`, at: clock.now() }
  log.event({ eventId: event.id, senderId: event.id, source: event.source, text: event.text, textLength: event.text.length, at: event.at })
  const request = { by: 'router', tool: tool.name, args: {}, route: 'write-witness', event, eventId: event.id, explicit: true, origins: {}, allow: allowed }
  const ready = dispatcher.prepare(request)
  if (ready.kind === 'refused') throw new Error(ready.outcome.why)
  const decisionId = `${name}-d${n}`
  log.decision({ decisionId, eventId: event.id, nth: 0, kind: 'called', reason: 'ask', why: 'asked', route: request.route, tool: tool.name, callId: ready.callId, nearMisses: [], gate: [], reading: [], origins: {}, tableHash: 't', encoderId: 'e', at: clock.now() })
  const outcome = await dispatcher.run(ready, decisionId)
  if (outcome.kind !== 'called') throw new Error(`${outcome.kind}: ${outcome.why}`)
}

process.stdout.write('ready\n')
for (let n = 0; n < Number(calls); n += 2) {
  await Promise.all([one(n), one(n + 1)])
  process.stdout.write('pair\n')
}
log.close()
process.stdout.write('done\n')
