/** What leaves the observer's sight, and signals. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import * as inspector from 'node:inspector'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Case, World } from './world.ts'

const wrote = (world: World) => existsSync(world.fresh)
const writing = (world: World) => `require('fs').writeFileSync(${JSON.stringify(world.fresh)}, '')`
const ended = (worker: Worker) => once(worker, 'exit')

/** Made when it is asked for: a subclass from before the observer has Node's own class above it. */
const subclass = () => class NamedWorker extends Worker {
  readonly named = true
}

const opened = new WeakSet<World>()
const loaded = new WeakSet<World>()
/** A compiled file that is in every installation: the log's own. */
const addon = createRequire(import.meta.url).resolve('better-sqlite3/build/Release/better_sqlite3.node')

export const THREAD_CASES: readonly Case[] = [
  { api: 'new Worker of text', kind: 'worker.start', target: () => '[eval]', happened: wrote, act: world => ended(new Worker(writing(world), { eval: true })) },
  { api: 'a subclass of Worker', kind: 'worker.start', target: () => '[eval]', happened: wrote, act: world => { const worker = new (subclass())(writing(world), { eval: true }); if (!worker.named || !(worker instanceof Worker)) throw new Error('not its class'); return ended(worker) } },
  { api: 'inspector.open', kind: 'inspector.open', target: world => `127.0.0.1:${world.port + 1 > 65_535 ? 1025 : world.port + 1}`, happened: world => opened.has(world), act: world => { inspector.open(world.port + 1 > 65_535 ? 1025 : world.port + 1, '127.0.0.1'); inspector.close(); opened.add(world) } },
  { api: 'process.dlopen', kind: 'native.load', target: () => addon, happened: world => loaded.has(world), act: world => { process.dlopen({ exports: {} }, addon); loaded.add(world) } },
  { api: 'process.binding', kind: 'native.load', target: () => 'binding:fs', happened: world => loaded.has(world), act: world => { (process as unknown as { binding(name: string): unknown }).binding('fs'); loaded.add(world) } },
]

/** A program that runs until it is told to end. */
export async function sleeper(): Promise<{ readonly pid: number, alive(): boolean, end(): Promise<void> }> {
  const child = spawn(process.execPath, ['-e', 'process.on("SIGUSR2", () => {}); console.log("up"); setInterval(() => {}, 1000)'], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  return {
    pid: child.pid ?? 0,
    alive: () => child.exitCode === null && child.signalCode === null,
    async end() {
      const gone = child.signalCode === null ? once(child, 'exit') : undefined
      child.kill('SIGKILL')
      await gone
    },
  }
}
