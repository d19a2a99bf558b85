/** What a program sees of the observer: nothing. Every replacement is compared with what it stands in for. */
import childProcess from 'node:child_process'
import cluster from 'node:cluster'
import dgram from 'node:dgram'
import dns from 'node:dns'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { installObserver, type InstalledObserver } from '../../src/effects/observer.ts'

const ORIGINAL = Symbol.for('usher-router.original')
type Fn = ((this: unknown, ...args: unknown[]) => unknown) & { [ORIGINAL]?: Fn }

let observer: InstalledObserver
beforeEach(() => {
  observer = installObserver()
  observer.attach(() => undefined)
})
afterEach(() => { observer.uninstall() })

/** Node's own function under however many layers. */
function nodesOwn(wrapped: Fn): Fn {
  let own = wrapped
  while (own[ORIGINAL]) own = own[ORIGINAL]
  return own
}

const holders: readonly [string, object][] = [['fs', fs], ['fs.promises', fs.promises], ['child_process', childProcess], ['dns', dns], ['dns.promises', dns.promises], ['process', process],
  ['ChildProcess', childProcess.ChildProcess.prototype], ['Socket', net.Socket.prototype], ['Server', net.Server.prototype], ['dgram', dgram.Socket.prototype]]
const replaced = (): (readonly [string, Fn, object])[] => holders.flatMap(([name, holder]) => Reflect.ownKeys(holder).flatMap(key => {
  const value = key === 'binding' ? undefined : Object.getOwnPropertyDescriptor(holder, key)?.value as unknown
  return typeof value === 'function' && Object.hasOwn(value, ORIGINAL) ? [[`${name}.${String(key)}`, value as Fn, holder] as const] : []
}))

/** What a call comes to, as far as a program could tell. */
function outcome(work: () => unknown): unknown {
  try {
    const value = work()
    return value instanceof Promise ? value.then(() => 'kept', (error: NodeJS.ErrnoException) => ['rejected', error.code, error.message]) : ['value', typeof value]
  } catch (error) {
    return ['threw', (error as NodeJS.ErrnoException).code, (error as Error).message]
  }
}

test('effect:observed: every replacement has the name, the length and the properties of what it stands in for', () => {
  const all = replaced()
  expect(all.length).toBeGreaterThan(100)
  for (const [name, wrapped] of all) {
    const own = nodesOwn(wrapped)
    expect([name, wrapped.name, wrapped.length]).toEqual([name, own.name, own.length])
    expect([name, Reflect.ownKeys(wrapped).filter(key => key !== ORIGINAL)]).toEqual([name, Reflect.ownKeys(own)])
    expect(Object.getPrototypeOf(wrapped)).toBe(Object.getPrototypeOf(own))
  }
})

/** Arguments that no builtin takes, so that nothing can happen in either form. No symbols: some of Node's own functions end the process with them. */
const rubbish = fc.constantFrom<unknown>(undefined, null, true, Number.NaN, -1.5, {}, [], () => 'a\0b', 10n, '\0', { flag: 7, path: 3 }, { port: 'x' }, new Date(0), new URL('http://a.example'))
/** These take anything, or do something with it; `_debugProcess` ends the process. */
const AGREEABLE = ['Socket.connect', 'Server.listen', 'ChildProcess.kill', 'dgram.bind', 'process.kill', 'process._debugProcess', 'dgram.connect']

test.each(['observe', 'enforce'] as const)('effect:observed: wrong arguments get Node\'s own errors (%s)', async mode => {
  const functions = replaced().filter(([name]) => !AGREEABLE.includes(name))
  await fc.assert(fc.asyncProperty(fc.constantFrom(...functions), fc.array(rubbish, { maxLength: 4 }), async ([name, wrapped], args) => {
    const self = name.startsWith('ChildProcess') ? new childProcess.ChildProcess() : name.startsWith('dgram') ? dgram.createSocket('udp4') : undefined
    const allowed = ['fs.write', 'fs.delete', 'fs.chmod', 'fs.rename', 'process.start', 'dns.lookup', 'udp.send', 'process.signal', 'native.load']
    const [seen, own] = await observer.run({ callId: 'c', mode, allowed }, async () => [await outcome(() => Reflect.apply(wrapped, self, args)), await outcome(() => Reflect.apply(nodesOwn(wrapped), self, args))])
    expect([name, args, seen]).toEqual([name, args, own])
  }), { seed: 11, numRuns: 1500 })
})

describe('children of a cluster', () => {
  test('effect:observed: a worker of a cluster is a process start, and works', async () => {
    cluster.setupPrimary({ exec: 'data:', execArgv: ['-e', 'process.send("up"); process.disconnect()'], silent: true })
    await observer.run({ callId: 'c', mode: 'observe', allowed: null }, async () => {
      const worker = cluster.fork()
      expect(await once(worker, 'message')).toEqual(['up', undefined])
      await once(worker, 'exit')
    })
    expect(observer.of('c')).toEqual([expect.objectContaining({ kind: 'process.start', target: process.execPath })])
  })
})
