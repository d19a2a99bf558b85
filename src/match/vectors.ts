/**
 * Trigger vectors on disk, keyed by encoder and text, so that a second start embeds nothing. One file an encoder: a line of JSON (encoder, dimension, count,
 * sha256 of what follows), then the keys (sha256 of each text, 32 bytes), then the numbers (float32, little-endian). A file that is
 * damaged or another encoder's counts as empty; writing goes to a file of its own name first, so that a reader, or a second process, never sees half.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsherError } from '../errors.ts'
import { sha256 } from '../util/canonical.ts'
import { checkVector } from './vector-check.ts'

const KIND = 'usher-vectors-1'
const KEY_BYTES = 32
/** Entries that no current phrase uses are kept up to this many more: several route folders may share one cache. */
const SPARE = 10_000
/** Texts given to the encoder at once: enough to keep its workers busy. */
const AT_ONCE = 64

export class VectorStore {
  readonly #file: string | undefined
  readonly #encoder: string
  readonly #dimension: number
  /** sha256 of the text in hex -> vector. */
  readonly #known: Map<string, Float32Array>

  private constructor(file: string | undefined, encoder: string, dimension: number, known: Map<string, Float32Array>) {
    this.#file = file
    this.#encoder = encoder
    this.#dimension = dimension
    this.#known = known
  }

  /** @param dir undefined: nothing is read or written */
  static async open(dir: string | undefined, encoder: string, dimension: number): Promise<VectorStore> {
    if (dir === undefined) return new VectorStore(undefined, encoder, dimension, new Map())
    const file = join(dir, `vectors-${sha256(encoder).slice(0, 16)}.bin`)
    return new VectorStore(file, encoder, dimension, await readVectors(file, encoder, dimension))
  }

  /** The vectors of the texts, in their order; those not known are made by `embed` and stored. */
  async vectors(texts: readonly string[], embed: (text: string) => Promise<Float32Array>, onProgress?: (done: number, total: number) => void): Promise<Float32Array[]> {
    const missing = [...new Map(texts.map(text => [sha256(text), text])).entries()].filter(([key]) => !this.#known.has(key))
    for (let start = 0; start < missing.length; start += AT_ONCE) {
      await Promise.all(missing.slice(start, start + AT_ONCE).map(async ([key, text]) => {
        const vector = await embed(text)
        checkVector(vector, this.#dimension, `the vector of ${JSON.stringify(text.slice(0, 80))}`)
        this.#known.set(key, vector)
      }))
      onProgress?.(Math.min(start + AT_ONCE, missing.length), missing.length)
    }
    const keys = texts.map(sha256)
    if (missing.length > 0) await this.#write(new Set(keys))
    return keys.map(key => this.#known.get(key) as Float32Array)
  }

  async #write(current: ReadonlySet<string>): Promise<void> {
    if (this.#file === undefined) return
    const spare = [...this.#known.keys()].filter(key => !current.has(key)).slice(-SPARE)
    const keys = [...current, ...spare]
    const body = Buffer.alloc(keys.length * (KEY_BYTES + this.#dimension * 4))
    keys.forEach((key, place) => {
      body.write(key, place * KEY_BYTES, 'hex')
      const vector = this.#known.get(key) as Float32Array
      const at = keys.length * KEY_BYTES + place * this.#dimension * 4
      vector.forEach((value, i) => body.writeFloatLE(value, at + i * 4))
    })
    const head = JSON.stringify({ kind: KIND, encoder: this.#encoder, dimension: this.#dimension, count: keys.length, sha256: sha256(body) })
    await writeWhole(this.#file, [Buffer.from(`${head}\n`), body])
  }
}

/** Writes a file that appears at once or not at all. */
export async function writeWhole(file: string, parts: readonly Uint8Array[]): Promise<void> {
  const own = `${file}.${process.pid}.${randomUUID()}.tmp`
  try {
    await mkdir(join(file, '..'), { recursive: true })
    await writeFile(own, parts)
    await rename(own, file)
  } catch (cause) {
    await rm(own, { force: true })
    throw new UsherError('INDEX_INVALID', `the cache file ${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}; free the disk, or name another cacheDir`, { cause })
  }
}

async function readVectors(file: string, encoder: string, dimension: number): Promise<Map<string, Float32Array>> {
  const known = new Map<string, Float32Array>()
  let bytes: Buffer
  try {
    bytes = await readFile(file)
  } catch {
    return known // no file yet, or none that can be read: the vectors are made again
  }
  const end = bytes.indexOf(10)
  const head = end < 0 ? undefined : parsed(bytes.toString('utf8', 0, end))
  const body = bytes.subarray(end + 1)
  if (!head || head['kind'] !== KIND || head['encoder'] !== encoder || head['dimension'] !== dimension) return known
  const count = head['count']
  if (typeof count !== 'number' || body.length !== count * (KEY_BYTES + dimension * 4) || head['sha256'] !== sha256(body)) return known
  const numbers = new Float32Array(count * dimension)
  const start = count * KEY_BYTES
  for (let i = 0; i < numbers.length; i++) numbers[i] = body.readFloatLE(start + i * 4)
  for (let place = 0; place < count; place++) {
    known.set(body.toString('hex', place * KEY_BYTES, (place + 1) * KEY_BYTES), numbers.subarray(place * dimension, (place + 1) * dimension))
  }
  return known
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value as Record<string, unknown> : undefined
  } catch {
    return undefined
  }
}
