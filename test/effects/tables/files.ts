/** Every file API that changes something, in its three styles. */
import * as fs from 'node:fs'
import { appendFile, appendFileSync, createWriteStream, existsSync, lstatSync, openSync, readFileSync, statSync, writeFile, writeFileSync } from 'node:fs'
import * as promises from 'node:fs/promises'
import { writeFile as writeFilePromise } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Case, World } from './world.ts'

const required = createRequire(import.meta.url)('fs') as typeof fs

const wroteFresh = (world: World) => existsSync(world.fresh)
const changedOld = (world: World) => !existsSync(world.old) || readFileSync(world.old, 'utf8') !== 'before'
const goneOld = (world: World) => !existsSync(world.old)
const goneFolder = (world: World) => !existsSync(world.folder)
const otherMode = (world: World) => (statSync(world.old).mode & 0o777) !== 0o644
const otherTime = (world: World) => statSync(world.old).mtimeMs === 1000
const madeFolder = (world: World) => fs.readdirSync(world.dir).some(name => name.startsWith('made-'))
const linked = (world: World) => { try { return lstatSync(world.fresh).isFile() || lstatSync(world.fresh).isSymbolicLink() } catch { return false } }
const fresh = (world: World) => world.fresh
const old = (world: World) => world.old
const folder = (world: World) => world.folder

/** A callback API as a promise, without util.promisify, whose custom forms are cases of their own. */
const called = (work: (done: (error?: unknown) => void) => void) => new Promise<void>((resolve, reject) => { work(error => { if (error) reject(error as Error); else resolve() }) })
const ended = (stream: fs.WriteStream) => new Promise<void>((resolve, reject) => { stream.on('error', reject).on('close', resolve) })

interface Trio { readonly name: 'unlink' | 'rm' | 'rmdir' | 'mkdir' | 'rename' | 'copyFile' | 'symlink' | 'link' | 'chmod' | 'truncate' | 'utimes' | 'cp' | 'writeFile' | 'appendFile', readonly kind: string, readonly target: (world: World) => string, readonly args: (world: World) => unknown[], readonly happened: (world: World) => boolean }

const TRIOS: readonly Trio[] = [
  { name: 'writeFile', kind: 'fs.write', target: fresh, args: world => [world.fresh, 'x'], happened: wroteFresh },
  { name: 'appendFile', kind: 'fs.write', target: old, args: world => [world.old, 'x'], happened: changedOld },
  { name: 'truncate', kind: 'fs.write', target: old, args: world => [world.old, 1], happened: changedOld },
  { name: 'mkdir', kind: 'fs.write', target: fresh, args: world => [world.fresh], happened: wroteFresh },
  { name: 'copyFile', kind: 'fs.write', target: fresh, args: world => [world.old, world.fresh], happened: wroteFresh },
  { name: 'cp', kind: 'fs.write', target: fresh, args: world => [world.old, world.fresh, {}], happened: wroteFresh },
  { name: 'symlink', kind: 'fs.write', target: fresh, args: world => [world.old, world.fresh], happened: linked },
  { name: 'link', kind: 'fs.write', target: fresh, args: world => [world.old, world.fresh], happened: linked },
  { name: 'unlink', kind: 'fs.delete', target: old, args: world => [world.old], happened: goneOld },
  { name: 'rm', kind: 'fs.delete', target: old, args: world => [world.old], happened: goneOld },
  { name: 'rmdir', kind: 'fs.delete', target: folder, args: world => [world.folder], happened: goneFolder },
  { name: 'rename', kind: 'fs.rename', target: fresh, args: world => [world.old, world.fresh], happened: goneOld },
  { name: 'chmod', kind: 'fs.chmod', target: old, args: world => [world.old, 0o600], happened: otherMode },
  { name: 'utimes', kind: 'fs.chmod', target: old, args: world => [world.old, 1, 1], happened: otherTime },
]

type Table = Readonly<Record<string, (...args: unknown[]) => unknown>>
const trio = ({ name, kind, target, args, happened }: Trio): Case[] => [
  { api: `fs.${name}Sync`, kind, target, happened, act: world => (fs as unknown as Table)[`${name}Sync`]?.(...args(world)) },
  { api: `fs.${name}`, kind, target, happened, act: world => called(done => (fs as unknown as Table)[name]?.(...args(world), done)) },
  { api: `fs.promises.${name}`, kind, target, happened, act: world => (promises as unknown as Table)[name]?.(...args(world)) },
]

export const FILE_CASES: readonly Case[] = [
  ...TRIOS.flatMap(trio),
  { api: 'writeFileSync imported by name before', kind: 'fs.write', target: fresh, happened: wroteFresh, act: world => writeFileSync(world.fresh, 'x') },
  { api: 'writeFile imported by name before', kind: 'fs.write', target: fresh, happened: wroteFresh, act: world => called(done => writeFile(world.fresh, 'x', done)) },
  { api: 'fs/promises writeFile imported by name before', kind: 'fs.write', target: fresh, happened: wroteFresh, act: world => writeFilePromise(world.fresh, 'x') },
  { api: 'require("fs").writeFileSync', kind: 'fs.write', target: fresh, happened: wroteFresh, act: world => required.writeFileSync(world.fresh, 'x') },
  { api: 'writeFileSync of bytes', kind: 'fs.write', target: fresh, happened: wroteFresh, act: world => writeFileSync(world.fresh, Buffer.from('x')) },
  { api: 'writeFileSync to a URL', kind: 'fs.write', target: fresh, happened: wroteFresh, act: world => writeFileSync(new URL(`file://${world.fresh}`), 'x') },
  { api: 'writeFileSync to a path of bytes', kind: 'fs.write', target: fresh, happened: wroteFresh, act: world => writeFileSync(Buffer.from(world.fresh), 'x') },
  { api: 'appendFileSync with flag', kind: 'fs.write', target: old, happened: changedOld, act: world => appendFileSync(world.old, 'x', { flag: 'a' }) },
  { api: 'util.promisify(appendFile)', kind: 'fs.write', target: old, happened: changedOld, act: world => promisify(appendFile)(world.old, 'x') },
  { api: 'openSync w', kind: 'fs.write', target: fresh, happened: wroteFresh, act: world => fs.closeSync(openSync(world.fresh, 'w')) },
  { api: 'openSync r+', kind: 'fs.write', target: old, happened: changedOld, act: world => { const fd = openSync(world.old, 'r+'); fs.writeSync(fd, 'after'); fs.closeSync(fd) } },
  { api: 'openSync with numbers', kind: 'fs.write', target: fresh, happened: wroteFresh, act: world => fs.closeSync(openSync(world.fresh, fs.constants.O_WRONLY | fs.constants.O_CREAT)) },
  { api: 'fs.open', kind: 'fs.write', target: fresh, happened: wroteFresh, act: world => called(done => fs.open(world.fresh, 'wx', (error, fd) => { if (!error) fs.closeSync(fd); done(error) })) },
  { api: 'fs.promises.open', kind: 'fs.write', target: fresh, happened: wroteFresh, act: async world => { const handle = await promises.open(world.fresh, 'w'); await handle.write('x'); await handle.close() } },
  { api: 'createWriteStream', kind: 'fs.write', target: fresh, happened: wroteFresh, act: world => { const stream = createWriteStream(world.fresh); stream.end('x'); return ended(stream) } },
  { api: 'process.report.writeReport', kind: 'fs.write', target: fresh, happened: wroteFresh, act: world => process.report.writeReport(world.fresh) },
  { api: 'mkdtempSync', kind: 'fs.write', target: world => join(world.dir, 'made-XXXXXX'), happened: madeFolder, act: world => fs.mkdtempSync(join(world.dir, 'made-')) },
  { api: 'rmSync recursive', kind: 'fs.delete', target: folder, happened: goneFolder, act: world => fs.rmSync(world.folder, { recursive: true }) },
  { api: 'rm recursive', kind: 'fs.delete', target: folder, happened: goneFolder, act: world => called(done => fs.rm(world.folder, { recursive: true }, done)) },
]
