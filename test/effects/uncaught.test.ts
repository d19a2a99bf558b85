/** A stopped effect of which nobody caught the error does not end the process; any other error still does. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installObserver } from '../../src/effects/observer.ts'
import { isCausedBy } from '../../src/effects/uncaught.ts'
import { builtFile } from '../../src/util/built.ts'

const fixture = fileURLToPath(new URL('../fixtures/effects/late.mjs', import.meta.url))
const built = builtFile(new URL('../../src/effects/observer.ts', import.meta.url).href, './observer.js').href

let folder: string
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'usher-late-')) })
afterEach(() => { rmSync(folder, { recursive: true, force: true }) })

const late = (...more: readonly string[]) => spawnSync(process.execPath, [fixture, built, folder, ...more], { encoding: 'utf8' })
const shapes = JSON.parse(late('names').stdout) as readonly string[]

test.each(shapes)('effect:bounded: nobody catches the error of a stopped effect (%s), and the process lives', shape => {
  const { stdout, stderr, status } = late(shape)
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  const { blocked } = JSON.parse(stdout) as { readonly blocked: readonly boolean[] }
  expect(blocked.length).toBeGreaterThan(0)
  expect(blocked).not.toContain(false)
  expect(readdirSync(folder)).toEqual([])
})

test('effect:bounded: a host that ends itself at any uncaught error does not hear of a stopped effect', () => {
  for (const shape of ['timer', 'derived', 'stream']) expect(JSON.parse(late(shape, 'listens').stdout)).toMatchObject({ heard: [], blocked: [true] })
})

const script = (body: string) => spawnSync(process.execPath, ['--input-type=module', '-e', `const { installObserver } = await import(${JSON.stringify(built)})
  const observer = installObserver()
  const { writeFileSync } = await import('node:fs')
  ${body}`], { encoding: 'utf8', cwd: folder })

test.each([
  ['a tool\'s own error', 'observer.run({ callId: "c", mode: "enforce", allowed: [] }, () => { setTimeout(() => { throw new Error("its own") }, 1) }); setTimeout(() => {}, 50)', 'its own'],
  ['a rejection of the host', 'Promise.reject(new Error("of the host"))', 'of the host'],
  ['an error that says of itself that it is one of ours', 'setTimeout(() => { throw Object.assign(new Error("pretends"), { code: "EFFECT_BLOCKED", name: "UsherError" }) }, 1)', 'pretends'],
  ['ours, once the observer is gone', 'observer.run({ callId: "c", mode: "enforce", allowed: [] }, () => { try { writeFileSync("x", "") } catch (error) { observer.uninstall(); setTimeout(() => { throw error }, 1) } })', 'was stopped before it happened'],
])('effect:observed: %s ends the process as ever', (_what, body, words) => {
  const { status, stderr } = script(body)
  expect(status).not.toBe(0)
  expect(stderr).toContain(words)
})

test('effect:observed: the listeners of the process, and its emit, are as they were', () => {
  const before = Object.getOwnPropertyDescriptor(process, 'emit')
  const listeners = process.listenerCount('uncaughtException')
  const observer = installObserver()
  expect(process.listenerCount('uncaughtException')).toBe(listeners)
  observer.uninstall()
  expect(Object.getOwnPropertyDescriptor(process, 'emit')).toEqual(before)
})

test('effect:bounded: a cause is looked for in a circle, behind a getter that throws and in no error at all, and the search ends', () => {
  const ours = new Error('ours')
  const is = (error: object) => error === ours
  const circle: { cause?: unknown } = {}
  circle.cause = circle
  expect(isCausedBy(new AggregateError([new Error('other'), new Error('outer', { cause: ours })]), is)).toBe(true)
  for (const error of [circle, { get cause() { throw new Error('no') } }, undefined, null, 'ours', 7, new Proxy({}, { get() { throw new Error('no') } })]) expect(isCausedBy(error, is)).toBe(false)
})
