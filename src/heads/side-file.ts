/** What usher calibrate chose, beside the route files: control plane like them, and only for the encoder that it was made with. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { accessBreaches } from '../contract/file-access.ts'
import { UsherError } from '../errors.ts'
import type { JsonObject } from '../types.ts'
import { canonicalJson, sha256 } from '../util/canonical.ts'
import { isRecord } from '../util/records.ts'
import type { Calibration } from './build.ts'

export const SIDE_FILE = 'calibration.json'

export interface SideFile extends Calibration {
  readonly encoder: string
  /** Who ran it, and when (ms since 1970). */
  readonly who: string
  readonly at: number
  /** In words, for people: why these thresholds. */
  readonly why: readonly string[]
  readonly evidence: JsonObject
}

const VERSION = 1

export function writeSideFile(path: string, side: SideFile): void {
  const { encoder, inputs, budget, probability, thresholds, who, at, why, evidence } = side
  const body = { version: VERSION, encoder, inputs, budget, probability: { ...probability }, thresholds: [...thresholds].map(([route, threshold]) => ({ route, threshold })), who, at, why, evidence }
  const fresh = `${path}.${process.pid}.new`
  writeFileSync(fresh, `${JSON.stringify({ ...body, sha256: sha256(canonicalJson(body)) }, null, 2)}\n`, { mode: 0o600 })
  renameSync(fresh, path)
}

/**
 * Throws ROUTES_INVALID for a file that somebody else may write, that is a link, damaged or changed by hand, and ENCODER_MISMATCH for one of another
 * encoder: thresholds that nobody vouches for are not used, nor passed over in silence.
 */
export function readSideFile(path: string, encoder: string): SideFile {
  const bad = (why: string): UsherError => new UsherError('ROUTES_INVALID', `${path}: ${why}; run usher calibrate again, or remove the file`)
  // What file system it is on is the route files' matter: they are in the same folder.
  const breach = accessBreaches(path, { ownMachine: true }).find(({ code }) => code !== 'file-system')
  if (breach) throw bad(breach.message)
  const body = parse(readFileSync(path, 'utf8'))
  if (!body || body['version'] !== VERSION) throw bad('it is no calibration of this version')
  const { sha256: sealed, ...rest } = body
  if (sealed !== sha256(canonicalJson(rest))) throw bad('its content is not what was written')
  if (body['encoder'] !== encoder) throw new UsherError('ENCODER_MISMATCH', `${path} is for the encoder ${String(body['encoder'])}, but this one is ${encoder}; run usher calibrate again`)
  const side = sideOf(rest)
  if (!side) throw bad('a part of it is missing')
  return side
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined // said by the caller, with the path
  }
}

const share = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1

function sideOf(body: Readonly<Record<string, unknown>>): SideFile | undefined {
  const { encoder, inputs, budget, probability, thresholds, who, at, why, evidence } = body
  if (typeof encoder !== 'string' || typeof inputs !== 'string' || !share(budget) || budget === 0 || typeof who !== 'string' || typeof at !== 'number' || !Array.isArray(why) || !isRecord(evidence)) return undefined
  if (!isRecord(probability) || typeof probability['intercept'] !== 'number' || !Array.isArray(probability['weights']) || probability['weights'].length !== 2 || !probability['weights'].every(weight => typeof weight === 'number')) return undefined
  if (!Array.isArray(thresholds) || !thresholds.every(entry => isRecord(entry) && typeof entry['route'] === 'string' && share(entry['threshold']))) return undefined
  return {
    encoder, inputs, budget, who, at, why: why.map(String), evidence: evidence as JsonObject,
    probability: { intercept: probability['intercept'], weights: probability['weights'] as number[] },
    thresholds: new Map((thresholds as readonly { readonly route: string, readonly threshold: number }[]).map(({ route, threshold }) => [route, threshold])),
  }
}
