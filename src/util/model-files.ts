/** The files of a model folder and the hashes they must have. A byte that differs is found before it is used. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsherError } from '../errors.ts'
import { sha256 } from './canonical.ts'

/** `model.json` of a model folder. */
export interface ModelManifest {
  readonly name: string
  /** How the weights and activations are stored, e.g. `q8`. */
  readonly quantisation: string
  readonly dimension: number
  /** Tokens that the model takes, its two marks included. */
  readonly maxTokens: number
  /** Which of `files` holds the weights. */
  readonly weights: string
  /** Path inside the folder -> sha256 in hex. */
  readonly files: ReadonlyMap<string, string>
}

function readBytes(dir: string, file: string): Buffer {
  try {
    return readFileSync(join(dir, file))
  } catch (cause) {
    throw new UsherError('MODEL_MISSING', `the model file ${file} cannot be read in ${dir}; install the package again, or name the folder that holds it as modelDir`, { cause })
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}

/** Throws MODEL_MISSING where there is no manifest and MODEL_CHANGED where it is not one. Reads nothing else. */
export function readManifest(dir: string): ModelManifest {
  const bytes = readBytes(dir, 'model.json')
  const bad = (what: string, cause?: unknown) => new UsherError('MODEL_CHANGED', `${join(dir, 'model.json')} ${what}; take it from the package again`, { cause })
  let raw: unknown
  try {
    raw = JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw bad('is no JSON', cause)
  }
  if (typeof raw !== 'object' || raw === null) throw bad('is no object')
  const { name, quantisation, dimension, maxTokens, weights, files } = raw as Record<string, unknown>
  if (!isText(name) || !isText(quantisation) || !isText(weights)) throw bad('must name the model, its quantisation and its weights')
  if (!isCount(dimension) || !isCount(maxTokens)) throw bad(`has dimension ${String(dimension)} and maxTokens ${String(maxTokens)}, not whole numbers above 0`)
  if (typeof files !== 'object' || files === null) throw bad('has no list of files')
  const hashes = new Map<string, string>()
  for (const [file, hash] of Object.entries(files)) {
    if (!isText(hash) || !/^[0-9a-f]{64}$/.test(hash)) throw bad(`has no sha256 for ${JSON.stringify(file)}`)
    hashes.set(file, hash)
  }
  for (const needed of [weights, 'tokenizer.json', 'tokenizer_config.json']) {
    if (!hashes.has(needed)) throw bad(`has no sha256 for ${JSON.stringify(needed)}`)
  }
  return { name, quantisation, dimension, maxTokens, weights, files: hashes }
}

/** Reads every file of the manifest and checks it. What is returned are the bytes that were hashed. */
export function readModelFiles(dir: string, manifest: ModelManifest): ReadonlyMap<string, Buffer> {
  const contents = new Map<string, Buffer>()
  for (const [file, expected] of manifest.files) {
    const bytes = readBytes(dir, file)
    const found = sha256(bytes)
    if (found !== expected) {
      throw new UsherError('MODEL_CHANGED', `${join(dir, file)} has sha256 ${found}, but model.json says ${expected}; nothing was loaded from it. Install the package again`)
    }
    contents.set(file, bytes)
  }
  return contents
}
