/** A person puts their name under contracts: the file is written, and signed with `ssh-keygen -Y sign` (so agents and hardware keys work). */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { UsherError } from '../errors.ts'
import type { Json, JsonObject } from '../types.ts'
import { sha256 } from '../util/canonical.ts'
import { isRecord } from '../util/records.ts'
import { toolKey } from './draft.ts'
import { schemaHashV1 } from './hash.ts'
import type { Problem } from './problems.ts'
import { checkContractBytes, type ContractFile, decodeStrict } from './read-file.ts'
import { readSignatures, verifySignature } from './ssh-signature.ts'
import { inPatternList } from './allowed-signers.ts'
import { SIGN_NAMESPACE, signPayload } from './sign-payload.ts'
import { type SignerFiles, standingOf } from './signers.ts'
import { readWire } from './wire.ts'

/** The record as a person agrees to it: their name, `origin: human`, no note for reviewers, and the hash of exactly this. */
export function signedRecord(draft: JsonObject, person: string): JsonObject {
  const { draft_note: _note, draft_wire: _wire, schema_hash: _hash, ...rest } = draft
  const record = { ...rest, origin: 'human', signed_by: person }
  return { ...record, schema_hash: schemaHashV1(record) }
}

interface Existing { readonly serial: number, readonly tools: readonly JsonObject[] }

function readExisting(file: string): Existing {
  if (!existsSync(file)) return { serial: 0, tools: [] }
  const text = decodeStrict(readFileSync(file))
  const reading = text === undefined ? undefined : readWire(text)
  if (reading?.kind !== 'json' || !isRecord(reading.value) || !Array.isArray(reading.value['tools'])) throw new UsherError('CONTRACT_INVALID', `${file} is no contract file; mend or move it first: usher contract verify`)
  if (reading.value['version'] !== 2) throw new UsherError('CONTRACT_INVALID', `${file} has version ${JSON.stringify(reading.value['version'] as Json)}; drafts go into a file of version 2: name another with --contracts`)
  return { serial: Number(reading.value['serial']) || 0, tools: reading.value['tools'].filter(isRecord) }
}

function writeWhole(file: string, text: string): void {
  const fresh = `${file}.${process.pid}.new`
  writeFileSync(fresh, text, { mode: 0o644 })
  renameSync(fresh, file)
}

export type Merged = { readonly kind: 'text', readonly text: string } | { readonly kind: 'problems', readonly problems: readonly Problem[] }

/**
 * The contract file with the records in it: new ones added, those of the same server and name replaced, `gone` taken out. Writes nothing; gives
 * the problems where a rule is broken. @param at ms since 1970; stands in the file, under the signatures
 */
export function merged(file: string, records: readonly JsonObject[], gone: readonly string[] = [], at: number = Date.now()): Merged {
  const existing = readExisting(file)
  const fresh = new Map(records.map(record => [toolKey(record), record]))
  const kept = existing.tools.filter(record => !fresh.has(toolKey(record)) && !gone.includes(toolKey(record)))
  const text = `${JSON.stringify({ version: 2, serial: existing.serial + 1, signed_at: new Date(at).toISOString(), tools: [...kept, ...fresh.values()] }, null, 2)}\n`
  const { problems } = checkContractBytes(file, Buffer.from(text))
  return problems.length > 0 ? { kind: 'problems', problems } : { kind: 'text', text }
}

/** Writes the text with its first signature, one right after the other: whoever watches the file sees it signed. Old signatures end with it. Rejects with CONTRACT_INVALID, or BAD_OPTION where the key is another person's; then nothing was written. */
export async function writeSigned(file: string, text: string, by: Signing): Promise<void> {
  const signature = await signatureOver(sha256(text), by)
  writeWhole(file, text)
  writeWhole(`${file}.sig`, signature)
}

/**
 * Adds a signature over the file; a second one by the same key adds nothing, and signatures over other bytes end. A file of version 2 that nobody
 * signed yet and that has no higher serial than what was accepted gets the next one, so that the file of before cannot come back under its own.
 * @param accepted what this machine accepted before. Rejects as `writeSigned` does.
 */
export async function addSignature(file: string, by: Signing, accepted?: Pick<ContractFile, 'hash' | 'serial'>): Promise<void> {
  const text = decodeStrict(readFileSync(file)) ?? ''
  const kept = existsSync(`${file}.sig`) ? fittingSignatures(readFileSync(`${file}.sig`, 'utf8'), sha256(text)) : ''
  const raised = kept === '' && accepted && accepted.hash !== sha256(text) ? withSerial(text, accepted.serial + 1) : undefined
  if (raised !== undefined) { await writeSigned(file, raised, by); return }
  const signature = await signatureOver(sha256(readFileSync(file)), by)
  writeWhole(`${file}.sig`, kept.includes(signature) ? kept : `${kept}${signature}`)
}

/** The same file with that serial; undefined where it has none, or one that is high enough. */
function withSerial(text: string, serial: number): string | undefined {
  const reading = readWire(text)
  if (reading.kind !== 'json' || !isRecord(reading.value) || reading.value['version'] !== 2 || Number(reading.value['serial']) >= serial) return undefined
  return `${JSON.stringify({ ...reading.value, serial, signed_at: new Date().toISOString() }, null, 2)}\n`
}

/** The armoured blocks that are over this file. */
function fittingSignatures(text: string, hash: string): string {
  const blocks = text.match(/-----BEGIN SSH SIGNATURE-----[^-]*-----END SSH SIGNATURE-----\n?/g) ?? []
  return blocks.filter(block => {
    const reading = readSignatures(block)
    return reading.kind !== 'bad' && reading.signatures.every(signature => verifySignature(signature, signPayload(hash), SIGN_NAMESPACE))
  }).map(block => block.endsWith('\n') ? block : `${block}\n`).join('')
}

/** Whose key signs, and where the owner says so. */
export interface Signing {
  /** Private key, or the public one of a key that an agent holds. */
  readonly key: string
  readonly person: string
  readonly files: Pick<SignerFiles, 'signers' | 'revoked'>
}

/** Without a signers file nobody can say whose the key is: the verdict afterwards tells that it is missing. */
function checkPerson(armoured: string, hash: string, { key, person, files }: Signing): void {
  if (!existsSync(files.signers)) return
  const { good, problems } = standingOf(armoured, { ...files, signatures: '' }, hash, Date.now())
  const names = good.flatMap(signature => signature.principals)
  if (inPatternList(names, person)) return
  throw new UsherError('BAD_OPTION', `nothing was signed: ${key} is not a key of ${JSON.stringify(person)} in ${files.signers} (${names.length > 0 ? `it is one of ${names.join(', ')}` : problems[0]?.message ?? 'it is nobody\'s'})`)
}

async function signatureOver(hash: string, by: Signing): Promise<string> {
  const armoured = await armouredOver(hash, by.key)
  checkPerson(armoured, hash, by)
  return armoured
}

async function armouredOver(hash: string, key: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'usher-sign-'))
  const payload = join(folder, 'payload')
  try {
    writeFileSync(payload, signPayload(hash), { mode: 0o600 })
    await promisify(execFile)('ssh-keygen', ['-Y', 'sign', '-q', '-f', key, '-n', SIGN_NAMESPACE, payload])
    return readFileSync(`${payload}.sig`, 'utf8')
  } catch (cause) {
    throw new UsherError('CONTRACT_INVALID', `ssh-keygen did not sign with ${key}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
