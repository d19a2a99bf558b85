/**
 * Copies of what was accepted before, with their signatures: what the next change is measured by. A copy counts only if its own
 * signatures hold, so a forged or deleted one can only make the next change need more people, never fewer.
 *
 * It is a chain, because a file that only narrows was signed by fewer people than it would need by itself.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ContractFile } from './read-file.ts'
import { type ContractPaths, verifyContracts } from './verify.ts'

/** The folder beside the contract file where a store keeps what was accepted. */
export const storeFolder = (contractFile: string): string => join(dirname(contractFile), '.usher', 'contracts')

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
export function readAccepted(folder: string, paths: ContractPaths, now: number): { readonly file: ContractFile | undefined, readonly signedBy: readonly string[], readonly length: number } {
  let before: ContractFile | undefined
  let signedBy: readonly string[] = []
  for (let nth = 0; ; nth++) {
    const file = link(folder, nth)
    if (!existsSync(file)) return { file: before, signedBy, length: nth }
    const verdict = verifyContracts({ ...paths, file, signatures: `${file}.sig` }, { now, ...before ? { before } : {} })
    if (verdict.status !== 'ok') return { file: before, signedBy, length: nth }
    before = verdict.file
    signedBy = verdict.standing.good.flatMap(signature => signature.principals)
  }
}

/** Adds a file that was just judged `ok`. Where it stands without the chain, it replaces the chain. */
export function keepAccepted(folder: string, paths: ContractPaths, bytes: Buffer, now: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { file, length } = readAccepted(folder, paths, now)
  const signatures = readFileSync(paths.signatures)
  const alone = verifyContracts(paths, { now }).status === 'ok'
  const nth = alone || file === undefined ? 0 : length
  writeDurably(`${link(folder, nth)}.sig`, signatures)
  writeDurably(link(folder, nth), bytes)
  for (let rest = nth + 1; existsSync(link(folder, rest)); rest++) rmSync(link(folder, rest))
}
