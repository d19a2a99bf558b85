import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import fsModule from 'node:fs'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { installObserver, type InstalledObserver } from '../../src/effects/observer.ts'
import { UsherError } from '../../src/errors.ts'
import type { Effect } from '../../src/types.ts'

let dir: string
let observer: InstalledObserver
let seen: Effect[]
let detach: () => void
const later = (ms: number) => new Promise<void>(done => { setTimeout(done, ms) })

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'usher-observer-'))
  observer = installObserver()
  seen = []
  detach = observer.attach(effect => { seen.push(effect) })
})
afterEach(() => {
  detach()
  observer.uninstall()
  rmSync(dir, { recursive: true, force: true })
})

describe('whose effect it is', () => {
  test('effect:observed: calls that run at the same time keep their effects apart', async () => {
    const work = (callId: string) => observer.run({ callId, mode: 'observe', allowed: null }, async () => {
      for (let nth = 0; nth < 5; nth++) {
        await later(nth % 2)
        await fs.promises.writeFile(join(dir, `${callId}-${nth}`), '')
      }
    })
    await Promise.all(['a', 'b', 'c'].map(work))
    for (const callId of ['a', 'b', 'c']) {
      expect(observer.of(callId).map(({ target }) => target)).toEqual([0, 1, 2, 3, 4].map(nth => join(dir, `${callId}-${nth}`)))
    }
    expect(seen).toHaveLength(15)
  })

  test('effect:observed: an effect outside any call is recorded with none', () => {
    writeFileSync(join(dir, 'x'), '')
    expect(seen).toEqual([expect.objectContaining({ kind: 'fs.write', target: join(dir, 'x'), callId: null })])
    expect(seen[0]).not.toHaveProperty('background')
    expect(seen[0]?.detail?.['by']).toMatch(/observer\.test\.ts:\d+:\d+$/)
  })

  test('effect:observed: named background work is recorded under its name, also inside a call, where it is not held back', async () => {
    observer.background('sync', () => { writeFileSync(join(dir, 'x'), '') })
    await observer.run({ callId: 'c', mode: 'enforce', allowed: [] }, async () => { observer.background('sync', () => { writeFileSync(join(dir, 'y'), '') }) })
    expect(seen).toEqual([
      expect.objectContaining({ callId: null, background: 'sync', target: join(dir, 'x') }),
      expect.objectContaining({ callId: null, background: 'sync', target: join(dir, 'y'), detail: expect.objectContaining({ within: 'c' }) as unknown }),
    ])
  })

  test('effect:observed: what the host accepted as its baseline is its own, outside calls only', async () => {
    observer.accept('model', [`fs.write:${dir}/cache/*`])
    expect(() => { observer.accept('x', ['fs.wriet']) }).toThrow(/BAD_OPTION|no effect/)
    fs.mkdirSync(join(dir, 'cache'))
    writeFileSync(join(dir, 'cache', 'x'), '')
    await observer.run({ callId: 'c', mode: 'observe', allowed: null }, async () => { writeFileSync(join(dir, 'cache', 'y'), '') })
    expect(seen.map(({ background, callId }) => [background, callId])).toEqual([[undefined, null], ['model', null], [undefined, 'c']])
  })

  test('effect:observed: what another watcher saw goes the same way', async () => {
    await observer.run({ callId: 'c', mode: 'observe', allowed: null }, async () => undefined)
    const effect: Effect = { kind: 'fs.write', target: '/a', blocked: false, callId: 'c', at: 1, watcher: 'strace' }
    observer.record(effect)
    expect(seen).toEqual([effect])
    expect(observer.of('c')).toEqual([effect])
  })

  test('effect:bounded: work that outlives its call still belongs to it, and is still stopped', async () => {
    let late: Promise<unknown> = Promise.resolve()
    await observer.run({ callId: 'c', mode: 'enforce', allowed: [] }, async () => {
      late = later(5).then(() => fs.promises.writeFile(join(dir, 'late'), '')).catch((error: unknown) => error)
    })
    const error = await late
    expect(UsherError.is(error) && error.code).toBe('EFFECT_BLOCKED')
    expect(observer.of('c')).toEqual([expect.objectContaining({ blocked: true, target: join(dir, 'late') })])
    expect(fs.existsSync(join(dir, 'late'))).toBe(false)
  })

  test('effect:observed: of knows nothing of a call that never was, whatever its name', () => {
    for (const name of ['nobody', 'toString', 'constructor', '__proto__']) expect(observer.of(name)).toEqual([])
  })
})

describe('what may happen', () => {
  const act = () => { writeFileSync(join(dir, 'x'), '') }
  const blocked = () => seen.map(effect => [effect.blocked, effect.detail?.['reason']])
  const attempt = async (allowed: readonly string[] | null, declared?: readonly string[]) => {
    await observer.run({ callId: 'c', mode: 'enforce', allowed, ...declared ? { declared } : {} }, async () => { try { act() } catch (error) { if (!UsherError.is(error)) throw error } })
  }

  test('effect:bounded: with null and with an empty list nothing may happen', async () => {
    await attempt(null)
    await attempt([])
    expect(blocked()).toEqual([[true, 'not-allowed'], [true, 'not-allowed']])
  })

  test('effect:bounded: an effect has to be declared and allowed, and the record says which was missing', async () => {
    await attempt(['fs.write'], [])
    await attempt([], ['fs.write'])
    await attempt(['fs.write'], ['data.change'])
    expect(blocked()).toEqual([[true, 'not-declared'], [true, 'not-allowed'], [false, undefined]])
  })

  test('effect:bounded: the kind unknown, and patterns that are none, let nothing through', async () => {
    await attempt(['unknown', '*', 'fs', 'fs.write:', 'toString', `fs.write:${dir}`])
    expect(blocked()).toEqual([[true, 'not-allowed']])
  })

  test('closed: an effect that cannot be recorded does not happen in a call that is held back', async () => {
    const broken = observer.attach(() => { throw new Error('the disk is full') })
    const error: unknown = await observer.run({ callId: 'c', mode: 'enforce', allowed: ['fs.write'] }, async () => { act() }).catch((error: unknown) => error)
    broken()
    expect(UsherError.is(error) && error.code).toBe('EFFECT_BLOCKED')
    expect(fs.existsSync(join(dir, 'x'))).toBe(false)
    expect(observer.selfCheck()).toContainEqual(expect.stringContaining('the disk is full'))
  })
})

describe('nothing else changes', () => {
  test('effect:observed: functions keep name, length, properties, results and errors, and uninstall puts Node\'s own back', () => {
    const before = { open: fs.open, writeFileSync: fs.writeFileSync }
    observer.uninstall()
    const own = { open: fs.open, writeFileSync: fs.writeFileSync, write: fs.write }
    expect(own.open).not.toBe(before.open)
    observer = installObserver()
    for (const key of ['open', 'writeFileSync', 'write'] as const) {
      expect(fs[key]).not.toBe(own[key])
      expect([fs[key].name, fs[key].length]).toEqual([own[key].name, own[key].length])
      expect(Reflect.ownKeys(fs[key]).filter(name => name !== Symbol.for('usher-router.original'))).toEqual(Reflect.ownKeys(own[key]))
    }
    const errors = [own.writeFileSync, fs.writeFileSync].map(write => { try { write(join(dir, 'no', 'such'), ''); return undefined } catch (error) { return { ...error as NodeJS.ErrnoException } } })
    expect(errors[1]).toEqual(errors[0])
    expect(() => { fs.writeFileSync(undefined as unknown as string, '') }).toThrow(/"path" argument/)
    expect(() => { (fs.open as unknown as (path: string) => void)(join(dir, 'x')) }).toThrow(/"cb" argument/)
  })

  test('effect:observed: util.promisify keeps its custom forms', async () => {
    const file = fs.openSync(join(dir, 'x'), 'w')
    expect(await promisify(fs.write)(file, 'abc')).toEqual({ bytesWritten: 3, buffer: 'abc' })
    fs.closeSync(file)
  })

  test('effect:observed: installing twice records each effect once, and the last holder to let go removes it', () => {
    const second = installObserver()
    writeFileSync(join(dir, 'x'), '')
    expect(seen).toHaveLength(1)
    second.uninstall()
    second.uninstall()
    writeFileSync(join(dir, 'y'), '')
    expect(seen).toHaveLength(2)
    observer.uninstall()
    writeFileSync(join(dir, 'z'), '')
    expect(seen).toHaveLength(2)
    observer = installObserver()
  })

  test('effect:observed: somebody who wrapped a builtin afterwards keeps a working function when the observer goes', () => {
    const under = fs.mkdirSync
    const wrapper = ((...args: Parameters<typeof fs.mkdirSync>) => under(...args)) as typeof fs.mkdirSync
    const table = fsModule as { mkdirSync: typeof fs.mkdirSync }
    table.mkdirSync = wrapper
    observer.uninstall()
    expect(table.mkdirSync).toBe(wrapper)
    table.mkdirSync(join(dir, 'made'))
    expect(seen).toEqual([])
    expect(fs.existsSync(join(dir, 'made'))).toBe(true)
    observer = installObserver()
    const anew: Effect[] = []
    observer.attach(effect => { anew.push(effect) })
    table.mkdirSync(join(dir, 'again'))
    expect(anew.map(({ target }) => target)).toEqual([join(dir, 'again')])
    observer.uninstall()
    table.mkdirSync = (under as unknown as Record<symbol, typeof fs.mkdirSync>)[Symbol.for('usher-router.original')] ?? under
    observer = installObserver()
  })

  test('effect:observed: what a sink does itself is no effect', () => {
    const off = observer.attach(effect => { writeFileSync(join(dir, 'log'), effect.kind) })
    writeFileSync(join(dir, 'x'), '')
    off()
    expect(seen.map(({ target }) => target)).toEqual([join(dir, 'x')])
    expect(fs.readFileSync(join(dir, 'log'), 'utf8')).toBe('fs.write')
  })

  test('effect:observed: standard streams, reads and /dev/null are no effects', () => {
    fs.writeSync(1, '')
    fs.readFileSync(import.meta.filename)
    fs.openSync('/dev/null', 'w')
    expect(execFileSync).toBeTypeOf('function')
    expect(seen).toEqual([])
  })
})
