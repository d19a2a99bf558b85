/** The whole judgement of a contract file: rules, signatures, and how many people what it widens needs. */
import { existsSync } from 'node:fs'
import { join, dirname } from 'node:path'
import { type AccessOptions, accessBreaches } from './file-access.ts'
import { contractChanges } from './changes.ts'
import { type Contract, contractKey } from './contract.ts'
import { problem, type Problem } from './problems.ts'
import { type ContractFile, readContractFile } from './read-file.ts'
import { peopleCount, readStanding, signedBy, type SignerFiles, type Standing } from './signers.ts'

export interface ContractPaths extends SignerFiles { readonly file: string }

/** Signature beside the file (`FILE.sig`, where ssh-keygen puts it); `allowed_signers` and `revoked_signers` in the same folder unless named. */
export function contractPaths(file: string, given: { readonly signers?: string, readonly revoked?: string } = {}): ContractPaths {
  const signers = given.signers ?? join(dirname(file), 'allowed_signers')
  return { file, signatures: `${file}.sig`, signers, revoked: given.revoked ?? join(dirname(signers), 'revoked_signers') }
}

export interface VerifyOptions extends AccessOptions {
  /** What was accepted before: only what goes beyond it needs every signer. Absent: all of it does. */
  readonly before?: ContractFile
  /** Also check who may write the files: for the machine that loads them, not for CI. */
  readonly access?: boolean
  /** ms since 1970; default: now. */
  readonly now?: number
}

export interface Verdict {
  /** `unsigned`: keeps all the rules, and is readable; nothing in it may be called. */
  readonly status: 'ok' | 'unsigned' | 'refused'
  readonly problems: readonly Problem[]
  readonly file: ContractFile
  readonly standing: Standing
  /** Callable: empty unless `ok`. */
  readonly contracts: readonly Contract[]
}

/** Who may write the files that say what holds. */
export function accessProblems(paths: ContractPaths, standing: Pick<Standing, 'unsigned'>, options: VerifyOptions): Problem[] {
  if (!options.access) return []
  // Whoever may write the revoked keys may take one back; a missing list revokes none.
  const files = standing.unsigned ? [paths.file] : [paths.file, paths.signers, ...existsSync(paths.revoked) ? [paths.revoked] : []]
  return files.flatMap(path => accessBreaches(path, options)).map(breach => problem(breach.code, null, breach.message))
}

function signerProblems(file: ContractFile, standing: Standing, before: ContractFile | undefined): Problem[] {
  if (standing.good.length === 0) return []
  const mismatched = file.contracts.filter(contract => !signedBy(standing, contract.signedBy))
    .map(contract => problem('signer-mismatch', contractKey(contract), `signed_by is ${JSON.stringify(contract.signedBy)}, and no key of that person signed the file`))
  const changes = contractChanges(before?.contracts ?? [], file.contracts)
  const people = peopleCount(standing)
  const widens = changes.filter(change => change.kind === 'widens')
  if (widens.length === 0 || people >= standing.needed) return mismatched
  return [...mismatched, problem('too-few-signers', widens[0]?.tool ?? null,
    `${people} of ${standing.needed} needed people signed${standing.others.length > 0 ? ` (still to sign: ${standing.others.slice(0, 8).join(' or ')})` : ''}, and the file widens what may happen: ${widens.slice(0, 5).map(change => change.sentence).join('; ')}${widens.length > 5 ? `; and ${widens.length - 5} more` : ''}`)]
}

/** A person signed, and only others are still to: nobody but the signers changed anything. */
export function awaitsSigners({ status, problems, standing }: Verdict): boolean {
  return status === 'refused' && standing.good.length > 0 && problems.every(({ code }) => code === 'too-few-signers' || code === 'signer-mismatch')
}

/** Judges a file that was read already (its bytes do not change between this and its use). */
export function judgeContracts(file: ContractFile, paths: ContractPaths, options: VerifyOptions = {}): Verdict {
  const standing = file.hash === undefined ? { good: [], problems: [], unsigned: true, needed: 1, others: [] } : readStanding(paths, file.hash, options.now ?? Date.now())
  const rollback = options.before && file.version === 2 && file.serial < options.before.serial
    ? [problem('serial-rollback', null, `serial is ${file.serial}, and ${options.before.serial} was accepted before: an old file does not come back by itself`)] : []
  const problems = [...file.problems, ...accessProblems(paths, standing, options), ...standing.problems, ...signerProblems(file, standing, options.before), ...rollback]
  if (problems.length > 0) return { status: 'refused', problems, file, standing, contracts: [] }
  if (standing.good.length === 0)
    return { status: 'unsigned', problems: [problem('unsigned', null, `nobody signed ${paths.file}; a person does it with: usher contract sign`)], file, standing, contracts: [] }
  return { status: 'ok', problems: [], file, standing, contracts: file.contracts }
}

/** Reads and judges. Never throws for what a file may hold. */
export function verifyContracts(paths: ContractPaths, options: VerifyOptions = {}): Verdict {
  return judgeContracts(readContractFile(paths.file), paths, options)
}
