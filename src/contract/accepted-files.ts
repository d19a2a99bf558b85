/** Copies of control-plane files that a person accepted: what a new version is measured by, whatever became of the files since. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { UsherError } from '../errors.ts'
import type { JsonObject } from '../types.ts'
import { sha256 } from '../util/canonical.ts'
import { isRecord } from '../util/records.ts'
import { decodeStrict } from './read-file.ts'
import { readWire } from './wire.ts'

export interface AcceptedFiles {
  readonly who: string
  /** ms since 1970. */
  readonly at: number
  /** Where the copies are, in the order that the files had. */
  readonly copies: readonly string[]
  /** Where the files were. */
  readonly paths: readonly string[]
}

const MANIFEST = 'manifest.json'

/** @param folder of one purpose, e.g. `.usher/accepted/routes`. The old copies stay until the new ones are whole. */
export function acceptFiles(folder: string, files: readonly string[], who: string, at: number): AcceptedFiles {
  const fresh = `${folder}.${process.pid}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true, mode: 0o700 })
  const entries = files.map((path, nth) => {
    const bytes = readFileSync(path)
    const copy = `${nth}-${basename(path)}`
    writeFileSync(join(fresh, copy), bytes, { mode: 0o600 })
    return { path, copy, sha256: sha256(bytes) }
  })
  writeFileSync(join(fresh, MANIFEST), `${JSON.stringify({ version: 1, who, at, files: entries }, null, 2)}\n`, { mode: 0o600 })
  rmSync(`${folder}.old`, { recursive: true, force: true })
  if (existsSync(folder)) renameSync(folder, `${folder}.old`)
  renameSync(fresh, folder)
  rmSync(`${folder}.old`, { recursive: true, force: true })
  return { who, at, copies: entries.map(entry => join(folder, entry.copy)), paths: files }
}

/** Undefined: nothing was accepted yet. Throws CONTRACT_INVALID for a copy that is not the one that was accepted. */
export function acceptedFiles(folder: string): AcceptedFiles | undefined {
  const manifest = join(folder, MANIFEST)
  if (!existsSync(manifest)) return undefined
  const bad = (why: string): UsherError => new UsherError('CONTRACT_INVALID', `${manifest}: ${why}; accept the files again`)
  const text = decodeStrict(readFileSync(manifest))
  const reading = text === undefined ? undefined : readWire(text)
  if (reading?.kind !== 'json' || !isRecord(reading.value) || reading.value['version'] !== 1 || !Array.isArray(reading.value['files'])) throw bad('it is no manifest of accepted files')
  const { who, at } = reading.value
  const files = (reading.value['files'] as readonly JsonObject[]).map(entry => ({ path: String(entry['path']), copy: join(folder, basename(String(entry['copy']))), hash: entry['sha256'] }))
  for (const { copy, hash } of files) if (!existsSync(copy) || sha256(readFileSync(copy)) !== hash) throw bad(`${copy} is not the copy that was accepted`)
  return { who: String(who), at: Number(at), copies: files.map(file => file.copy), paths: files.map(file => file.path) }
}
