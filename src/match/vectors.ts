/**
 * Trigger vectors on disk, keyed by encoder and text, so that a second start embeds nothing. One file an encoder: the ids of the texts, then the
 * numbers (float32). A file that is damaged or another encoder's counts as empty.
 */
import { join } from 'node:path'
import { sha256 } from '../util/canonical.ts'
import { ID_BYTES, readSealed, textId, writeSealed } from './files.ts'
import { checkVector } from './vector-check.ts'

const KIND = 'usher-vectors-1'
/** Entries that no current phrase uses are kept, up to this many: several route folders may share one cache. */
const SPARE = 10_000
/** Texts given to the encoder at once: enough to keep its workers busy. */
const AT_ONCE = 64

export type Progress = (done: number, total: number) => void

export class VectorStore {
  readonly #file: string | undefined
  readonly #encoder: string
  readonly #dimension: number
  /** Id of the text -> vector. */
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

  /** The vectors of the texts, in their order; those not known are made by `embed` and stored. Rejects as `embed` does. */
  async vectors(texts: readonly string[], embed: (text: string) => Promise<Float32Array>, onProgress?: Progress): Promise<Float32Array[]> {
    const ids = texts.map(textId)
    const missing = [...new Map(ids.map((id, place) => [id, texts[place] as string]))].filter(([id]) => !this.#known.has(id))
    try {
      for (let start = 0; start < missing.length; start += AT_ONCE) {
        await Promise.all(missing.slice(start, start + AT_ONCE).map(async ([id, text]) => {
          const vector = await embed(text)
          checkVector(vector, this.#dimension, `the vector of ${JSON.stringify(text.slice(0, 80))}`)
          this.#known.set(id, vector)
        }))
        onProgress?.(Math.min(start + AT_ONCE, missing.length), missing.length)
      }
    } finally {
      // What was embedded before a failure need not be embedded again.
      if (missing.some(([id]) => this.#known.has(id))) await this.#write(new Set(ids.filter(id => this.#known.has(id))))
    }
    return ids.map(id => this.#known.get(id) as Float32Array)
  }

  async #write(current: ReadonlySet<string>): Promise<void> {
    if (this.#file === undefined) return
    const spare = [...this.#known.keys()].filter(id => !current.has(id)).slice(-SPARE)
    const ids = [...current, ...spare]
    const numbers = new Float32Array(ids.length * this.#dimension)
    const head = Buffer.alloc(ids.length * ID_BYTES)
    ids.forEach((id, place) => {
      head.write(id, place * ID_BYTES, 'hex')
      numbers.set(this.#known.get(id) as Float32Array, place * this.#dimension)
    })
    const body = Buffer.concat([head, new Uint8Array(numbers.buffer)])
    await writeSealed(this.#file, { kind: KIND, encoder: this.#encoder, dimension: this.#dimension, count: ids.length }, body)
  }
}

async function readVectors(file: string, encoder: string, dimension: number): Promise<Map<string, Float32Array>> {
  const known = new Map<string, Float32Array>()
  const sealed = await readSealed(file, { kind: KIND, encoder, dimension })
  const count = sealed?.head.get('count')
  if (!sealed || typeof count !== 'number' || sealed.body.length !== count * (ID_BYTES + dimension * 4)) return known
  const numbers = new Float32Array(new Uint8Array(sealed.body.subarray(count * ID_BYTES)).buffer)
  for (let place = 0; place < count; place++) {
    known.set(sealed.body.toString('hex', place * ID_BYTES, (place + 1) * ID_BYTES), numbers.subarray(place * dimension, (place + 1) * dimension))
  }
  return known
}
