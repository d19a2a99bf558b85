/** Whole processes: a careless tool that is held back, the entry point, two copies of the package. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { builtFile } from '../../src/util/built.ts'
import { makeWorld, type World } from './tables/world.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const fixture = (name: string) => join(root, 'test', 'fixtures', 'effects', name)
const built = (name: string) => builtFile(new URL('../../src/effects/observer.ts', import.meta.url).href, `./${name}.js`).href

let world: World
beforeEach(async () => { world = await makeWorld() })
afterEach(() => world.close())

async function node(...args: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const text = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (piece: string) => { text.stdout += piece })
  child.stderr.setEncoding('utf8').on('data', (piece: string) => { text.stderr += piece })
  const [code] = await once(child, 'close') as [number | null]
  expect({ code, stderr: text.stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(text.stdout) as unknown
}

interface Careless { readonly effects: readonly (readonly [kind: string, blocked: boolean, target: string])[] }

test('effect:bounded: a tool that listens to no error is held back and does not end the process', async () => {
  const { effects } = await node(fixture('quiet.mjs'), built('observer'), world.folder, String(world.port)) as Careless
  expect(effects.every(([, blocked]) => blocked)).toBe(true)
  expect(effects.map(([kind]) => kind).sort()).toEqual([
    'fs.write', 'fs.write', 'fs.write', 'http.request', 'http.request', 'http.request', 'http.request',
    // One of them is the connection that fetch opens for a request that it does not know yet to be stopped.
    'net.connect', 'net.connect', 'net.connect', 'net.connect', 'net.listen', 'net.listen', 'process.start', 'process.start', 'process.start', 'udp.send',
  ])
  expect(readdirSync(world.folder)).toEqual([])
  expect(world.arrived).toEqual({ connections: 0, requests: 0, datagrams: 0 })
})

test('effect:bounded: requests whose connection is stopped do not end the process either', async () => {
  // As declared by somebody who forgot that a request needs a connection to its host: http.get narrowed to the request alone.
  const { effects } = await node(fixture('quiet.mjs'), built('observer'), world.folder, String(world.port), 'http.get:GET *', 'http.get:GET*') as Careless
  expect(effects.some(([kind, blocked]) => kind === 'http.request' && !blocked)).toBe(true)
  expect(effects.filter(([kind]) => kind === 'net.connect').every(([, blocked]) => blocked)).toBe(true)
  expect(world.arrived.connections).toBe(0)
})

test('effect:observed: --import of the entry comes first, and its self-check finds nothing amiss', async () => {
  expect(await node('--import', built('observe'), fixture('entry.mjs'), built('observer'), world.fresh)).toEqual({
    seen: [`fs.write ${world.fresh}`, `fs.delete ${world.fresh}`], check: [],
  })
})

test('effect:observed: two copies of the package record each effect once', async () => {
  const copy = join(world.dir, 'copy')
  mkdirSync(copy)
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true })
  writeFileSync(join(copy, 'package.json'), '{"type":"module"}')
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const other = pathToFileURL(join(copy, 'dist', 'effects', 'observe.js')).href
  expect(await node('--import', other, fixture('entry.mjs'), built('observer'), world.fresh)).toMatchObject({
    seen: [`fs.write ${world.fresh}`, `fs.delete ${world.fresh}`],
  })
  expect(existsSync(world.fresh)).toBe(false)
})

test('effect:observed: the self-check names what was wrapped before, and what was open', async () => {
  const found = await node('--input-type=module', '-e', `
    import fs from 'node:fs'
    import net from 'node:net'
    const own = fs.open
    fs.open = function open(path, flags, mode, callback) { return own.apply(this, arguments) }
    fs.unlink = new Proxy(fs.unlink, {})
    fs.rmSync = (() => undefined).bind(null)
    const server = net.createServer().listen(0, '127.0.0.1', async () => {
      const { installObserver } = await import(${JSON.stringify(built('observer'))})
      process.stdout.write(JSON.stringify(installObserver().selfCheck()))
      server.close()
    })`) as string[]
  expect(found.map(sentence => sentence.split(' ').slice(0, 4).join(' '))).toEqual(['open was wrapped before', 'unlink was wrapped before', 'rmSync was wrapped before', '1 listening TCP server'])
})
