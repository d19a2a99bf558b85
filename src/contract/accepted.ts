/**
 * Copies of what was accepted before, with their signatures: what the next change is measured by. A copy counts only if its own
 * signatures hold, so a forged or deleted one can only make the next change need more people, never fewer.
 *
 * It is a chain, because a file that only narrows was signed by fewer people than it would need by itself.
 */
import { accessSync, closeSync, constants, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UsherError } from '../errors.ts'
import { sha256 } from '../util/canonical.ts'
import type { ContractFile } from './read-file.ts'
import { type ContractPaths, type Verdict, verifyContracts } from './verify.ts'

function isWritable(folder: string): boolean {
  let nearest = folder
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
  try {
    accessSync(nearest, constants.W_OK)
    return true
  } catch {
    return false // another user's, as a contract's folder should be
  }
}

/**
 * Where a store keeps what was accepted: beside the contract file; where that folder is another user's to write, in the state folder, under the
 * hash of the file's path. @param stateDir of the running user
 */
export function storeFolder(contractFile: string, stateDir?: string): string {
  const beside = join(dirname(contractFile), '.usher', 'contracts')
  return stateDir === undefined || isWritable(beside) ? beside : join(resolve(stateDir), 'contracts', sha256(resolve(contractFile)).slice(0, 16))
}

const link = (folder: string, nth: number): string => join(folder, `accepted.${nth}.json`)

function writeDurably(path: string, bytes: Buffer): void {
  const fresh = `${path}.${process.pid}.new`
  const file = openSync(fresh, 'w', 0o600)
  try {
    writeSync(file, bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(fresh, path)
}

/** Follows the chain as far as it holds. @param paths signers and revoked keys of now @param now ms since 1970 */
export function readAccepted(folder: string, paths: ContractPaths, now: number): { readonly file: ContractFile | undefined, readonly signedBy: readonly string[], readonly length: number, readonly verdict: Verdict | undefined } {
  let last: Verdict | undefined
  let before: ContractFile | undefined
  let signedBy: readonly string[] = []
  for (let nth = 0; ; nth++) {
    const file = link(folder, nth)
    if (!existsSync(file)) return { file: before, signedBy, length: nth, verdict: last }
    const verdict = verifyContracts({ ...paths, file, signatures: `${file}.sig` }, { now, ...before ? { before } : {} })
    if (verdict.status !== 'ok') return { file: before, signedBy, length: nth, verdict: last }
    last = verdict
    before = verdict.file
    signedBy = verdict.standing.good.flatMap(signature => signature.principals)
  }
}

/** Adds a file that was just judged `ok`. Where it stands without the chain, it replaces the chain. Throws CONTRACT_INVALID where the folder cannot be written. */
export function keepAccepted(folder: string, paths: ContractPaths, bytes: Buffer, now: number): void {
  try {
    keep(folder, paths, bytes, now)
  } catch (cause) {
    throw new UsherError('CONTRACT_INVALID', `what was accepted cannot be kept in ${folder}: ${cause instanceof Error ? cause.message : String(cause)}; the running user must be able to write that folder (USHER_STATE names another state folder)`, { cause })
  }
}

function keep(folder: string, paths: ContractPaths, bytes: Buffer, now: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { file, length } = readAccepted(folder, paths, now)
  const signatures = readFileSync(paths.signatures)
  const alone = verifyContracts(paths, { now }).status === 'ok'
  const nth = alone || file === undefined ? 0 : length
  writeDurably(`${link(folder, nth)}.sig`, signatures)
  writeDurably(link(folder, nth), bytes)
  for (let rest = nth + 1; existsSync(link(folder, rest)); rest++) rmSync(link(folder, rest))
}
