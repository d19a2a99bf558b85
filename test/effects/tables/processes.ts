/** Every way to start a program or to signal one. */
import * as childProcess from 'node:child_process'
import { exec, execFile, execFileSync, execSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Case, World } from './world.ts'

const ran = (world: World) => existsSync(world.fresh)
const touch = () => 'touch'
const done = async (child: childProcess.ChildProcess) => { await once(child, 'close') }
const called = (work: (done: (error: unknown) => void) => void) => new Promise<void>((resolve, reject) => { work(error => { if (error) reject(error as Error); else resolve() }) })
const touching = (world: World) => `require('fs').writeFileSync(${JSON.stringify(world.fresh)}, '')`

export const PROCESS_CASES: readonly Case[] = [
  { api: 'spawn', kind: 'process.start', target: touch, happened: ran, act: world => done(spawn('touch', [world.fresh])) },
  { api: 'spawn by path', kind: 'process.start', target: () => '/usr/bin/touch', happened: ran, act: world => done(spawn('/usr/bin/touch', [world.fresh])) },
  { api: 'spawn with shell', kind: 'process.start', target: touch, happened: ran, act: world => done(spawn('touch', [world.fresh], { shell: true })) },
  { api: 'spawn detached', kind: 'process.start', target: touch, happened: ran, act: world => done(spawn('touch', [world.fresh], { detached: true, stdio: 'ignore' })) },
  { api: 'exec of one plain command', kind: 'process.start', target: touch, happened: ran, act: world => called(done => exec(`touch '${world.fresh}'`, done)) },
  { api: 'exec of a script', kind: 'process.start', target: () => '/bin/sh', happened: ran, act: world => called(done => exec(`true && touch ${world.fresh}`, done)) },
  { api: 'util.promisify(exec)', kind: 'process.start', target: touch, happened: ran, act: world => promisify(exec)(`touch ${world.fresh}`) },
  { api: 'execFile', kind: 'process.start', target: touch, happened: ran, act: world => called(done => execFile('touch', [world.fresh], done)) },
  { api: 'util.promisify(execFile)', kind: 'process.start', target: touch, happened: ran, act: world => promisify(execFile)('touch', [world.fresh]) },
  { api: 'fork', kind: 'process.start', target: () => process.execPath, happened: ran, act: world => done(childProcess.fork('-e', [touching(world)], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] })) },
  { api: 'spawnSync', kind: 'process.start', target: touch, happened: ran, act: world => spawnSync('touch', [world.fresh]) },
  { api: 'spawnSync with shell', kind: 'process.start', target: touch, happened: ran, act: world => spawnSync('touch', [world.fresh], { shell: true }) },
  { api: 'spawnSync of a shell with one plain command', kind: 'process.start', target: touch, happened: ran, act: world => spawnSync('sh', ['-c', `touch ${world.fresh}`]) },
  { api: 'execFileSync', kind: 'process.start', target: touch, happened: ran, act: world => execFileSync('touch', [world.fresh]) },
  { api: 'execSync', kind: 'process.start', target: touch, happened: ran, act: world => execSync(`touch ${world.fresh}`) },
  { api: 'new ChildProcess().spawn', kind: 'process.start', target: touch, happened: ran, act: world => { const child = new childProcess.ChildProcess() as childProcess.ChildProcess & { spawn(options: object): void }; child.spawn({ file: 'touch', args: ['touch', world.fresh] }); return done(child) } },
]
