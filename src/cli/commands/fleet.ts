/** `usher fleet`: one log and one stream of events for several machines. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { PINNED_ENCODER } from '../../embed/pinned.ts'
import { UsherError } from '../../errors.ts'
import { isPostgresUrl } from '../../log/address.ts'
import type { FleetStatus } from '../../log/postgres/status.ts'
import type { Io } from '../io.ts'
import { progress } from '../io.ts'
import { personName } from '../person.ts'
import { existingLog, loadTools, routesFolder } from '../setup.ts'
import { table } from '../table.ts'

export function registerFleet(program: Command, io: Io): void {
  const fleet = program.command('fleet')
  registerInit(fleet, io)
  registerStatus(fleet, io)
  registerPin(fleet, io)
  registerCopy(fleet, io)
}

function address(option: string | undefined): string {
  const url = option ?? process.env['USHER_LOG']
  if (url === undefined || !isPostgresUrl(url)) throw new UsherError('BAD_OPTION', `--log must be the address of the fleet's log, like postgres://owner@host/database, got ${JSON.stringify(url ?? '')}`)
  return url
}

function registerInit(fleet: Command, io: Io): void {
  fleet.command('init')
    .description('Make the log\'s tables, and the stream with its consumer. What is there stays.')
    .option('--log <url>', 'postgres://... of the role that will own the tables')
    .option('--grant <role>', 'let this login run machines: it may add rows and read them, nothing else')
    .option('--events <url>', 'nats://... with JetStream')
    .option('--stream <name>', 'the stream', 'EVENTS').option('--consumer <name>', 'its durable consumer', 'usher').option('--subjects <prefix>', 'events come on PREFIX.SOURCE, e.g. events.chat.alice', 'events')
    .option('--credentials <file>', 'NATS credentials').option('--in-flight <n>', 'messages under way over all machines', '1000')
    .option('--json', 'as JSON')
    .addHelpText('after', `
Examples:
  $ usher fleet init --log postgres://owner@db/usher --grant runner
  $ usher fleet init --events nats://127.0.0.1:4222 --stream EVENTS --consumer usher`)
    .action(async (options: { log?: string, grant?: string, events?: string, stream: string, consumer: string, subjects: string, credentials?: string, inFlight: string, json?: true }) => {
      if (options.log === undefined && options.events === undefined) throw new UsherError('BAD_OPTION', 'say what to make: --log postgres://..., --events nats://..., or both')
      const made: { log?: string, stream?: string } = {}
      if (options.log !== undefined) made.log = await initLog(address(options.log), options.grant)
      if (options.events !== undefined) {
        const { makeStream } = await import('../../fleet/nats.ts')
        const inFlight = Number(options.inFlight)
        if (!(Number.isInteger(inFlight) && inFlight > 0)) throw new UsherError('BAD_OPTION', `--in-flight must be a whole number above 0, got ${JSON.stringify(options.inFlight)}`)
        await makeStream({ url: options.events, stream: options.stream, consumer: options.consumer, subjects: [`${options.subjects}.>`], ackWait: 30, inFlight, ...(options.credentials === undefined ? {} : { credentials: options.credentials }) })
        made.stream = options.stream
      }
      io.out(options.json ? JSON.stringify(made) : [made.log === undefined ? '' : `log ${made.log} is there${options.grant === undefined ? '' : `; ${options.grant} may run machines`}`, made.stream === undefined ? '' : `stream ${made.stream} with consumer ${options.consumer} is there`].filter(line => line !== '').join('\n'))
    })
}

async function initLog(url: string, grant: string | undefined): Promise<string> {
  const [{ connect }, { createTables, RUNTIME_ROLE }] = await Promise.all([import('../../log/postgres/client.ts'), import('../../log/postgres/schema.ts')])
  if (grant !== undefined && !/^[a-z_][a-z0-9_-]{0,62}$/i.test(grant)) throw new UsherError('BAD_OPTION', `--grant must be the name of a role, got ${JSON.stringify(grant)}`)
  const connection = await connect(url, { name: 'usher fleet init', timeoutMs: 20_000 })
  try {
    const id = await createTables(connection, randomUUID())
    if (grant !== undefined) await connection.query(`GRANT ${RUNTIME_ROLE} TO "${grant}"`)
    return id
  } catch (cause) {
    const { pgError, publicUrl } = await import('../../log/postgres/client.ts')
    throw pgError('LOG_OPEN_FAILED', `cannot make the tables in ${publicUrl(url)}`, cause)
  } finally {
    await connection.end()
  }
}

function registerStatus(fleet: Command, io: Io): void {
  fleet.command('status')
    .description('Machines with what they run, events waiting, calls in flight, what is pinned and stopped.')
    .option('--log <url>', 'postgres://...').option('--events <url>', 'nats://...: also how many events wait')
    .option('--stream <name>', 'the stream', 'EVENTS').option('--consumer <name>', 'its consumer', 'usher').option('--credentials <file>', 'NATS credentials')
    .option('--json', 'as JSON')
    .addHelpText('after', `
Examples:
  $ usher fleet status --log postgres://runner@db/usher
  $ usher fleet status --events nats://127.0.0.1:4222 --json

Exit code: 0 all well, 1 a machine vanished or holds, a call is unknown, something is stopped, or the protection is off, 2 used wrongly.`)
    .action(async (options: { log?: string, events?: string, stream: string, consumer: string, credentials?: string, json?: true }) => {
      const { fleetStatus } = await import('../../log/postgres/status.ts')
      const now = Date.now()
      const status = await fleetStatus(address(options.log), now)
      const waiting = options.events === undefined ? undefined : await eventsWaiting({ url: options.events, ...options })
      if (status.machines.some(machine => !machine.ended && (!machine.live || !machine.fires)) || status.stopped !== undefined || status.breakers.length > 0 || status.unknown > 0 || status.protection.length > 0) io.exit(1)
      if (options.json) { io.out(JSON.stringify({ ...status, ...(waiting === undefined ? {} : { waiting }) }, null, 2)); return }
      printStatus(io, status, waiting, now)
    })
}

async function eventsWaiting(options: { readonly url: string, readonly stream: string, readonly consumer: string, readonly credentials?: string }): Promise<number> {
  const { openConsumer } = await import('../../fleet/nats.ts')
  const consumer = await openConsumer({ url: options.url, stream: options.stream, consumer: options.consumer, inFlight: 1, ...(options.credentials === undefined ? {} : { credentials: options.credentials }) })
  try { return await consumer.open() } finally { await consumer.close() }
}

const ago = (ms: number): string => ms < 1000 ? 'now' : ms < 60_000 ? `${Math.round(ms / 1000)} s ago` : `${Math.round(ms / 60_000)} min ago`

function printStatus(io: Io, status: FleetStatus, waiting: number | undefined, now: number): void {
  if (status.machines.length === 0) io.out('no machine was heard of in the last hour')
  else {
    io.out(table(io, ['machine', 'pid', 'state', 'routes', 'encoder', 'heard', 'last row', 'unwritten', 'in flight'], status.machines.map(machine => [
      machine.machine, String(machine.pid), machine.live ? machine.fires ? 'runs' : 'holds' : machine.ended ? 'ended' : 'gone', machine.tableHash.slice(0, 12), machine.encoder.slice(0, 24), ago(now - machine.heardAt), machine.lastRow === undefined ? '' : ago(now - machine.lastRow), String(machine.waiting), String(machine.inFlight),
    ])))
  }
  io.out(status.pin ? `pinned to routes ${status.pin.tableHash.slice(0, 12)} and encoder ${status.pin.encoder.slice(0, 40)} by ${status.pin.who}` : 'nothing is pinned: machines with different routes all fire (usher fleet pin)')
  io.out(`${status.rows} rows; ${status.undecided} events claimed and not decided; ${status.inFlight} calls in flight; ${status.unknown} unknown${waiting === undefined ? '' : `; ${waiting} events wait in the stream`}`)
  if (status.stopped) io.out(`${io.paint('red', 'stopped')}  ${status.stopped.who} stopped auto-invocation ${ago(now - status.stopped.at)}${status.stopped.why === '' ? '' : `: ${status.stopped.why}`}; usher resume ends that`)
  for (const name of status.breakers) io.out(`${io.paint('red', 'breaker')}  ${name} is open; usher breaker close ${name}`)
  for (const problem of status.protection) io.out(`${io.paint('red', 'protection')}  ${problem}`)
}

function registerPin(fleet: Command, io: Io): void {
  fleet.command('pin')
    .description('From now on only machines with these routes and this encoder fire; others hold.')
    .option('--log <url>', 'postgres://... of the role that owns the tables').option('--routes <path...>', 'route files or folders').option('--tools <module>', 'the module with the tools').option('--encoder <id>', 'the encoder', PINNED_ENCODER)
    .option('--as <name>', 'who pins it').option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  $ usher fleet pin --log postgres://owner@db/usher --routes routes')
    .action(async (options: { log?: string, routes?: string[], tools?: string, encoder: string, as?: string, json?: true }) => {
      if (!/^[\w.-]+@[0-9a-f]{64}\/\w+$/.test(options.encoder)) throw new UsherError('BAD_OPTION', `--encoder must be an encoder's id, like ${PINNED_ENCODER}, got ${JSON.stringify(options.encoder)}; every machine would hold`)
      if (options.encoder !== PINNED_ENCODER) io.err(io.paint('yellow', `this version of Usher has another encoder, ${PINNED_ENCODER}: machines with it will hold`))
      const [{ pinFleet }, { loadRoutes }, { toolTable }] = await Promise.all([import('../../log/postgres/status.ts'), import('../../routes/load.ts'), import('../../tools/table.ts')])
      const tools = toolTable(await loadTools({ folder: resolve('.usher'), consoleAddress: 'http://127.0.0.1/', ...(options.tools === undefined ? {} : { tools: options.tools }) }))
      const pin = { tableHash: loadRoutes(routesFolder(options.routes), { tools }).hash, encoder: options.encoder, who: `${personName(options.as === undefined ? {} : { as: options.as })}@${hostname()}`, at: Date.now() }
      await pinFleet(address(options.log), pin)
      io.out(options.json ? JSON.stringify(pin) : `pinned to routes ${pin.tableHash.slice(0, 12)} and encoder ${pin.encoder.slice(0, 40)}`)
    })
}

/** @param parent `fleet`, and `log`, where people look for it */
export function registerCopy(parent: Command, io: Io): void {
  parent.command('copy <file> <url>')
    .description('Move a log of one machine into the fleet\'s, with its proofs: the same rows, the same hashes. Goes on where it stopped.')
    .option('--json', 'as JSON')
    .addHelpText('after', `\nExample:\n  $ usher ${parent.name()} copy .usher/log.sqlite postgres://owner@db/usher`)
    .action(async (file: string, url: string, options: { json?: true }) => {
      const { copyToPostgres } = await import('../../log/postgres/copy.ts')
      const bar = progress('copying rows:')
      const copied = await copyToPostgres(existingLog(file), address(url), { onProgress: bar.step }).finally(() => { bar.end() })
      io.out(options.json ? JSON.stringify(copied) : `${copied.rows} rows copied${copied.already > 0 ? `, ${copied.already} were there` : ''}; usher verify --log checks them there`)
    })
}
