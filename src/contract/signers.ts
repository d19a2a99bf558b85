/** Which people stand behind a file: its signatures, checked against the owner's list. */
import { existsSync, readFileSync } from 'node:fs'
import { inPatternList, isRevoked, readAllowedSigners, readRevoked, type Signer, type Signers } from './allowed-signers.ts'
import { problem, type Problem } from './problems.ts'
import { SIGN_NAMESPACE, signPayload } from './sign-payload.ts'
import { readSignatures, type SshSignature, verifySignature } from './ssh-signature.ts'

/** A signature that holds, and the lines of the signers file that its key has. */
export interface GoodSignature { readonly fingerprint: string, readonly principals: readonly string[] }

export interface Standing {
  readonly good: readonly GoodSignature[]
  readonly problems: readonly Problem[]
  /** No signature is there at all. */
  readonly unsigned: boolean
  /** How many different people a widening needs. */
  readonly needed: number
  /** People of the signers file whose keys did not sign. */
  readonly others: readonly string[]
}

export interface SignerFiles {
  readonly signatures: string
  readonly signers: string
  /** Revoked keys; a missing file revokes none. */
  readonly revoked: string
}

const NOBODY: Standing = { good: [], problems: [], unsigned: true, needed: 1, others: [] }

function judge(signature: SshSignature, message: Buffer, list: Signers, revoked: ReadonlySet<string>, now: number): GoodSignature | Problem {
  const { fingerprint, blob } = signature.key
  if (!verifySignature(signature, message, SIGN_NAMESPACE))
    return problem('signature-invalid', null, signature.namespace === SIGN_NAMESPACE ? `the signature by ${fingerprint} is not over this file as it is now` : `the signature by ${fingerprint} is for the namespace ${JSON.stringify(signature.namespace)}, not ${SIGN_NAMESPACE}`)
  if (isRevoked(revoked, blob)) return problem('signer-revoked', null, `the key ${fingerprint} is revoked`)
  const lines = list.signers.filter(signer => signer.key.blob.equals(blob) && (signer.namespaces === undefined || inPatternList(signer.namespaces, SIGN_NAMESPACE)))
  if (lines.length === 0) return problem('signer-unknown', null, `the key ${fingerprint} is not in the signers file (for the namespace ${SIGN_NAMESPACE})`)
  const current = lines.filter(signer => (signer.validAfter ?? -Infinity) <= now && now <= (signer.validBefore ?? Infinity))
  if (current.length === 0) return problem('signer-expired', null, `the key ${fingerprint} is not valid at ${new Date(now).toISOString()} (signers file, line ${lines.map((signer: Signer) => signer.line).join(', ')})`)
  return { fingerprint, principals: current.flatMap(signer => signer.principals) }
}

const isProblem = (verdict: GoodSignature | Problem): verdict is Problem => 'code' in verdict

function readList(files: SignerFiles): { readonly list: Signers, readonly revoked: ReadonlySet<string>, readonly problems: readonly Problem[] } {
  const none = { list: { signers: [], needed: 1, errors: [] }, revoked: new Set<string>() }
  if (!existsSync(files.signers)) return { ...none, problems: [problem('signers-missing', null, `the signers file ${files.signers} is not there; list your public key in it (format of ssh-keygen's allowed_signers)`)] }
  const list = readAllowedSigners(readFileSync(files.signers, 'utf8'))
  const problems = list.errors.map(({ line, why }) => problem('signers-invalid', null, `${files.signers}:${line}: ${why}`))
  if (list.signers.length === 0) problems.push(problem('signers-missing', null, `${files.signers} lists nobody`))
  if (!existsSync(files.revoked)) return { list, revoked: none.revoked, problems }
  const revoked = readRevoked(readFileSync(files.revoked))
  // What cannot be read may revoke any of them.
  if (!revoked) return { ...none, problems: [...problems, problem('signers-invalid', null, `${files.revoked} cannot be read; it takes one public key or SHA256 fingerprint a line, or a list of ssh-keygen -k`)] }
  return { list, revoked, problems }
}

/** @param fileHash SHA-256 of the contract file; @param now ms since 1970 */
export function readStanding(files: SignerFiles, fileHash: string, now: number): Standing {
  return existsSync(files.signatures) ? standingOf(readFileSync(files.signatures, 'utf8'), files, fileHash, now) : NOBODY
}

/** The same of signatures that are in hand. @param text armoured blocks, one after the other */
export function standingOf(text: string, files: SignerFiles, fileHash: string, now: number): Standing {
  const reading = readSignatures(text)
  if (reading.kind === 'bad') return { ...NOBODY, unsigned: false, problems: [problem('signature-invalid', null, `${files.signatures}: ${reading.why}`)] }
  if (reading.signatures.length === 0) return NOBODY
  const { list, revoked, problems } = readList(files)
  const verdicts = reading.signatures.map(signature => judge(signature, signPayload(fileHash), list, revoked, now))
  const good = verdicts.filter(verdict => !isProblem(verdict)) as readonly GoodSignature[]
  const people = new Set(list.signers.flatMap(signer => signer.principals.filter(name => !name.startsWith('!'))))
  const others = [...people].filter(name => !good.some(signature => signature.principals.includes(name)))
  return { good, problems: [...problems, ...verdicts.filter(isProblem)], unsigned: false, needed: list.needed, others }
}

/** Is the named person one whose key signed? */
export function signedBy(standing: Standing, principal: string): boolean {
  return standing.good.some(signature => inPatternList(signature.principals, principal))
}

/**
 * How many different people signed: each counts once however many keys they have, and each key once however many names it has
 * (a largest matching of keys to names).
 */
export function peopleCount(standing: Standing): number {
  const keys = new Map(standing.good.map(signature => [signature.fingerprint, signature.principals.filter(name => !name.startsWith('!'))]))
  const taken = new Map<string, string>()
  const place = (key: string, tried: Set<string>): boolean => (keys.get(key) ?? []).some(name => {
    if (tried.has(name)) return false
    tried.add(name)
    const holder = taken.get(name)
    if (holder !== undefined && !place(holder, tried)) return false
    taken.set(name, key)
    return true
  })
  return [...keys.keys()].filter(key => place(key, new Set())).length
}
