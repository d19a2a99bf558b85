/** Which contracts a server command has. */
import type { Contract } from '../../contract/contract.ts'
import type { ContractStore } from '../../contract/store.ts'
import { UsherError } from '../../errors.ts'
import { pinBreach } from '../identity.ts'

const same = (a: readonly string[] | undefined, b: readonly string[]): boolean => a !== undefined && a.length === b.length && a.every((word, at) => word === b[at])

/** Contracts whose command is word for word this one (and, where named, of that server). */
export function contractsOf(store: ContractStore, command: readonly string[], server?: string): readonly Contract[] {
  return store.callable().filter(contract => same(contract.command, command) && (server === undefined || contract.server?.name === server))
}

/** Throws CONTRACT_INVALID where the command is under no contract, under two names, or its files are not those that were signed. */
export async function checkServer(store: ContractStore, command: readonly string[], server?: string): Promise<void> {
  const contracts = contractsOf(store, command, server)
  const names = new Set(contracts.map(contract => contract.server?.name ?? ''))
  if (names.size > 1) throw new UsherError('CONTRACT_INVALID', `the contracts name this command ${[...names].map(name => JSON.stringify(name)).join(' and ')}; say which with --server`)
  for (const contract of contracts) {
    const breach = contract.server && await pinBreach(contract.server)
    if (breach) throw new UsherError('CONTRACT_INVALID', `the server is not started: ${breach}`)
  }
}
