/** A person puts their name under contracts: the file is written, and signed with `ssh-keygen -Y sign` (so agents and hardware keys work). */
import { execFile } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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
import { checkContractBytes, decodeStrict } from './read-file.ts'
import { SIGN_NAMESPACE, signPayload } from './sign-payload.ts'
import { readWire } from './wire.ts'

/** The record as a person agrees to it: their name, `origin: human`, no note, and the hash of exactly this. */
export function signedRecord(draft: JsonObject, person: string): JsonObject {
  const { draft_note: _note, schema_hash: _hash, ...rest } = draft
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

/**
 * Puts records into the contract file: new ones added, those of the same server and name replaced, `gone` taken out. Old signatures end with
 * it. Gives the problems and writes nothing where a rule is broken.
 */
export function mergeInto(file: string, records: readonly JsonObject[], gone: readonly string[] = []): readonly Problem[] {
  const existing = readExisting(file)
  const fresh = new Map(records.map(record => [toolKey(record), record]))
  const kept = existing.tools.filter(record => !fresh.has(toolKey(record)) && !gone.includes(toolKey(record)))
  const text = `${JSON.stringify({ version: 2, serial: existing.serial + 1, tools: [...kept, ...fresh.values()] }, null, 2)}\n`
  const { problems } = checkContractBytes(file, Buffer.from(text))
  if (problems.length > 0) return problems
  writeWhole(file, text)
  rmSync(`${file}.sig`, { force: true })
  return []
}

/** Adds a signature over the file as it is. Rejects with CONTRACT_INVALID where ssh-keygen does not sign. @param key private key, or the public one of a key that an agent holds */
export async function addSignature(file: string, key: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'usher-sign-'))
  const payload = join(folder, 'payload')
  try {
    writeFileSync(payload, signPayload(sha256(readFileSync(file))), { mode: 0o600 })
    await promisify(execFile)('ssh-keygen', ['-Y', 'sign', '-q', '-f', key, '-n', SIGN_NAMESPACE, payload])
    appendFileSync(`${file}.sig`, readFileSync(`${payload}.sig`))
  } catch (cause) {
    throw new UsherError('CONTRACT_INVALID', `ssh-keygen did not sign with ${key}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
