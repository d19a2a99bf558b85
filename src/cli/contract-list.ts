/** `usher contract list`: how each contract stands, on paper and at its server. */
import { type Contract, contractKey } from '../contract/contract.ts'
import type { ContractStore } from '../contract/store.ts'
import { UsherError } from '../errors.ts'
import { McpToolSource, type ToolStanding } from '../mcp/tool-source.ts'
import { type ContractFileOptions, openStore } from './contract-options.ts'
import type { Io } from './io.ts'
import { table } from './table.ts'

interface Row { readonly tool: string, readonly signedBy: string, readonly signedAt: string | null, readonly state: ToolStanding['state'] | 'unsigned' | 'refused' | 'not-asked', readonly why: string }

interface Asked { readonly standings: readonly ToolStanding[], readonly missing: readonly string[], readonly error?: string }

async function ask(store: ContractStore, server: string): Promise<Asked> {
  const source = new McpToolSource({ store, server })
  try {
    return { standings: await source.standings(), missing: source.missing }
  } catch (error) {
    if (!UsherError.is(error)) throw error
    return { standings: [], missing: [], error: error.message }
  } finally {
    await source.close()
  }
}

/** Of a file whose signatures hold: who really signed, and the time that they signed with it. Else what its records claim. */
function signed(contract: Contract, store: ContractStore): Pick<Row, 'signedBy' | 'signedAt'> {
  if (store.status !== 'ok') return { signedBy: contract.signedBy, signedAt: null }
  return { signedBy: store.signedBy.join(', '), signedAt: store.signedAt === undefined ? null : new Date(store.signedAt).toISOString() }
}

function rowOf(contract: Contract, store: ContractStore, asked: ReadonlyMap<string, Asked>): Row {
  const base = { tool: contractKey(contract), ...signed(contract, store) }
  if (store.status !== 'ok') return { ...base, state: store.status, why: store.problems[0]?.message ?? '' }
  const answer = contract.server && asked.get(contract.server.name)
  if (!answer) return { ...base, state: 'not-asked', why: contract.server ? 'no server was started' : 'a local command' }
  const standing = answer.standings.find(one => one.tool === base.tool)
  return { ...base, state: standing?.state ?? 'not-offered', why: standing?.why ?? answer.error ?? 'the server does not offer it' }
}

export async function listContracts(io: Io, options: ContractFileOptions & { readonly offline?: true, readonly iOwnThisMachine?: true, readonly json?: true }): Promise<void> {
  const store = openStore(io, options)
  const servers = new Set(store.callable().flatMap(contract => contract.server ? [contract.server.name] : []))
  const asked = new Map<string, Asked>()
  if (!options.offline) for (const server of servers) asked.set(server, await ask(store, server))
  const rows = store.readable.map(contract => rowOf(contract, store, asked))
  const others = [...asked.values()].flatMap(answer => answer.standings.filter(standing => standing.state === 'no-contract' || standing.state === 'bad')).map((standing): Row => ({ tool: standing.tool, signedBy: '', signedAt: null, state: standing.state, why: standing.why }))
  const missing = [...new Set([...asked].flatMap(([server, answer]) => answer.missing.map(words => `${server}: ${words}`)))]
  if (store.status !== 'ok' || rows.some(row => row.state !== 'ready' && row.state !== 'not-asked')) io.exit(1)
  if (options.json) { io.out(JSON.stringify({ status: store.status, problems: store.problems, waiting: store.waiting, tools: [...rows, ...others], missing }, null, 2)); return }
  for (const found of store.problems) io.err(`${io.paint('red', found.code)}  ${found.message}`)
  for (const words of missing) io.err(`${io.paint('yellow', 'sandbox')}  ${words}`)
  io.out(table(io, ['tool', 'signed by', 'signed at', 'state', 'why'], [...rows, ...others].map(row => [row.tool, row.signedBy, row.signedAt ?? 'not in the file', row.state, row.why]), [undefined, undefined, 24, undefined, 'rest']))
}
