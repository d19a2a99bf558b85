import * as fc from 'fast-check'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openForWriting } from '../../src/log/connection.ts'
import { Journal } from '../../src/log/journal.ts'
import { openLogReader } from '../../src/log/reader.ts'
import { callRow, effectRow, eventRow, outcomeRow } from '../../src/log/rows.ts'
import { Secrets } from '../../src/log/secrets.ts'
import { openSqliteLog } from '../../src/log/sqlite.ts'
import { unexplained } from '../../src/log/unexplained.ts'
import type { CallRow } from '../../src/ports.ts'
import { covers } from '../../src/vocabulary/effects.ts'
import { callOf, effectOf, endOf, eventOf, tempDir } from './support/rows.ts'

interface Scenario {
  readonly calls: readonly { readonly by: CallRow['by'], readonly explicit: boolean, readonly allowed: readonly string[] | null, readonly causedBy: number | null, readonly unknown: boolean }[]
  readonly effects: readonly { readonly call: number | null, readonly kind: string, readonly target: string, readonly blocked: boolean, readonly background: boolean }[]
}

const pattern = fc.constantFrom('browser.open', 'process.start', 'process.start:xdg-open', 'fs.write:/a/*', 'fs.write', 'data.change:/a/b', 'net.connect:*:443', 'unknown', 'nonsense')
const scenario: fc.Arbitrary<Scenario> = fc.record({
  calls: fc.array(fc.record({
    by: fc.constantFrom<CallRow['by']>('router', 'model', 'person', 'proxy', 'approval', 'replay'), explicit: fc.boolean(), allowed: fc.option(fc.array(pattern, { maxLength: 3 })),
    causedBy: fc.option(fc.nat({ max: 7 })), unknown: fc.boolean(),
  }), { maxLength: 6 }),
  effects: fc.array(fc.record({
    call: fc.option(fc.nat({ max: 7 }), { freq: 6 }), kind: fc.constantFrom('process.start', 'fs.write', 'net.connect'), target: fc.constantFrom('xdg-open', '/usr/bin/xdg-open', '/a/b', '/b', 'a.example:443'),
    blocked: fc.boolean(), background: fc.boolean(),
  }), { maxLength: 6 }),
})

/** The rule in words of the program, apart from the SQL. A call's number may name a call that is not there, and the causes may go in a circle. */
function expected({ calls, effects }: Scenario): (string | undefined)[] {
  return effects.map(effect => {
    if (effect.blocked) return undefined
    if (effect.call === null) return effect.background ? undefined : 'no-call'
    const own = calls[effect.call]
    if (!own) return 'unlogged-call'
    const within = (call: typeof own) => (call.allowed ?? []).some(allowed => covers(allowed, effect))
    const asked = (call: typeof own) => call.explicit || call.by === 'person' || call.by === 'approval'
    const seen = new Set<number>()
    let explained = asked(own)
    for (let at: number | null | undefined = effect.call; at !== null && at !== undefined && !seen.has(at); at = calls[at]?.causedBy) {
      seen.add(at)
      const call = calls[at]
      if (call && asked(call) && within(call)) explained = true
    }
    return !explained ? 'no-ask' : within(own) ? undefined : 'beyond-declared'
  })
}

test('over 400 random days the view finds exactly what the rule finds', () => {
  const days = fc.sample(scenario, { numRuns: 400, seed: 6 })
  const secrets = new Secrets(Buffer.alloc(32))
  const rows = days.flatMap((day, d) => [
    ...day.calls.flatMap((call, c) => [
      eventRow(eventOf({ eventId: `e${d}.${c}`, senderId: `s${d}.${c}`, ...(call.causedBy === null ? {} : { causedBy: `c${d}.${call.causedBy}` }) }), secrets),
      callRow(callOf({ callId: `c${d}.${c}`, eventId: `e${d}.${c}`, by: call.by, explicit: call.explicit, allowed: call.allowed }), secrets),
      outcomeRow(endOf({ callId: `c${d}.${c}`, kind: call.unknown ? 'unknown' : 'called', reason: call.unknown ? 'crashed' : 'ask' }), secrets),
    ]),
    ...day.effects.map((effect, e) => effectRow(effectOf({
      kind: effect.kind, target: effect.target, blocked: effect.blocked, callId: effect.call === null ? null : `c${d}.${effect.call}`, detail: { is: `${d}.${e}` }, ...(effect.background ? { background: 'sync' } : {}),
    }), secrets)),
  ])
  const file = join(tempDir(), 'days.db')
  openSqliteLog(file, { stateDir: join(tempDir(), 'state') }).close()
  const { db } = openForWriting(file, 0)
  new Journal(db, file).append(rows)
  db.close()
  const reader = openLogReader(file)
  const names = new Map((reader.db.prepare('SELECT effect_id, json_extract(detail, \'$.is\') FROM effects').raw().all()) as [string, string][])
  const found = unexplained(reader)
  reader.close()
  const wanted = days.flatMap((day, d) => expected(day).flatMap((reason, e) => reason === undefined ? [] : [`${d}.${e} ${reason}`]))
  expect(found.filter(one => one.kind !== undefined).map(one => `${names.get(one.id)} ${one.reason}`).sort()).toEqual(wanted.sort())
  expect(found.filter(one => one.kind === undefined).map(one => one.id).sort()).toEqual(days.flatMap((day, d) => day.calls.flatMap((call, c) => call.unknown ? [`c${d}.${c}`] : [])).sort())
  expect(new Set(found.map(one => one.reason)).size).toBe(5)
})
