/** What is watched while the server runs: route files, what a person accepted, and contracts. */
import { unwatchFile, watchFile } from 'node:fs'
import type { Usher } from '../assemble.ts'
import type { Db } from '../log/db.ts'
import type { Clock } from '../ports.ts'
import { toolTable } from '../tools/table.ts'
import type { Tool } from '../types.ts'
import { acceptedList, acceptedRoutes } from './acceptance.ts'
import type { Closers } from './closers.ts'
import { ContractKeeper, type ContractsState } from './contract-keeper.ts'
import type { Metrics } from './metrics.ts'
import type { ServeOptions } from './options.ts'
import { RouteKeeper, type RoutesStanding } from './route-keeper.ts'
import { routeSentence } from './sentences.ts'
import { watchFiles } from './watch.ts'

export interface KeeperParts {
  readonly options: ServeOptions
  readonly closers: Closers
  readonly metrics: Metrics
  readonly clock: Clock
  readonly note: (note: string) => void
}

/** The tools that contracts name, before there is an Usher to put them into. */
export interface Outside { readonly keeper: ContractKeeper, readonly tools: readonly Tool[], readonly ready: (swap: (tools: readonly Tool[]) => Promise<void>, halt: (problems: readonly string[]) => void) => void }

export async function openOutside({ options, closers, metrics, note }: KeeperParts, background: <T>(name: string, work: () => T) => T): Promise<Outside | undefined> {
  if (!options.contracts) return undefined
  let swap = async (_tools: readonly Tool[]): Promise<void> => undefined
  let halt = (_problems: readonly string[]): void => undefined
  const onChange = (status: ContractsState['status']) => {
    metrics.reload('contracts', status)
    if (status !== 'ok') halt(keeper.state.problems)
    note(status === 'ok' ? 'contracts loaded anew' : 'the contracts changed and do not hold; their tools are refused until they are signed')
  }
  const { keeper, tools } = await ContractKeeper.open({ open: options.contracts, background, ...options.watchChildren === undefined ? {} : { watch: options.watchChildren }, swap: next => swap(next), onChange })
  closers.add(() => keeper.close())
  for (const words of keeper.missing) note(words)
  return { keeper, tools, ready: (nextSwap, nextHalt) => { swap = nextSwap; halt = nextHalt } }
}

export interface Keepers { readonly routes: RouteKeeper, readonly contracts: ContractKeeper | undefined }

/** @param db the log, for reading @param tools of code: a reload of contracts brings the others */
export async function openKeepers(parts: KeeperParts, usher: Usher, db: Db, tools: { readonly own: readonly Tool[], readonly all: () => ReadonlyMap<string, Tool>, readonly onSwap: (all: ReadonlyMap<string, Tool>) => void }, outside: Outside | undefined, first: RoutesStanding): Promise<Keepers> {
  const { options, closers, metrics, clock, note } = parts
  const routes = new RouteKeeper({
    paths: options.routes, ...options.routeBreaches ? { breaches: options.routeBreaches } : {}, tools: tools.all, usher, accepted: () => acceptedRoutes(options.acceptedFolder, db)?.table, log: usher.log, clock,
    onChange: (standing, changes) => { metrics.reload('routes', standing.kind); note(routeSentence(standing, changes)) },
  }, first)
  const failed = (error: unknown) => note(`an edit could not be looked at: ${error instanceof Error ? error.message : String(error)}`)
  const look = () => { routes.look().catch(failed) }
  const watching = await watchFiles(options.routes, look)
  closers.add(() => watching.close())
  const list = acceptedList(options.acceptedFolder)
  watchFile(list, { interval: 500, persistent: false }, look)
  closers.add(() => unwatchFile(list, look))
  if (outside) {
    outside.keeper.haltOnDrift(usher.desk.owner, failed)
    outside.keeper.recordTo({ log: usher.log, now: () => clock.now(), failed })
    outside.ready(async next => {
      const all = [...tools.own, ...next]
      await usher.reload({ tools: all })
      tools.onSwap(toolTable(all))
    }, problems => {
      // A person looks before anything goes on by itself (`contract:human`).
      Promise.resolve(usher.desk.owner.halt('contracts', `the contracts changed and do not hold: ${problems.slice(0, 3).join('; ')}`)).catch(failed)
    })
    const contracts = await watchFiles(outside.keeper.files, () => { outside.keeper.look().catch(failed) })
    closers.add(() => contracts.close())
  }
  return { routes, contracts: outside?.keeper }
}
