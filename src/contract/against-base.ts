/** The second signature of a merge: a proposed contract file judged by what was accepted before it, signers included. */
import { existsSync, readFileSync } from 'node:fs'
import { problem, type Problem } from './problems.ts'
import { type ContractPaths, type Verdict, verifyContracts } from './verify.ts'

const bytes = (path: string): Buffer => existsSync(path) ? readFileSync(path) : Buffer.alloc(0)

/** A proposal that also says who may sign proposals would be its own judge. */
function signersChanged(paths: ContractPaths, base: ContractPaths): readonly Problem[] {
  return (['signers', 'revoked'] as const).filter(list => !bytes(paths[list]).equals(bytes(base[list])))
    .map(list => problem('signers-changed', null, `${paths[list]} is not the one of the base (${base[list]}), by which the contracts are judged here; who may sign is changed by the owner, in a change of its own that a person looks at`))
}

/**
 * @param paths the proposal @param base the contract file, signatures, signers and revoked keys of before. A base whose signers file is not there
 * is refused, and so is one whose contracts do not hold: nothing is measured by it.
 */
export function verifyAgainstBase(paths: ContractPaths, base: ContractPaths): Verdict {
  const before = verifyContracts(base)
  const verdict = verifyContracts({ ...paths, signers: base.signers, revoked: base.revoked }, before.status === 'ok' ? { before: before.file } : {})
  const missing = before.status === 'ok' ? [] : [problem('base-missing', null, `the base ${base.file} does not hold (${before.problems[0]?.message ?? before.status}), so nothing can be measured by it; leave --base out where there were no contracts before`)]
  const problems = [...missing, ...signersChanged(paths, base), ...verdict.problems]
  return problems.length === verdict.problems.length ? verdict : { ...verdict, status: 'refused', problems, contracts: [] }
}
