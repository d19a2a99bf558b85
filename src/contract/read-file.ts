/** One contract file as read from disk: its bytes, and what its records say under the rules. Signatures are verify.ts's. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Json } from '../types.ts'
import { sha256 } from '../util/canonical.ts'
import { isRecord } from '../util/records.ts'
import { type Contract, contractKey } from './contract.ts'
import { fileV1Schema, fileV2Schema, shapeErrors } from './format.ts'
import { lookAlikes } from './names.ts'
import { problem, type Problem } from './problems.ts'
import { isInReview } from './review-folder.ts'
import { checkRecordV1, checkRecordV2 } from './rules.ts'
import { readWire } from './wire.ts'

export interface ContractFile {
  readonly path: string
  /** SHA-256 of the bytes; undefined when there are none. */
  readonly hash: string | undefined
  readonly version: 1 | 2 | undefined
  /** Version 2: may only grow. */
  readonly serial: number
  /** When the first of its signers signed it, as the file itself says (ms since 1970); absent where it does not (version 1 never does). */
  readonly signedAt?: number
  /** Records that keep all the rules. */
  readonly contracts: readonly Contract[]
  readonly problems: readonly Problem[]
}

/** The largest contract file that is read at all, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024

function nameProblems(contracts: readonly Contract[]): Problem[] {
  const keys = contracts.map(contractKey)
  const twice = new Set(keys.filter((key, at) => keys.indexOf(key) !== at))
  return [
    ...[...twice].map(key => problem('name-twice', key, `two records are named "${key}"; which of them holds cannot be told`)),
    ...lookAlikes([...new Set(keys)]).map(group => problem('name-look-alike', group[0] ?? null, `these names look the same: ${group.map(name => JSON.stringify(name)).join(', ')}`)),
  ]
}

function checkFile(value: Json): Omit<ContractFile, 'path' | 'hash'> {
  const none = { version: undefined, serial: 0, contracts: [] }
  const version = isRecord(value) ? value['version'] : undefined
  if (version !== 1 && version !== 2) return { ...none, problems: [problem('file-version', null, `version is ${JSON.stringify(version) ?? 'missing'}; this Usher reads 1 and 2`)] }
  const parsed = version === 1 ? fileV1Schema.safeParse(value) : fileV2Schema.safeParse(value)
  if (!parsed.success) return { ...none, version, problems: shapeErrors(parsed.error).map(message => problem('file-shape', null, message)) }
  const checked = (parsed.data.tools as readonly Json[]).map((record, at) => version === 1 ? checkRecordV1(record, `tools[${at}]`) : checkRecordV2(record, `tools[${at}]`))
  const contracts = checked.flatMap(record => record.contract ? [record.contract] : [])
  const names = nameProblems(contracts)
  const signedAt = parsed.data.version === 2 && parsed.data.signed_at !== undefined ? { signedAt: Date.parse(parsed.data.signed_at) } : {}
  return { version, serial: parsed.data.version === 2 ? parsed.data.serial : 0, ...signedAt, contracts, problems: [...checked.flatMap(record => record.problems), ...names] }
}

/** Strict UTF-8, so that a damaged byte cannot become a replacement character that hashes like another. */
export function decodeStrict(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The rules over bytes that are already in hand. */
export function checkContractBytes(path: string, bytes: Buffer): ContractFile {
  const hash = sha256(bytes)
  const fail = (found: Problem): ContractFile => ({ path, hash, version: undefined, serial: 0, contracts: [], problems: [found] })
  if (bytes.length > MAX_BYTES) return fail(problem('file-unreadable', null, `${basename(path)} has ${bytes.length} bytes; ${MAX_BYTES} is the most`))
  const text = decodeStrict(bytes)
  if (text === undefined) return fail(problem('file-unreadable', null, `${basename(path)} is not valid UTF-8`))
  const reading = readWire(text)
  if (reading.kind === 'bad') return fail(problem(reading.reason === 'repeated-member' ? 'repeated-member' : 'file-unreadable', null, `${basename(path)}: ${reading.why}`))
  return { path, hash, ...checkFile(reading.value) }
}

export function readContractFile(path: string): ContractFile {
  const fail = (found: Problem): ContractFile => ({ path, hash: undefined, version: undefined, serial: 0, contracts: [], problems: [found] })
  if (isInReview(path)) return fail(problem('review-folder', null, `${path} is a draft in a review folder; sign it first: usher contract sign`))
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return fail(problem(missing ? 'file-missing' : 'file-unreadable', null, missing ? `${path} is not there` : `${path} cannot be read: ${String(error)}`))
  }
  return checkContractBytes(path, bytes)
}
