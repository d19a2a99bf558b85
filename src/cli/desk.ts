/** Opens the desk of a log for a command: cards, switches, proof. With tools where a yes has to be carried out. */
import { dirname, resolve } from 'node:path'
import { openDesk, type Desk } from '../approvals/open.ts'
import { Dispatcher } from '../dispatch/dispatcher.ts'
import { installObserver } from '../effects/observer.ts'
import { openSqliteLog } from '../log/sqlite.ts'
import { loadRoutes } from '../routes/load.ts'
import { toolTable } from '../tools/table.ts'
import type { Tool } from '../types.ts'
import { existingLog, loadTools, routesFolder } from './setup.ts'

export interface DeskCommandOptions { readonly log?: string, readonly state?: string, readonly signers?: string }
export interface ApproveOptions extends DeskCommandOptions { readonly routes?: readonly string[], readonly tools?: string, readonly realOpener?: boolean, readonly outside?: () => Promise<{ tools(): Promise<readonly Tool[]>, close(): Promise<void> }> }

const clock = { now: (): number => Date.now() }

function deskOptions({ state, signers }: DeskCommandOptions): { readonly stateFolder?: string, readonly signers?: string } {
  return { ...state === undefined ? {} : { stateFolder: resolve(state) }, ...signers === undefined ? {} : { signers: resolve(signers) } }
}

/** Without tools: cards can be listed and denied, switches turned. */
export async function withDesk<T>(options: DeskCommandOptions, work: (desk: Desk) => Promise<T>): Promise<T> {
  const log = openSqliteLog(existingLog(options.log), { clock, ...options.state === undefined ? {} : { stateDir: resolve(options.state) } })
  let desk: Desk | undefined
  try {
    desk = openDesk({ log, clock, ...deskOptions(options) })
    return await work(desk)
  } finally {
    desk?.close()
    log.close()
  }
}

/** With the same routes and tools as the runtime, so that what is compared and called is the same. No encoder is needed for that. */
export async function withApprover<T>(options: ApproveOptions, work: (desk: Desk) => Promise<T>): Promise<T> {
  const file = existingLog(options.log)
  const observer = installObserver() // before anything that it should see
  const log = openSqliteLog(file, { clock, background: (name, inner) => observer.background(`usher:${name}`, inner), ...options.state === undefined ? {} : { stateDir: resolve(options.state) } })
  const detach = observer.attach(effect => log.effect(effect))
  let desk: Desk | undefined
  let outside: Awaited<ReturnType<NonNullable<ApproveOptions['outside']>>> | undefined
  try {
    const own = await loadTools({ folder: dirname(file), consoleAddress: 'http://127.0.0.1/', ...options.tools === undefined ? {} : { tools: options.tools }, ...options.realOpener ? { realOpener: true } : {} })
    outside = await options.outside?.()
    const tools = toolTable([...own, ...await outside?.tools() ?? []])
    const table = loadRoutes(routesFolder(options.routes), { tools })
    const dispatcher: Dispatcher = new Dispatcher({ tools, log, observer, clock, stopped: async () => desk?.owner.stopped() })
    desk = openDesk({ log, clock, runtime: { tools, table: () => table, dispatcher }, ...deskOptions(options) })
    const result = await work(desk)
    await dispatcher.idle()
    return result
  } finally {
    desk?.close()
    await outside?.close()
    detach()
    log.close()
    observer.uninstall()
  }
}
