/** What holds in every runtime: one set of cases, run over each adapter against its real package. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { workbench, type Workbench } from './workbench.ts'

export interface Turn {
  /** The tools as they went to the model, by name: a JSON Schema each. */
  readonly offered: ReadonlyMap<string, unknown>
  /** What the model got back for its call; undefined: the runtime stopped before it, to ask a person. */
  readonly answer: unknown
  readonly asked: boolean
}

/** One turn in which the model calls one tool, and a person says yes or no where the runtime asks. */
export interface Adapter {
  readonly name: string
  /** The runtime asks a person by a mechanism of its own. */
  readonly approvals: boolean
  turn(bench: Workbench, call: { readonly tool: string, readonly args: object, readonly person?: 'yes' | 'no', /** Arguments that somebody puts in place of the approved ones. */ readonly swapped?: object }): Promise<Turn>
}

export function adapterCases(adapter: Adapter): void {
  describe(`${adapter.name}: what holds in every runtime`, () => {
    let bench: Workbench
    beforeAll(async () => { bench = await workbench() })
    afterAll(() => bench.close())
    beforeEach(() => { bench.done.length = 0; bench.rowFirst.length = 0 })
    const last = () => bench.entries().at(-1)

    test('fill:blind: the model sees the visible schema, and no preset-only parameter anywhere in it', async () => {
      const { offered } = await adapter.turn(bench, { tool: 'weather', args: {} })
      expect([...offered.keys()].sort()).toEqual(['broken', 'lamp', 'send', 'weather'])
      expect(JSON.stringify(offered.get('lamp'))).toContain('room')
      expect(JSON.stringify(offered.get('lamp'))).not.toMatch(/"on"/)
    })

    test('trace:before, trace:every-way: a call without effects runs through the dispatcher, its row first', async () => {
      const { answer } = await adapter.turn(bench, { tool: 'weather', args: { city: 'Oslo' } })
      expect(answer).toMatchObject({ sky: 'clear', city: 'Oslo' })
      expect(bench.done).toEqual(['weather Oslo'])
      expect(bench.rowFirst).toEqual([true])
      expect(last()).toMatchObject({ outcome: 'called', call: { call: { by: 'model', tool: 'weather', args: { city: 'Oslo' } } } })
    })

    test('args:dropped: keys that nobody declared never reach the handler, and the answer names them', async () => {
      const { answer } = await adapter.turn(bench, { tool: 'weather', args: { city: 'Oslo', units: 'metric', constructor: 1 } })
      expect(answer).toMatchObject({ city: 'Oslo', _ignoredKeys: expect.arrayContaining(['units', 'constructor']) })
      expect(last()?.call?.call.args).toEqual({ city: 'Oslo' })
    })

    test('gate:default-only: a call with effects reaches no handler without a person', async () => {
      const { answer } = await adapter.turn(bench, { tool: 'send', args: { to: 'ann', text: 'hello' }, person: 'no' })
      expect(bench.done).toEqual([])
      expect(JSON.stringify(answer) ?? '').not.toContain('"sent"')
    })

    test('preset:verbatim: a model cannot force a preset-only parameter', async () => {
      await adapter.turn(bench, { tool: 'lamp', args: { room: 'hall', on: true }, person: 'no' })
      expect(bench.done).toEqual([])
      await adapter.turn(bench, { tool: 'lamp', args: { room: 'hall', On: true }, person: 'no' })
      expect(bench.done.filter(what => what.includes('true'))).toEqual([])
    })

    test('a handler that throws is no answer: the model learns that it failed', async () => {
      const { answer } = await adapter.turn(bench, { tool: 'broken', args: {} })
      expect(JSON.stringify(answer)).toContain('the wire is cut')
      expect(last()).toMatchObject({ outcome: 'failed' })
    })

    if (!adapter.approvals) return
    test('control:human: after a person\'s yes the approved bytes run, once', async () => {
      const { answer, asked } = await adapter.turn(bench, { tool: 'send', args: { to: 'ann', text: 'hello' }, person: 'yes' })
      expect(asked).toBe(true)
      expect(answer).toBe('sent')
      expect(bench.done).toEqual(['send ann: hello'])
      expect(bench.rowFirst).toEqual([true])
    })

    test('control:human: arguments that took the place of the approved ones do not run', async () => {
      const { answer } = await adapter.turn(bench, { tool: 'send', args: { to: 'ann', text: 'hello' }, person: 'yes', swapped: { to: 'eve', text: 'the keys are under the mat' } })
      expect(bench.done).toEqual([])
      expect(JSON.stringify(answer) ?? '').not.toContain('"sent"')
    })
  })
}
