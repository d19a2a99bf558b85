import { createWriteStream, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { defineTool } from '../../src/tools/define.ts'
import { UsherError } from '../../src/errors.ts'
import { workbench } from './workbench.ts'

let bench: ReturnType<typeof workbench>
beforeEach(() => { bench = workbench() })
afterEach(() => bench.close())

describe('trace:before: the row is there before the handler runs', () => {
  test('a handler finds its own row in the file, written by then', async () => {
    bench.close()
    let rows: unknown[] = []
    bench = workbench({ more: () => [defineTool({ name: 'peek', description: 'reads the log', input: z.object({}), effects: {}, run: (_args, call) => { rows = bench.sql(`select call_id, tool from calls where call_id = '${call.callId}'`) } })] })
    const outcome = await bench.call('peek', {})
    expect(rows).toEqual([{ call_id: 'callId' in outcome ? outcome.callId : '', tool: 'peek' }])
  })

  test('closed: a log that takes no row means no call, and the caller is told', async () => {
    bench.close()
    bench = workbench()
    bench.log.close()
    const outcome = await bench.call('write', { line: 'a' })
    expect(outcome).toMatchObject({ kind: 'denied', reason: 'log-failed' })
    expect(bench.happened()).toEqual([])
  })

  test.each([['a circle', () => { const items: unknown[] = []; items.push({ a: items }); return items }], ['a BigInt', () => [{ a: 1n }]], ['a date', () => new Date(0)]])('closed: %s in the arguments is not called', async (_name, items) => {
    expect(await bench.call('write', { line: 'a', items: items() })).toMatchObject({ kind: 'denied', reason: 'invalid-args' })
    expect(bench.happened()).toEqual([])
  })
})

describe('outcomes of a call', () => {
  test('called, with the arguments, the result and the effect under it', async () => {
    const outcome = await bench.call('write', { line: 'a' })
    expect(outcome).toMatchObject({ kind: 'called', reason: 'ask', tool: 'write', args: { line: 'a' }, result: { wrote: 'a' } })
    expect(bench.happened()).toEqual(['{"line":"a"}'])
    const callId = 'callId' in outcome ? outcome.callId : ''
    expect(bench.sql('select call_id, kind, blocked from effects')).toEqual([{ call_id: callId, kind: 'fs.write', blocked: 0 }])
  })
  test('failed, with the handler\'s own words', async () => expect(await bench.call('broken', {})).toMatchObject({ kind: 'failed', reason: 'error', why: 'no paper' }))
  test('unknown after the time limit, with the signal aborted', async () => {
    bench.close()
    const aborted: boolean[] = []
    bench = workbench({ timeout: 20, more: () => [defineTool({ name: 'deaf', description: 'never answers', input: z.object({}), effects: {}, run: (_args, call) => new Promise(() => { call.signal.addEventListener('abort', () => aborted.push(true)) }) })] })
    expect(await bench.call('deaf', {})).toMatchObject({ kind: 'unknown', reason: 'timeout' })
    expect(aborted).toEqual([true])
  })
  test('effect:bounded: blocked after the time limit too, where the handler waits for what was stopped', async () => {
    bench.close()
    bench = workbench({ timeout: 50, more: witness => [defineTool({ name: 'patient', description: 'listens to no error', input: z.object({}), effects: {}, run: () => new Promise(resolve => { createWriteStream(witness).once('finish', () => { resolve(undefined) }).end('x') }) })] })
    expect(await bench.call('patient', {})).toMatchObject({ kind: 'blocked', reason: 'undeclared-effect' })
    expect(bench.happened()).toEqual([])
  })
  test('effect:bounded: blocked, and the process lives, where a stream without a listener was stopped', async () => {
    bench.close()
    bench = workbench({ more: witness => [defineTool({ name: 'careless', description: 'listens to no error', input: z.object({}), effects: {}, run: async () => { createWriteStream(witness).write('x'); await new Promise(resolve => { setTimeout(resolve, 30) }) } })] })
    expect(await bench.call('careless', {})).toMatchObject({ kind: 'blocked', reason: 'undeclared-effect' })
    expect(bench.happened()).toEqual([])
  })
  test('unknown when the answer was lost', async () => {
    bench.close()
    bench = workbench({ more: () => [defineTool({ name: 'lost', description: 'its server died', input: z.object({}), effects: {}, run: () => { throw new UsherError('SERVER_FAILED', 'the server died') } })] })
    expect(await bench.call('lost', {})).toMatchObject({ kind: 'unknown', reason: 'lost-answer' })
  })
  test('effect:bounded: blocked, also where the handler swallowed the error, and nothing was written', async () => {
    expect(await bench.call('liar', {}, { explicit: false, allow: [] })).toMatchObject({ kind: 'blocked', reason: 'undeclared-effect' })
    expect(bench.happened()).toEqual([])
    expect(bench.sql('select blocked from effects')).toEqual([{ blocked: 1 }])
  })
  test('denied for a tool that nobody defined, whatever its name', async () => {
    for (const name of ['nobody', 'toString', '__proto__', 'constructor']) expect(await bench.call(name, {})).toMatchObject({ kind: 'denied', reason: 'unknown-tool' })
  })
})

describe('gate:default-only: who may have an effect', () => {
  test('the router, without an ask, only where there is none', async () => {
    expect(await bench.call('write', { line: 'a' }, { explicit: false })).toMatchObject({ kind: 'needs-approval', reason: 'effectful-call' })
    expect(await bench.call('quiet', {}, { explicit: false })).toMatchObject({ kind: 'called', reason: 'match' })
  })
  test('a tool that does not say what it does counts as destructive', async () => {
    expect(await bench.call('secretive', {})).toMatchObject({ kind: 'needs-approval', reason: 'unknown-effect' })
    expect(await bench.call('secretive', {}, { by: 'model', explicit: false })).toMatchObject({ kind: 'needs-approval', reason: 'unknown-effect' })
  })
  test('a model, only where there is none', async () => {
    expect(await bench.call('write', { line: 'a' }, { by: 'model', explicit: false })).toMatchObject({ kind: 'needs-approval', reason: 'effectful-call' })
    expect(await bench.call('quiet', { n: 2 }, { by: 'model', explicit: false })).toMatchObject({ kind: 'called', result: 2 })
  })
  test('an effect that the route does not allow', async () => {
    expect(await bench.call('write', { line: 'a' }, { allow: ['browser.open'] })).toMatchObject({ kind: 'needs-approval', reason: 'effect-not-allowed' })
    expect(bench.happened()).toEqual([])
  })
  test('a route may allow less than the tool declares: a narrower target is enforced', async () => {
    expect(await bench.call('write', { line: 'a' }, { allow: ['fs.write:/nowhere/*'] })).toMatchObject({ kind: 'blocked' })
    expect(bench.happened()).toEqual([])
    expect(await bench.call('write', { line: 'b' }, { allow: [`fs.write:${bench.folder}/*`] })).toMatchObject({ kind: 'called' })
  })
})

describe('preset:verbatim: nothing overrides a preset, and nothing undeclared arrives', () => {
  const preset = { open: true, mode: 'r\u0301aw' }
  const presetBytes = '{"mode":"r\u0301aw","open":true}'
  test('the handler gets the preset as it was written, and the log has its bytes', async () => {
    await bench.call('write', { line: 'a' }, { preset, presetBytes })
    expect(bench.happened()).toEqual([JSON.stringify({ line: 'a', open: true, mode: 'r\u0301aw' })])
    expect(bench.sql('select preset from calls')).toEqual([{ preset: presetBytes }])
  })
  test.each(['open', '\uFF4Fpen', 'mode', 'Open', 'OPEN', 'options.open', 'mo_de'])('an argument for the preset key %s is refused', async key => {
    expect(await bench.call('write', { line: 'a', [key]: false }, { preset, presetBytes })).toMatchObject({ kind: 'denied', reason: 'preset-override' })
    expect(bench.happened()).toEqual([])
  })
  test('a handler cannot change the route\'s preset for the next call', async () => {
    bench.close()
    const kept = { list: [1] }
    bench = workbench({ more: () => [defineTool({ name: 'vandal', description: 'changes what it is given', input: z.object({}), presetOnly: z.object({ list: z.array(z.number()) }), effects: {}, run: args => { try { args.list?.push(2) } catch (error) { return String(error) } return 'changed' } })] })
    const outcome = await bench.call('vandal', {}, { preset: kept })
    expect(outcome).toMatchObject({ kind: 'called', result: expect.stringContaining('TypeError') })
    expect(kept).toEqual({ list: [1] })
  })
  test('a preset-only key from a model needs a person, by name', async () => {
    expect(await bench.call('quiet', {}, { by: 'model', explicit: false })).toMatchObject({ kind: 'called' })
    const outcome = await bench.call('write', { line: 'a', open: true }, { by: 'model', explicit: false })
    expect(outcome).toMatchObject({ kind: 'needs-approval', reason: 'preset-only-key', why: expect.stringContaining('"open"') })
    expect(bench.happened()).toEqual([])
  })
  test('`__proto__` is a key like any other: it arrives nowhere', async () => {
    const args = JSON.parse('{"line":"a","__proto__":{"open":true}}') as object
    const outcome = await bench.call('write', args)
    expect(outcome).toMatchObject({ kind: 'called' })
    expect(bench.happened()).toEqual(['{"line":"a"}'])
  })
})

describe('args:dropped: a lost key is named, and a lost safety key blocks the call', () => {
  test('named in the result and in the log', async () => {
    const outcome = await bench.call('write', { line: 'a', colour: 'red', items: [{ a: 1, b: 2 }] })
    expect(outcome).toMatchObject({ kind: 'called', result: { wrote: 'a', _ignoredKeys: ['colour', 'items[0].b'] } })
    expect(bench.happened()).toEqual(['{"line":"a","items":[{"a":1}]}'])
    expect(bench.sql('select ignored_keys from calls')[0]?.['ignored_keys']).toBe('["\\"colour\\"","\\"items[0].b\\""]')
  })
  test.each(['dryRun', 'Dry_Run', 'dry-run'])('%s is near dry_run', async key => {
    expect(await bench.call('write', { line: 'a', [key]: true })).toMatchObject({ kind: 'denied', reason: 'safety-key', why: expect.stringContaining('"dry_run"') })
    expect(bench.happened()).toEqual([])
  })
  test.each([['a number for a string', { line: 7 }], ['text for a boolean', { line: 'a', dry_run: 'false' }], ['a missing required value', {}]])('%s is refused, never coerced', async (_name, args) => {
    expect(await bench.call('write', args)).toMatchObject({ kind: 'denied', reason: 'invalid-args' })
    expect(bench.happened()).toEqual([])
  })
})

test('the log keeps no more of a result than it should, and a result that is no JSON does not fail the call', async () => {
  bench.close()
  const circle: { self?: object } = {}
  circle.self = circle
  bench = workbench({ more: () => [
    defineTool({ name: 'round', description: 'returns a circle', input: z.object({}), effects: {}, run: () => circle }),
    defineTool({ name: 'huge', description: 'returns much', input: z.object({}), effects: {}, run: () => 'y'.repeat(1_000_000) }),
  ] })
  expect(await bench.call('round', {})).toMatchObject({ kind: 'called', result: circle })
  expect(await bench.call('huge', {})).toMatchObject({ kind: 'called' })
  expect(readFileSync(bench.file).length + readFileSync(`${bench.file}-wal`).length).toBeLessThan(1_000_000)
})
