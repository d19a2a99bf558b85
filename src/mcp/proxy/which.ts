/** Which contracts a server command has. */
import type { Contract } from '../../contract/contract.ts'
import type { ContractStore } from '../../contract/store.ts'
import { UsherError } from '../../errors.ts'
import { resolvedCommand } from '../draft-server.ts'
import { pinBreach } from '../identity.ts'

const same = (a: readonly string[] | undefined, b: readonly string[]): boolean => a !== undefined && a.length === b.length && a.every((word, at) => word === b[at])

/**
 * Picks the contracts whose command is this one, word for word or with its program and scripts by their full paths (and, where named, of that
 * server). Throws SERVER_FAILED where there is no such program.
 */
export function contractsFor(command: readonly string[], server?: string): (store: ContractStore) => readonly Contract[] {
  const full = resolvedCommand(command)
  return store => store.callable().filter(contract => (same(contract.command, command) || same(contract.command, full)) && (server === undefined || contract.server?.name === server))
}

/** Throws CONTRACT_INVALID where the contracts name two servers, or the server's files are not those that were signed. */
export async function checkServer(contracts: readonly Contract[]): Promise<void> {
  const names = new Set(contracts.map(contract => contract.server?.name ?? ''))
  if (names.size > 1) throw new UsherError('CONTRACT_INVALID', `the contracts name this command ${[...names].map(name => JSON.stringify(name)).join(' and ')}; say which with --server`)
  for (const contract of contracts) {
    const breach = contract.server && await pinBreach(contract.server)
    if (breach) throw new UsherError('CONTRACT_INVALID', `the server is not started: ${breach}`)
  }
}
