/** Copies of control-plane files that a person accepted: what a new version is measured by, whatever became of the files since. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
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
  /** Files that are code or figures (a tools module, a calibration): path -> SHA-256, or null where there was none. */
  readonly pinned: ReadonlyMap<string, string | null>
}

const MANIFEST = 'manifest.json'

const digest = (path: string): string | null => existsSync(path) ? sha256(readFileSync(path)) : null

/**
 * @param folder of one purpose, e.g. `.usher/accepted/routes`. The old copies stay until the new ones are whole.
 * @param pinned files of which only the digest is kept @param kept digests of before, of files that this time nobody speaks of
 */
export function acceptFiles(folder: string, files: readonly string[], who: string, at: number, pinned: readonly string[] = [], kept: AcceptedFiles['pinned'] = new Map()): AcceptedFiles {
  const fresh = `${folder}.${process.pid}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true, mode: 0o700 })
  const entries = files.map((path, nth) => {
    const bytes = readFileSync(path)
    const copy = `${nth}-${basename(path)}`
    writeFileSync(join(fresh, copy), bytes, { mode: 0o600 })
    return { path: resolve(path), copy, sha256: sha256(bytes) }
  })
  const pins = new Map([...kept, ...pinned.map(path => [resolve(path), digest(path)] as const)])
  writeFileSync(join(fresh, MANIFEST), `${JSON.stringify({ version: 1, who, at, files: entries, pinned: [...pins].map(([path, sha]) => ({ path, sha256: sha })) }, null, 2)}\n`, { mode: 0o600 })
  rmSync(`${folder}.old`, { recursive: true, force: true })
  if (existsSync(folder)) renameSync(folder, `${folder}.old`)
  renameSync(fresh, folder)
  rmSync(`${folder}.old`, { recursive: true, force: true })
  return { who, at, copies: entries.map(entry => join(folder, entry.copy)), paths: files, pinned: pins }
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
  const pinned = Array.isArray(reading.value['pinned']) ? (reading.value['pinned'] as readonly JsonObject[]) : []
  const pins = new Map(pinned.map(entry => [String(entry['path']), typeof entry['sha256'] === 'string' ? entry['sha256'] : null]))
  return { who: String(who), at: Number(at), copies: files.map(file => file.copy), paths: files.map(file => file.path), pinned: pins }
}

/** Which of the files are not those that were accepted, in words. One that nobody accepted or refused yet is none of them. */
export function pinnedChanges({ who, pinned }: Pick<AcceptedFiles, 'who' | 'pinned'>, paths: readonly string[]): readonly string[] {
  return paths.map(path => resolve(path)).flatMap(path => {
    const was = pinned.get(path)
    const now = digest(path)
    if (was === undefined || was === now) return []
    return [`${path} ${now === null ? 'is gone' : was === null ? 'is new' : 'is not the one'} ${was === null || now === null ? 'since' : 'that'} ${who} accepted${was === null || now === null ? ' the routes' : ''} (${now?.slice(0, 12) ?? 'none'}, was ${was?.slice(0, 12) ?? 'none'})`]
  })
}
