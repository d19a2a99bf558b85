/** The real dispatcher on a log, with a tool whose only effect is a line in a witness file. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { Dispatcher } from '../../../src/dispatch/dispatcher.ts'
import type { SqliteLog } from '../../../src/log/sqlite.ts'
import type { EffectsObserver } from '../../../src/ports.ts'
import type { JsonObject, Outcome, Tool } from '../../../src/types.ts'
import { T0 } from './rows.ts'

/** Sees and stops nothing: these tests are about the log. */
const blind: EffectsObserver = { run: (_scope, work) => work(), background: (_name, work) => work(), of: () => [], attach: () => () => undefined, selfCheck: () => [] }

export interface Guarded {
  call(args?: JsonObject): Promise<Outcome>
  /** Ids of the calls whose handler ran. */
  ran(): readonly string[]
}

export function guarded(log: SqliteLog, witness: string): Guarded {
  const tool: Tool = {
    name: 'write_witness', description: 'Writes a line.', visible: { type: 'object' }, presetOnly: {}, effects: {}, origin: { kind: 'code' },
    run: (_args, call) => { appendFileSync(witness, `${call.callId}\n`) },
  }
  const dispatcher = new Dispatcher({ tools: new Map([[tool.name, tool]]), log, observer: blind, clock: { now: () => T0 } })
  let n = 0
  return {
    call: async (args = {}) => {
      const eventId = `event-${++n}`
      const event = { id: eventId, source: 'user', text: 'write it', at: T0 }
      const ready = dispatcher.prepare({ by: 'router', tool: tool.name, args: {}, route: 'write', event, eventId, explicit: true, origins: {}, allow: [] })
      if (ready.kind === 'refused') return { ...ready.outcome, nearMisses: [] }
      return dispatcher.run({ ...ready, args }, `decision-${n}`)
    },
    ran: () => existsSync(witness) ? readFileSync(witness, 'utf8').split('\n').filter(line => line !== '') : [],
  }
}
