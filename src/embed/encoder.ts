/** Text to vector, by the encoder's tokeniser and session. */
import type { ModelManifest } from '../util/model-files.ts'
import { OnnxModel } from '../util/onnx-model.ts'
import { normalise } from '../util/text.ts'

export interface Encoded { readonly vector: Float32Array, readonly cutAt?: number }

/** Characters tokenised in one go; more are read only while the model still has room. */
const CHUNK = 8192

export class Encoder {
  readonly #model: OnnxModel
  readonly #manifest: ModelManifest

  private constructor(model: OnnxModel, manifest: ModelManifest) {
    this.#model = model
    this.#manifest = manifest
  }

  /**
   * @param dir the model folder
   * @param files its checked bytes
   * @param threads of one run
   */
  static async load(dir: string, manifest: ModelManifest, files: ReadonlyMap<string, Buffer>, threads: number): Promise<Encoder> {
    return new Encoder(await OnnxModel.load(dir, manifest, files, threads), manifest)
  }

  /** Mean of the token vectors, at unit length. The text is normalised first, so that case and invisible characters change nothing. */
  async encode(text: string): Promise<Encoded> {
    const { ids, cut } = this.#tokens(normalise(text))
    const count = ids.length
    const vector = meanPooled(await this.#model.run(ids), count, this.#manifest.dimension)
    return cut ? { vector, cutAt: count } : { vector }
  }

  /** Token ids with the model's two marks; at most `maxTokens`, the last mark kept. */
  #tokens(text: string): { ids: number[], cut: boolean } {
    const max = this.#manifest.maxTokens
    let end = wordEnd(text, CHUNK)
    let ids = this.#model.tokenizer.encode(text.slice(0, end))
    // Tokens never span white space, so a full prefix says all that the model can read.
    while (ids.length <= max && end < text.length) {
      end = wordEnd(text, end * 2)
      ids = this.#model.tokenizer.encode(text.slice(0, end))
    }
    if (ids.length <= max) return { ids, cut: false }
    const last = ids.at(-1) ?? 0
    return { ids: [...ids.slice(0, max - 1), last], cut: true }
  }
}

/** The first white space at or after `from`, or the end. The text is normalised: blanks are its only white space. */
function wordEnd(text: string, from: number): number {
  if (from >= text.length) return text.length
  const blank = text.indexOf(' ', from)
  return blank < 0 ? text.length : blank
}

function meanPooled(hidden: Float32Array, count: number, dimension: number): Float32Array {
  if (hidden.length !== count * dimension) throw new Error(`the model gave ${hidden.length} numbers for ${count} tokens of ${dimension}`)
  const sum = new Float64Array(dimension)
  for (let token = 0; token < count; token++) {
    const start = token * dimension
    for (let i = 0; i < dimension; i++) sum[i] = (sum[i] ?? 0) + (hidden[start + i] ?? 0)
  }
  let square = 0
  for (const value of sum) square += value * value
  const length = Math.sqrt(square)
  if (!(length > 0) || !Number.isFinite(length)) throw new Error('the model gave no usable vector')
  const vector = new Float32Array(dimension)
  for (let i = 0; i < dimension; i++) vector[i] = (sum[i] ?? 0) / length
  return vector
}
