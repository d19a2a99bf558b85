/**
 * Is a person behind this? The agent often runs as the owner's own user, so a file it can read proves nothing: a passphrase that is typed, or
 * a signature of a key that the owner listed. Until one is set, anyone who runs as this user can approve, and `notice` says so.
 */
import { existsSync, readFileSync } from 'node:fs'
import { inPatternList, isRevoked, readAllowedSigners, readRevoked } from '../contract/allowed-signers.ts'
import { readSignatures, verifySignature } from '../contract/ssh-signature.ts'
import { UsherError } from '../errors.ts'
import type { CallLog, Clock } from '../ports.ts'
import { canonicalJson, sha256 } from '../util/canonical.ts'
import type { CardStore } from './card-store.ts'
import { descendsFromCall } from './descent.ts'
import { isPassphrase, passphraseDigest, passphraseFile, writePassphrase } from './passphrase.ts'
import type { ProofMemory } from './proof-memory.ts'

/** A signature for a contract, git or e-mail is none for an act. */
export const PERSON_NAMESPACE = 'usher-person'

/** What a person does; `about`: a card's id and hash, a breaker's name, `all`. */
export interface PersonAct { readonly act: 'accept' | 'approve' | 'deny' | 'resume' | 'breaker.close' | 'token.add' | 'routes.accept' | 'contract.sign' | 'passphrase.set', readonly about: string }

export type Proof =
  | { readonly kind: 'none', readonly who: string }
  | { readonly kind: 'passphrase', readonly who: string, readonly passphrase: string }
  /** Armoured SSHSIG over `actBytes(act, at)`. */
  | { readonly kind: 'signature', readonly who: string, readonly at: number, readonly signature: string }

export type ProofVerdict = { readonly kind: 'ok', readonly who: string, readonly how: 'passphrase' | 'signature' | 'unproven' } | { readonly kind: 'refused', readonly why: string }

export interface PersonProofParts {
  readonly stateFolder: string
  readonly log: CallLog
  readonly store: CardStore
  readonly memory: ProofMemory
  readonly clock: Clock
  /** The owner's `allowed_signers`; its keys may sign acts. Default: none. */
  readonly signers?: string
  readonly revoked?: string
}

/** ms: wrong passphrases in this time, and ms for which a signed act stands. */
const WINDOW = 10 * 60_000
const MOST_WRONG = 5
const FRESH = 5 * 60_000

/** The bytes that a person signs for one act at one moment (ms). */
export function actBytes({ act, about }: PersonAct, at: number): Buffer {
  return Buffer.from(canonicalJson(['usher-act', 1, act, about, at]), 'utf8')
}

export const UNPROVEN_NOTICE = 'no passphrase is set: anyone who runs as this user, an agent too, can approve; set one with: usher passphrase'

export class PersonProof {
  readonly #parts: PersonProofParts
  constructor(parts: PersonProofParts) { this.#parts = parts }

  /** What terminal and page must say, or undefined where a proof is needed. */
  async notice(): Promise<string | undefined> {
    return await this.#set() ? undefined : UNPROVEN_NOTICE
  }

  /** Why the asking process counts as a tool's child, or undefined. For a door that hands the question on to another process. */
  inside(caller?: number): string | undefined {
    return descendsFromCall(this.#parts.store.runtimes(), caller)
  }

  /**
   * @param caller the process that asks, where the door knows it; default: this one
   * Rejects with PROOF_REFUSED where the passphrase file is not the one that was set.
   */
  async verify(proof: Proof, act: PersonAct, caller?: number): Promise<ProofVerdict> {
    const inside = this.inside(caller)
    if (inside) return this.#refused(act, 'inside', inside)
    if (proof.who.trim() === '' || /^model\s*:/i.test(proof.who.normalize('NFKC').trim())) return this.#refused(act, 'who', `a person must be named, got ${JSON.stringify(proof.who)}`)
    switch (proof.kind) {
      case 'none': return await this.#set() ? this.#refused(act, 'missing', 'a passphrase is needed, typed on a terminal or the page') : { kind: 'ok', who: proof.who, how: 'unproven' }
      case 'passphrase': return this.#passphrase(proof, act)
      case 'signature': return this.#signature(proof, act)
      default: return proof satisfies never
    }
  }

  /** Sets or changes it; changing needs the old one. Rejects with PROOF_REFUSED or BAD_OPTION. */
  async setPassphrase(fresh: string, proof: Proof): Promise<void> {
    const act: PersonAct = { act: 'passphrase.set', about: 'passphrase' }
    const verdict = await this.verify(proof, act)
    if (verdict.kind === 'refused') throw new UsherError('PROOF_REFUSED', verdict.why)
    const digest = await writePassphrase(this.#parts.stateFolder, fresh)
    await this.#parts.log.act({ who: verdict.who, act: act.act, about: act.about, detail: { digest }, at: this.#parts.clock.now() })
  }

  /** The log remembers that one was set, so that deleting or swapping the file, or naming an empty state folder, does not open the door. */
  async #set(): Promise<boolean> {
    const known = await this.#parts.memory.passphraseDigest()
    const now = passphraseDigest(this.#parts.stateFolder)
    if (known !== undefined && now !== known) throw new UsherError('PROOF_REFUSED', `the log says that a passphrase was set, and ${passphraseFile(this.#parts.stateFolder)} is ${now === undefined ? 'gone' : 'another file'}; put the true one back, or name the right state folder`)
    return now !== undefined
  }

  async #passphrase(proof: Extract<Proof, { kind: 'passphrase' }>, act: PersonAct): Promise<ProofVerdict> {
    const { store, clock, stateFolder } = this.#parts
    if (!await this.#set()) return this.#refused(act, 'missing', 'no passphrase is set, so none can be right; set one with: usher passphrase')
    const attempt = store.attempt(clock.now(), clock.now() - WINDOW, MOST_WRONG)
    if (attempt === undefined) return this.#refused(act, 'limited', `${MOST_WRONG} wrong passphrases in ${WINDOW / 60_000} minutes; wait`)
    if (!await isPassphrase(stateFolder, proof.passphrase)) return this.#refused(act, 'wrong', 'the passphrase is wrong')
    store.succeeded(attempt)
    return { kind: 'ok', who: proof.who, how: 'passphrase' }
  }

  async #signature(proof: Extract<Proof, { kind: 'signature' }>, act: PersonAct): Promise<ProofVerdict> {
    const { store, clock } = this.#parts
    const reading = readSignatures(proof.signature)
    const [signature, second] = reading.kind === 'signatures' ? reading.signatures : []
    if (!signature || second) return this.#refused(act, 'signature', reading.kind === 'bad' ? reading.why : 'exactly one signature is needed')
    if (!(Math.abs(clock.now() - proof.at) <= FRESH)) return this.#refused(act, 'signature', `the signature is for another moment; it stands for ${FRESH / 60_000} minutes`)
    if (!verifySignature(signature, actBytes(act, proof.at), PERSON_NAMESPACE)) return this.#refused(act, 'signature', 'the signature is not over this act')
    const why = this.#whyNotTheirs(proof.who, signature.key.blob, signature.key.fingerprint)
    if (why) return this.#refused(act, 'signature', why)
    if (!store.useOnce(sha256(proof.signature), clock.now())) return this.#refused(act, 'signature', 'this signature was used before')
    return { kind: 'ok', who: proof.who, how: 'signature' }
  }

  #whyNotTheirs(who: string, blob: Buffer, fingerprint: string): string | undefined {
    const { signers, revoked, clock } = this.#parts
    if (signers === undefined || !existsSync(signers)) return 'no signers file is named, so no key is known'
    const now = clock.now()
    const revokedKeys = revoked !== undefined && existsSync(revoked) ? readRevoked(readFileSync(revoked)) : new Set<string>()
    if (!revokedKeys || isRevoked(revokedKeys, blob)) return `the key ${fingerprint} is revoked, or the list of revoked keys cannot be read`
    const fits = readAllowedSigners(readFileSync(signers, 'utf8')).signers.some(signer => signer.key.blob.equals(blob) && inPatternList(signer.principals, who)
      && (signer.namespaces === undefined || inPatternList(signer.namespaces, PERSON_NAMESPACE)) && (signer.validAfter ?? -Infinity) <= now && now <= (signer.validBefore ?? Infinity))
    return fits ? undefined : `the key ${fingerprint} is not ${JSON.stringify(who)}'s in the signers file (for the namespace ${PERSON_NAMESPACE}, now)`
  }

  async #refused(act: PersonAct, reason: string, why: string): Promise<ProofVerdict> {
    await this.#parts.log.act({ who: 'usher', act: 'proof.refused', about: act.act, detail: { reason, why, of: act.about }, at: this.#parts.clock.now() })
    return { kind: 'refused', why }
  }
}
