/** Where a write really goes: through links, through descriptors, under other names. */
import * as fs from 'node:fs'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeHeapSnapshot } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { installObserver, type InstalledObserver } from '../../src/effects/observer.ts'
import { UsherError } from '../../src/errors.ts'
import { makeWorld, type World } from './tables/world.ts'

let world: World
let observer: InstalledObserver
let allowedFolder: string

beforeEach(async () => {
  world = await makeWorld()
  allowedFolder = join(world.dir, 'allowed')
  mkdirSync(allowedFolder)
  observer = installObserver()
})
afterEach(async () => {
  observer.uninstall()
  await world.close()
})

const blocked = async (work: () => unknown, allowed = [`fs.write:${allowedFolder}/*`]): Promise<boolean> => {
  const error: unknown = await observer.run({ callId: 'c', mode: 'enforce', allowed }, async () => { await work() }).catch((error: unknown) => error)
  if (error !== undefined && !UsherError.is(error)) throw error
  return error !== undefined
}
const untouched = () => fs.readFileSync(world.old, 'utf8') === 'before'

describe('links', () => {
  test('effect:bounded: a link inside an allowed folder does not lead out of it', async () => {
    symlinkSync(world.old, join(allowedFolder, 'link'))
    symlinkSync(world.folder, join(allowedFolder, 'folder'))
    symlinkSync(world.fresh, join(allowedFolder, 'dangling'))
    expect(await blocked(() => { writeFileSync(join(allowedFolder, 'link'), 'x') })).toBe(true)
    expect(await blocked(() => { writeFileSync(join(allowedFolder, 'folder', 'x'), 'x') })).toBe(true)
    expect(await blocked(() => { writeFileSync(join(allowedFolder, 'dangling'), 'x') })).toBe(true)
    expect(await blocked(() => fs.promises.appendFile(join(allowedFolder, 'link'), 'x'))).toBe(true)
    expect(await blocked(() => { fs.copyFileSync(import.meta.filename, join(allowedFolder, 'link')) })).toBe(true)
    expect(untouched() && !fs.existsSync(world.fresh) && fs.readdirSync(world.folder).length === 0).toBe(true)
    expect(observer.of('c')[0]?.detail).toMatchObject({ real: [world.old], reason: 'not-allowed' })
  })

  test('effect:bounded: what is put in the place of a file or a folder between two writes is seen as what it is', async () => {
    const folder = join(allowedFolder, 'folder')
    const file = join(allowedFolder, 'file')
    const inner = join(folder, 'old.txt')
    const allowed = [`fs.write:${allowedFolder}/*`, `fs.delete:${allowedFolder}/*`]
    mkdirSync(folder)
    const twice = (name: string, swap: () => void) => async () => {
      writeFileSync(name, 'first')
      await fs.promises.appendFile(name, 'again')
      swap()
      writeFileSync(name, 'second')
    }
    expect(await blocked(twice(file, () => { fs.unlinkSync(file); symlinkSync(world.old, file) }), allowed)).toBe(true)
    expect(await blocked(twice(inner, () => { fs.rmSync(folder, { recursive: true }); symlinkSync(world.dir, folder) }), allowed)).toBe(true)
    expect(untouched()).toBe(true)
    // Put back by somebody else meanwhile, the same name may be written again.
    fs.unlinkSync(file)
    expect(await blocked(() => { writeFileSync(file, 'third') }, allowed)).toBe(false)
    expect(observer.of('c').filter(effect => effect.blocked).map(effect => [effect.target, effect.detail?.['real']])).toEqual([[file, [world.old]], [inner, [world.old]]])
  })

  test('effect:bounded: dots in a path do not lead out of an allowed folder', async () => {
    expect(await blocked(() => { writeFileSync(`${allowedFolder}/../old.txt`, 'x') })).toBe(true)
    expect(untouched()).toBe(true)
  })

  test('effect:bounded: a path in any form that Node takes is a path', async () => {
    const foreign = runInNewContext(`new Uint8Array([${[...Buffer.from(world.fresh)].join()}])`) as Uint8Array
    const { href, protocol, hostname, pathname } = new URL(`file://${world.fresh}`)
    for (const path of [foreign, { href, protocol, hostname, pathname }] as unknown as string[]) {
      expect(await blocked(() => { writeFileSync(path, 'x') })).toBe(true)
      observer.background('test', () => { writeFileSync(path, 'x') })
      expect(fs.existsSync(world.fresh)).toBe(true)
      fs.rmSync(world.fresh)
    }
  })

  test('effect:bounded: a heap snapshot is a file like any other', async () => {
    expect(await blocked(() => { writeHeapSnapshot(world.fresh) })).toBe(true)
    expect(fs.existsSync(world.fresh)).toBe(false)
  })

  test('effect:bounded: a call cannot make its own way out with a hard link', async () => {
    expect(await blocked(() => { fs.linkSync(world.old, join(allowedFolder, 'hard')) })).toBe(true)
    expect(fs.existsSync(join(allowedFolder, 'hard'))).toBe(false)
  })

  test('effect:bounded: a file cannot be taken away by renaming it into an allowed folder', async () => {
    expect(await blocked(() => { fs.renameSync(world.old, join(allowedFolder, 'x')) }, [`fs.rename:${allowedFolder}/*`])).toBe(true)
    expect(untouched()).toBe(true)
  })

  test('effect:bounded: a folder that is allowed by a name through a link is allowed', async () => {
    symlinkSync(allowedFolder, join(world.dir, 'alias'))
    expect(await blocked(() => { writeFileSync(join(world.dir, 'alias', 'x'), 'x') }, [`fs.write:${world.dir}/alias/*`])).toBe(false)
    expect(fs.readFileSync(join(allowedFolder, 'x'), 'utf8')).toBe('x')
  })

  test('effect:bounded: removing a link is about the link', async () => {
    symlinkSync(world.old, join(allowedFolder, 'link'))
    expect(await blocked(() => { fs.unlinkSync(join(allowedFolder, 'link')) }, [`fs.delete:${allowedFolder}/*`])).toBe(false)
    expect(untouched()).toBe(true)
  })
})

describe('descriptors that somebody else opened', () => {
  const writes: readonly [string, (fd: number) => unknown][] = [
    ['writeSync', fd => fs.writeSync(fd, 'x')],
    ['write', fd => new Promise<void>((resolve, reject) => { fs.write(fd, 'x', error => { if (error) reject(error); else resolve() }) })],
    ['writevSync', fd => fs.writevSync(fd, [Buffer.from('x')])],
    ['writeFileSync', fd => { writeFileSync(fd, 'x') }],
    ['appendFileSync', fd => { fs.appendFileSync(fd, 'x') }],
    ['ftruncateSync', fd => { fs.ftruncateSync(fd, 1) }],
    ['fchmodSync', fd => { fs.fchmodSync(fd, 0o600) }],
  ]
  test.each(writes)('effect:bounded: %s through them is stopped', async (_, write) => {
    const fd = fs.openSync(world.old, 'r+')
    expect(await blocked(() => write(fd))).toBe(true)
    fs.closeSync(fd)
    expect(untouched()).toBe(true)
    expect(fs.statSync(world.old).mode & 0o777).toBe(0o644)
    expect(observer.of('c')).toEqual([expect.objectContaining({ target: world.old, blocked: true })])
  })

  test('effect:bounded: so it is through a file handle', async () => {
    const handle = await fs.promises.open(world.old, 'r+')
    expect(await blocked(() => handle.write('x'))).toBe(true)
    expect(await blocked(() => handle.writeFile('x'))).toBe(true)
    expect(await blocked(() => handle.truncate(0))).toBe(true)
    expect(await blocked(() => handle.chmod(0o600))).toBe(true)
    expect(await blocked(() => fs.promises.writeFile(handle, 'x'))).toBe(true)
    await handle.close()
    expect(untouched()).toBe(true)
  })

  test('effect:observed: a call\'s own file is one effect however often it is written to, and another\'s is told once', async () => {
    const fd = fs.openSync(world.old, 'r+')
    const handle = await fs.promises.open(join(world.dir, 'host'), 'w')
    await observer.run({ callId: 'c', mode: 'observe', allowed: null }, async () => {
      const own = fs.openSync(world.fresh, 'w')
      for (let nth = 0; nth < 3; nth++) { fs.writeSync(own, 'x'); fs.writeSync(fd, 'x'); await handle.write('x') }
      fs.closeSync(own)
    })
    fs.closeSync(fd)
    await handle.close()
    expect(observer.of('c').map(({ target }) => target)).toEqual([world.fresh, world.old, join(world.dir, 'host')])
  })

  test('effect:observed: a number that was closed and opened again is another file', async () => {
    await observer.run({ callId: 'c', mode: 'observe', allowed: null }, async () => {
      const first = fs.openSync(world.fresh, 'w')
      fs.closeSync(first)
      const again = observer.background('host', () => fs.openSync(world.old, 'r+'))
      expect(again).toBe(first)
      fs.writeSync(again, 'x')
      fs.closeSync(again)
    })
    expect(observer.of('c').map(({ target }) => target)).toEqual([world.fresh, world.old])
  })
})
