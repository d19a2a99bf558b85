/** Machines, servers and a generator, for the tests and for the long proof. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '@nats-io/transport-node'
import { jetstream } from '@nats-io/jetstream'

export interface MachineSetup {
  readonly pg: string, readonly nats: string, readonly name: string, readonly folder: string
  readonly stream: string, readonly consumer: string
  readonly encoder?: 'cheap' | 'real'
  /** Ms that a handler takes after its effect. */
  readonly slow?: number
  readonly routes?: string
  readonly outcomes?: string
  /** What stands before the source in a subject; default `events`. */
  readonly prefix?: string
}

export interface RunningMachine { readonly name: string, readonly child: ChildProcess, readonly witness: string, kill(): Promise<void>, end(): Promise<void> }

export async function startMachine(setup: MachineSetup): Promise<RunningMachine> {
  const witness = join(setup.folder, 'witness.jsonl')
  const state = join(setup.folder, 'state')
  const child = spawn(process.execPath, [fileURLToPath(new URL('machine.mjs', import.meta.url)), JSON.stringify({ ...setup, witness, state })], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, USHER_MACHINE: setup.name } })
  let errors = ''
  child.stderr.on('data', (text: Buffer) => { errors = (errors + String(text)).slice(-4000) })
  child.stdout.on('data', () => undefined)
  const ready = await Promise.race([once(child.stdout, 'data').then(() => true), once(child, 'exit').then(() => false)])
  if (!ready) throw new Error(`${setup.name} did not start: ${errors}`)
  const gone = new Promise<void>(resolve => { if (child.exitCode !== null || child.signalCode !== null) resolve(); else child.once('exit', () => { resolve() }) })
  return {
    name: setup.name, child, witness,
    kill: async () => { child.kill('SIGKILL'); await gone },
    end: async () => { child.kill('SIGTERM'); await gone },
  }
}

export interface Effect { readonly tool: string, readonly call: string, readonly event: string, readonly source: string, readonly machine: string }

/** A line that a kill cut off is no witness of anything but the file's end. */
export function witnessed(file: string): readonly Effect[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8').split('\n').filter(line => line.endsWith('}')).map(line => JSON.parse(line) as Effect)
}

export interface Sent { readonly id: string, readonly subject: string, readonly text: string }

/** Asks, talk and doubles, always the same for a seed. */
export function generate(count: number, doubles: number, seed: number): readonly Sent[] {
  let state = seed >>> 0
  // Numerical Recipes' linear congruential generator: enough to mix, and the same everywhere.
  const random = (): number => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return state / 2 ** 32 }
  // Each ask has words of its own: the same words a moment later would be held as a double.
  const texts = [(n: number) => `please ring the bell for flat ${n}`, (n: number) => `ring the bell for flat ${n}`, (n: number) => `could you ring the bell for house ${n}`, () => 'could you light the lamp', (n: number) => `why does the bell of flat ${n} ring?`,
    (n: number) => `don't ring the bell for flat ${n}`, () => 'the lamp is out again', (n: number) => `ring the bell for flat ${n} and light the lamp`, (n: number) => `he said ring the bell for flat ${n}`]
  const subjects = ['events.user', 'events.chat.ann', 'events.webhook', 'events.mail']
  const sent: Sent[] = []
  for (let i = 0; i < count; i++) {
    const before = sent[Math.floor(random() * sent.length)]
    if (before && random() < doubles) { sent.push(before); continue }
    sent.push({ id: `n-${i}`, subject: subjects[Math.floor(random() * subjects.length)] ?? 'events.user', text: texts[Math.floor(random() * texts.length)]?.(i) ?? '' })
  }
  return sent
}

/** Into the stream. Doubles are messages of their own: the same sender's id, sent twice. Waits for each to be stored. */
export async function publishAll(url: string, sent: readonly Sent[], onEach: (done: number) => void = () => undefined, prefix = 'm-'): Promise<void> {
  const connection = await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 100 })
  const js = jetstream(connection)
  for (const [i, { id, subject, text }] of sent.entries()) {
    // The header names this message: a publication that is repeated after a lost answer is stored once.
    for (let tries = 0; ; tries++) {
      try { await js.publish(subject, JSON.stringify({ id, text }), { msgID: `${prefix}${i}` }); break } catch (error) { if (tries > 200) throw error; await new Promise(resolve => { setTimeout(resolve, 100) }) }
    }
    onEach(i + 1)
  }
  await connection.drain()
}
