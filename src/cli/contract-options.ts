/** What the contract and proxy commands share: where contracts, signers and drafts are. */
import { dirname, join, resolve } from 'node:path'
import { storeFolder } from '../contract/accepted.ts'
import { reviewFolder } from '../contract/review-folder.ts'
import { ContractStore } from '../contract/store.ts'
import { type ContractPaths, contractPaths } from '../contract/verify.ts'
import { defaultStateDir } from '../log/state.ts'
import type { JsonObject } from '../types.ts'
import type { Io } from './io.ts'

export const DEFAULT_CONTRACTS = 'tools.allow.json'

export interface ContractFileOptions { readonly contracts?: string, readonly signers?: string, readonly revoked?: string }

export function pathsOf(options: ContractFileOptions): ContractPaths {
  return contractPaths(resolve(options.contracts ?? DEFAULT_CONTRACTS), {
    ...options.signers === undefined ? {} : { signers: resolve(options.signers) }, ...options.revoked === undefined ? {} : { revoked: resolve(options.revoked) },
  })
}

/** What no call may write of them. */
export function contractFiles(options: ContractFileOptions): readonly string[] {
  const paths = pathsOf(options)
  return [paths.file, paths.signatures, paths.signers, paths.revoked, acceptedFolder(paths), reviewOf(paths)]
}

/** Where this machine keeps what it accepted. */
export const acceptedFolder = (paths: ContractPaths): string => storeFolder(paths.file, defaultStateDir())

export const reviewOf = (paths: ContractPaths): string => reviewFolder(join(dirname(paths.file), '.usher'))

/** Where what happens to the contracts is written down, beside being said. */
export type ContractRecorder = (act: 'contract.own-machine' | 'contract.halt', about: string, detail: JsonObject) => void

/** Opens the store as the machine that runs tools does. Says it loudly where the owner waives the question who may write the rules. */
export function openStore(io: Io, options: ContractFileOptions & { readonly iOwnThisMachine?: true }, record: ContractRecorder = () => undefined): ContractStore {
  const paths = pathsOf(options)
  if (options.iOwnThisMachine) {
    io.err(io.paint('yellow', `--i-own-this-machine: whoever runs Usher here may rewrite ${paths.file} and ${paths.signers}; only the signatures stand between a program and the rules`))
    record('contract.own-machine', paths.file, { signers: paths.signers })
  }
  const store = new ContractStore({
    paths, stateFolder: acceptedFolder(paths), ownMachine: options.iOwnThisMachine === true,
    onHalt: (problems, signedBy) => {
      io.err(io.paint('red', `contracts halted: ${problems.map(found => found.message).join('; ')} (signed before by ${signedBy.join(', ') || 'nobody'})`))
      record('contract.halt', paths.file, { problems: problems.map(({ code, message }) => ({ code, message })), signedBy })
    },
  })
  // A path that was mistyped must not look like a healthy start.
  if (store.status !== 'ok') io.err(io.paint('yellow', `contracts ${store.status}, so no tool of theirs is called: ${store.problems.slice(0, 3).map(found => found.message).join('; ')}`))
  for (const { message } of store.waiting) io.err(io.paint('yellow', `contracts wait: ${message}. Until then those that were signed before decide`))
  return store
}
