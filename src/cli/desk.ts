/** Opens the desk of a log for a command: cards, switches, proof. With tools where a yes has to be carried out. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { descendsFromCall } from '../approvals/descent.ts'
import { openDesk, type Desk } from '../approvals/open.ts'
import { passphraseDigest } from '../approvals/passphrase.ts'
import { UNPROVEN_NOTICE, type PersonAct } from '../approvals/person-proof.ts'
import type { LogRows } from '../approvals/log-rows.ts'
import { Dispatcher } from '../dispatch/dispatcher.ts'
import { installObserver } from '../effects/observer.ts'
import { UsherError } from '../errors.ts'
import { writableLog } from './fleet-log.ts'
import { defaultStateDir } from '../log/state.ts'
import type { CallLog } from '../ports.ts'
import { loadRoutes } from '../routes/load.ts'
import { toolTable } from '../tools/table.ts'
import type { Tool } from '../types.ts'
import type { Io } from './io.ts'
import { mustBePerson, personName, type PersonOptions } from './person.ts'
import { existingLog, loadTools, logFile, logPath, routesFolder } from './setup.ts'

export interface DeskCommandOptions { readonly log?: string, readonly state?: string, readonly signers?: string, /** Make the log where there is none. */ readonly create?: boolean }
export interface ApproveOptions extends DeskCommandOptions { readonly routes?: readonly string[], readonly tools?: string, readonly realOpener?: boolean, readonly outside?: (log: CallLog) => Promise<{ tools(): Promise<readonly Tool[]>, close(): Promise<void> }> }

const clock = { now: (): number => Date.now() }

function deskOptions({ state, signers }: DeskCommandOptions): { readonly stateFolder?: string, readonly signers?: string } {
  return { ...state === undefined ? {} : { stateFolder: resolve(state) }, ...signers === undefined ? {} : { signers: resolve(signers) } }
}

/** A log that several machines write says itself how its rows are read. */
function ownerRows(log: Awaited<ReturnType<typeof writableLog>>): { readonly rows?: LogRows } {
  return 'ownerRows' in log ? { rows: log.ownerRows() } : {}
}

/** Without tools: cards can be listed and denied, switches turned. */
export async function withDesk<T>(options: DeskCommandOptions, work: (desk: Desk) => Promise<T>): Promise<T> {
  const log = await writableLog(options.create ? logFile(options.log) : existingLog(options.log), { clock, ...options.state === undefined ? {} : { stateDir: resolve(options.state) } })
  let desk: Desk | undefined
  try {
    desk = openDesk({ log, clock, ...ownerRows(log), ...deskOptions(options) })
    return await work(desk)
  } finally {
    desk?.close()
    await log.close()
  }
}

/** With the same routes and tools as the runtime, so that what is compared and called is the same. No encoder is needed for that. */
export async function withApprover<T>(options: ApproveOptions, work: (desk: Desk) => Promise<T>): Promise<T> {
  const file = existingLog(options.log)
  const observer = installObserver() // before anything that it should see
  const log = await writableLog(file, { clock, background: (name, inner) => observer.background(`usher:${name}`, inner), ...options.state === undefined ? {} : { stateDir: resolve(options.state) } })
  const detach = observer.attach(effect => log.effect(effect))
  let desk: Desk | undefined
  let outside: Awaited<ReturnType<NonNullable<ApproveOptions['outside']>>> | undefined
  try {
    const own = await loadTools({ folder: dirname(file), consoleAddress: 'http://127.0.0.1/', ...options.tools === undefined ? {} : { tools: options.tools }, ...options.realOpener ? { realOpener: true } : {} })
    outside = await options.outside?.(log)
    const tools = toolTable([...own, ...await outside?.tools() ?? []])
    const table = loadRoutes(routesFolder(options.routes), { tools })
    const dispatcher: Dispatcher = new Dispatcher({ tools, log, observer, clock, stopped: async () => desk?.owner.stopped() })
    desk = openDesk({ log, clock, ...ownerRows(log), runtime: { tools, table: () => table, dispatcher }, ...deskOptions(options) })
    const result = await work(desk)
    await dispatcher.idle()
    return result
  } finally {
    desk?.close()
    await outside?.close()
    detach()
    await log.close()
    observer.uninstall()
  }
}

/** For acts beside a log (accepting routes, signing): where neither a log nor a passphrase is there yet, nothing can be asked for, and that is said. Throws PROOF_REFUSED. */
export async function provenPerson(io: Io, act: PersonAct, options: DeskCommandOptions & PersonOptions): Promise<string> {
  const inside = descendsFromCall([])
  if (inside) throw new UsherError('PROOF_REFUSED', inside)
  const state = resolve(options.state ?? defaultStateDir())
  if (passphraseDigest(state) === undefined && !existsSync(logPath(options.log))) {
    io.err(io.paint('yellow', UNPROVEN_NOTICE))
    return personName(options)
  }
  return withDesk({ ...options, create: true }, desk => mustBePerson(io, desk.proof, act, options))
}
