/** How the server stands, for the page and for `GET /state`: no secret, and no word of an event. */
import { routeSentence } from './sentences.ts'
import type { ContractsState } from './contract-keeper.ts'
import type { RoutesStanding } from './route-keeper.ts'
import type { JsonObject, RouteTable, Tool } from '../types.ts'

export interface DoorState { readonly door: 'http' | 'socket' | 'stdin' | 'folder', readonly name: string, readonly source: string }

export interface ServeState {
  readonly startedAt: number
  /** What decides now. */
  readonly table: RouteTable
  readonly tools: ReadonlyMap<string, Tool>
  /** How the files stand against what decides now. */
  readonly routes: RoutesStanding
  readonly contracts?: ContractsState
  readonly queue: { readonly waiting: number, readonly capacity: number }
  readonly sources: readonly DoorState[]
}

/** The same for programs. */
export function stateJson({ startedAt, table, routes, contracts, queue, sources }: ServeState): JsonObject {
  return {
    startedAt: new Date(startedAt).toISOString(), queue, sources: sources.map(source => ({ ...source })),
    routes: { standing: routes.kind, says: routeSentence(routes), at: new Date(routes.at).toISOString(), hash: table.hash, names: [...table.routes.keys()], ...(routes.kind === 'bad' ? { problems: routes.problems } : {}), ...(routes.kind === 'waits' ? { changes: routes.changes.map(change => ({ ...change })) } : {}) },
    ...(contracts ? { contracts: { file: contracts.file, status: contracts.status, problems: contracts.problems, tools: contracts.contracts.length, failedServers: contracts.failedServers.map(failed => ({ ...failed })) } } : {}),
  }
}
