/** A real nats-server with JetStream in a scratch folder, on loopback. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../log/postgres/server.ts'

const NAMES = ['nats-server', '/usr/sbin/nats-server', '/usr/local/bin/nats-server']
const PROGRAM = NAMES.find(name => name.startsWith('/') ? existsSync(name) : spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0)

export const HAS_NATS = PROGRAM !== undefined
export const INSTALL_NATS = 'apt-get install -y nats-server'

export interface Nats { readonly url: string, readonly port: number, kill(): Promise<void>, start(): Promise<void>, stop(): Promise<void> }

export async function startNats(): Promise<Nats> {
  if (PROGRAM === undefined) throw new Error(`no nats-server here; ${INSTALL_NATS}`)
  const folder = mkdtempSync(join(tmpdir(), 'usher-nats-'))
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    child = spawn(PROGRAM, ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder], { stdio: 'ignore' })
    for (let tries = 0; !await listens(port); tries++) {
      if (tries > 200) throw new Error('nats-server did not start')
      await wait(50)
    }
  }
  const end = (signal: NodeJS.Signals) => new Promise<void>(resolve => {
    if (!child || child.exitCode !== null || child.signalCode !== null) { resolve(); return }
    child.once('exit', () => { resolve() })
    child.kill(signal)
  })
  await start()
  return { url: `nats://127.0.0.1:${port}`, port, start, kill: () => end('SIGKILL'), stop: async () => { await end('SIGTERM'); rmSync(folder, { recursive: true, force: true }) } }
}

function listens(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connectTcp(port, '127.0.0.1')
    socket.once('connect', () => { socket.destroy(); resolve(true) })
    socket.once('error', () => { resolve(false) })
  })
}
