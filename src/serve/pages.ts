/** Mounts the console: it decides who may open a page, and what a person may do there. */
import { userInfo } from 'node:os'
import type { Desk } from '../approvals/open.ts'
import type { ConsoleAccess } from '../console/access.ts'
import { consoleApp } from '../console/app.ts'
import type { ContractsView, RoutesView } from '../console/ports.ts'
import { openReads } from '../console/reads/open.ts'
import { contractKey } from '../contract/contract.ts'
import type { LogReader } from '../log/reader.ts'
import type { CallLog, Clock } from '../ports.ts'
import type { JsonObject } from '../types.ts'
import type { Closers } from './closers.ts'
import { consoleDesk } from './desk.ts'
import { routeSentence } from './sentences.ts'
import type { ServeState } from './state.ts'

export interface PagesParts { readonly access: ConsoleAccess, readonly log: CallLog, readonly reader: LogReader, readonly desk: Desk, readonly state: () => ServeState, readonly clock: Clock, readonly closers: Closers }
export interface Pages { readonly fetch: (request: Request, caller: () => JsonObject | undefined) => Response | Promise<Response> }

export function openPages({ access, log, reader, desk, state, clock, closers }: PagesParts): Pages {
  const reads = openReads(reader.file)
  closers.add(() => reads.close())
  const closing = new AbortController()
  closers.add(() => closing.abort())
  const app = consoleApp({ reads, access, clock, closing: closing.signal, desk: consoleDesk({ desk, who: userInfo().username, log, db: reader.db, table: () => state().table, clock }), routes: () => routesView(state()), contracts: () => contractsView(state()) })
  return { fetch: (request, caller) => app.fetch(request, { caller }) }
}

function routesView({ table, routes }: ServeState): RoutesView {
  return { table, problems: routes.kind === 'loaded' ? [] : [routeSentence(routes)] }
}

function contractsView({ contracts }: ServeState): ContractsView {
  if (!contracts) return { lines: [], problems: [] }
  const failed = new Map(contracts.failedServers.map(({ server, why }) => [server, why]))
  const lines = contracts.contracts.map(contract => {
    const why = contract.server ? failed.get(contract.server.name) : undefined
    const state = contracts.status !== 'ok' ? contracts.status : why === undefined ? 'ready' : 'failed'
    const equal = contracts.equal.get(contractKey(contract))
    return {
      tool: contractKey(contract), signedBy: contract.signedBy, hash: contract.contractHash, state: equal === false && state === 'ready' ? 'drifted' : state, why: why ?? contracts.problems[0] ?? '',
      ...(contracts.signedAt === undefined ? {} : { signedAt: contracts.signedAt }), ...(equal === undefined ? {} : { equal }),
    }
  })
  return { lines, problems: contracts.problems }
}
