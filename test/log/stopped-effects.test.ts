import { expect, onTestFinished, test } from 'vitest'
import { openLogReader } from '../../src/log/reader.ts'
import { stoppedEffects } from '../../src/log/stopped-effects.ts'
import { unexplained } from '../../src/log/unexplained.ts'
import { callOf, effectOf, endOf, T0, tempLog } from './support/rows.ts'

test('effect:bounded: what was stopped is told by tool and target, newest first, and is never unexplained', () => {
  const { log, file } = tempLog()
  log.begin(callOf())
  for (let n = 0; n < 3; n++) log.effect(effectOf({ blocked: true, target: '/usr/bin/curl', at: T0 + n, detail: { reason: 'not-declared' } }))
  log.effect(effectOf({ at: T0 + 4 }))
  log.effect(effectOf({ blocked: true, target: 'odd\0target', at: T0 + 5 }))
  log.end(endOf({ kind: 'blocked' }))
  log.close()
  const reader = openLogReader(file)
  onTestFinished(() => reader.close())
  expect(stoppedEffects(reader)).toEqual([
    { kind: 'process.start', target: 'odd\0target', tool: 'call_console', route: 'open-console', times: 1, last: T0 + 5, callId: 'call-1' },
    { kind: 'process.start', target: '/usr/bin/curl', tool: 'call_console', route: 'open-console', reason: 'not-declared', times: 3, last: T0 + 2, callId: 'call-1' },
  ])
  expect(stoppedEffects(reader, T0 + 3)).toHaveLength(1)
  expect(unexplained(reader)).toEqual([])
})
