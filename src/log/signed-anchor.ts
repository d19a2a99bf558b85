/** Anchors that a person's SSH key stands behind: the line says who may have taken it, wherever it was kept. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inPatternList, readAllowedSigners } from '../contract/allowed-signers.ts'
import { readSignatures, verifySignature } from '../contract/ssh-signature.ts'
import { UsherError } from '../errors.ts'
import { anchorText, type Anchor } from './anchors.ts'

/** A signature for a contract, git or e-mail is none for an anchor. */
export const ANCHOR_NAMESPACE = 'usher-anchor'

const BEGIN = '-----BEGIN SSH SIGNATURE-----'
const END = '-----END SSH SIGNATURE-----'

/** The bytes that are signed: the line without its signature. */
const bytesOf = (anchor: Anchor): Buffer => Buffer.from(anchorText({ logId: anchor.logId, seq: anchor.seq, hash: anchor.hash, at: anchor.at }), 'utf8')

/** Signs with ssh-keygen, so that agents and hardware keys work. Rejects with BAD_OPTION where it does not sign. @param key private key, or the public one of a key that an agent holds */
export async function signAnchor(anchor: Anchor, key: string): Promise<Anchor> {
  const folder = mkdtempSync(join(tmpdir(), 'usher-anchor-'))
  const payload = join(folder, 'anchor')
  try {
    writeFileSync(payload, bytesOf(anchor), { mode: 0o600 })
    await promisify(execFile)('ssh-keygen', ['-Y', 'sign', '-q', '-f', key, '-n', ANCHOR_NAMESPACE, payload])
    const signature = readFileSync(`${payload}.sig`, 'utf8').replace(BEGIN, '').replace(END, '').replaceAll(/\s/g, '')
    return { ...anchor, signature }
  } catch (cause) {
    throw new UsherError('BAD_OPTION', `ssh-keygen did not sign the anchor with ${key}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Why nobody of the list stands behind the anchor, in words; undefined: somebody does. @param signers text of an allowed_signers file @param now ms */
export function signatureFault(anchor: Anchor, signers: string, now: number): string | undefined {
  if (anchor.signature === undefined) return 'it is not signed'
  const reading = readSignatures(`${BEGIN}\n${anchor.signature}\n${END}\n`)
  const [signature] = reading.kind === 'signatures' ? reading.signatures : []
  if (!signature) return `its signature cannot be read${reading.kind === 'bad' ? `: ${reading.why}` : ''}`
  if (!verifySignature(signature, bytesOf(anchor), ANCHOR_NAMESPACE)) return 'its signature is not over this line'
  const list = readAllowedSigners(signers)
  const [error] = list.errors
  if (error) return `line ${error.line} of the signers file cannot be read: ${error.why}`
  const known = list.signers.some(signer => signer.key.blob.equals(signature.key.blob)
    && (signer.namespaces === undefined || inPatternList(signer.namespaces, ANCHOR_NAMESPACE)) && (signer.validAfter ?? -Infinity) <= now && now <= (signer.validBefore ?? Infinity))
  return known ? undefined : `the key ${signature.key.fingerprint} is not in the signers file now`
}
