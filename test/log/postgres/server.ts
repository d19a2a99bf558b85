/** A real PostgreSQL in a scratch folder, on loopback, for one test file. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from '../../../src/log/postgres/client.ts'
import { createTables, RUNTIME_ROLE } from '../../../src/log/postgres/schema.ts'

/** Debian keeps the server's programs out of PATH. */
function binFolder(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map(version => join(root, version, 'bin')).find(folder => existsSync(join(folder, 'initdb')))
}

export const HAS_POSTGRES = binFolder() !== undefined
/** How to get it: the test's name says so where it is missing. */
export const INSTALL = 'apt-get install -y postgresql'

/** The server refuses to run as root. */
function account(): { readonly uid: number, readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => { server.close(resolve) })
  return port
}

export interface Postgres {
  readonly port: number
  /** As the owner of everything. */
  readonly ownerUrl: string
  /** A runtime's login; makes a database with the tables on first use of the name. */
  runtimeUrl(database: string): Promise<string>
  databaseUrl(database: string): string
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

export async function startPostgres(): Promise<Postgres> {
  const bin = binFolder()
  if (bin === undefined) throw new Error(`no PostgreSQL here; ${INSTALL}`)
  const folder = mkdtempSync(join(tmpdir(), 'usher-pg-'))
  const user = account()
  if (user) { chmodSync(folder, 0o755); chownSync(folder, user.uid, user.gid) }
  const data = join(folder, 'data')
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'owner', '--auth=trust', '--encoding=UTF8', '--no-sync', '--wal-segsize=4'], { stdio: 'ignore', cwd: folder, ...user })
  const port = await freePort()
  let child: ChildProcess | undefined
  const url = (login: string, database: string) => `postgres://${login}@127.0.0.1:${port}/${database}`
  const start = async (): Promise<void> => {
    const run = () => spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`, '-c', 'max_connections=60', '-c', 'recovery_init_sync_method=syncfs'], { stdio: 'ignore', cwd: folder, ...user })
    child = run()
    for (let tries = 0; ; tries++) {
      try { await (await connect(url('owner', 'postgres'), { name: 'test', timeoutMs: 5000 })).end(); return } catch (error) { if (tries > 1200) throw error }
      // After a kill the old server's workers hold its memory for a moment, and a new one refuses to start.
      if (child.exitCode !== null) child = run()
      await wait(50)
    }
  }
  const end = (signal: NodeJS.Signals) => new Promise<void>(resolve => {
    if (!child || child.exitCode !== null || child.signalCode !== null) { resolve(); return }
    child.once('exit', () => { resolve() })
    child.kill(signal)
  })
  await start()
  const ready = new Set<string>()
  return {
    port, ownerUrl: url('owner', 'postgres'), databaseUrl: database => url('owner', database), start,
    runtimeUrl: async database => {
      if (!ready.has(database)) {
        const owner = await connect(url('owner', 'postgres'), { name: 'test', timeoutMs: 20_000 })
        await owner.query(`CREATE DATABASE ${database}`)
        await owner.end()
        const inside = await connect(url('owner', database), { name: 'test', timeoutMs: 20_000 })
        await createTables(inside, `log-${database}`)
        await inside.query(`DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'runner') THEN CREATE ROLE runner LOGIN; END IF; END $$; GRANT ${RUNTIME_ROLE} TO runner`)
        await inside.end()
        ready.add(database)
      }
      return url('runner', database)
    },
    kill: () => end('SIGKILL'),
    // SIGINT: fast shutdown, without waiting for the clients (the manual of the postgres server).
    stop: async () => { await end('SIGINT'); rmSync(folder, { recursive: true, force: true }) },
  }
}
