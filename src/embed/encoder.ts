/**
 * Text to vector: tokeniser and ONNX session. The only file that names the ML libraries, and it names two parts of
 * `@xenova/transformers`, not its entry: the entry loads the image library `sharp`, and its pipeline does not pass thread counts on to
 * ONNX Runtime. No network: the parts get bytes and one local path, never an address.
 */
import { join } from 'node:path'
import { normalise } from '../util/text.ts'
import type { ModelManifest } from './model-files.ts'

const TOKENIZERS = '@xenova/transformers/src/tokenizers.js'
const RUNTIME = '@xenova/transformers/src/backends/onnx.js'

interface Tokenizer { encode(text: string): number[] }
interface Tensor { readonly data: unknown, readonly dims: readonly number[], dispose?(): void }
interface Session {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor>>
}
interface Runtime {
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor
  readonly InferenceSession: { create(file: string, options: Record<string, unknown>): Promise<Session> }
}
type TokenizerClass = new (json: unknown, config: unknown) => Tokenizer

export interface Encoded { readonly vector: Float32Array, readonly cutAt?: number }

/** Characters tokenised in one go; more are read only while the model still has room. */
const CHUNK = 8192

export class Encoder {
  readonly #tokenizer: Tokenizer
  readonly #session: Session
  readonly #runtime: Runtime
  readonly #manifest: ModelManifest

  private constructor(tokenizer: Tokenizer, session: Session, runtime: Runtime, manifest: ModelManifest) {
    this.#tokenizer = tokenizer
    this.#session = session
    this.#runtime = runtime
    this.#manifest = manifest
  }

  /**
   * @param dir the model folder
   * @param files its checked bytes
   * @param threads of one run
   */
  static async load(dir: string, manifest: ModelManifest, files: ReadonlyMap<string, Buffer>, threads: number): Promise<Encoder> {
    const read = (name: string): Buffer => {
      const bytes = files.get(name)
      if (!bytes) throw new Error(`the model has no ${name}`)
      return bytes
    }
    const config = JSON.parse(read('tokenizer_config.json').toString('utf8')) as { tokenizer_class?: string }
    const { AutoTokenizer } = await import(TOKENIZERS) as { AutoTokenizer: { TOKENIZER_CLASS_MAPPING: Record<string, TokenizerClass> } }
    const { ONNX } = await import(RUNTIME) as { ONNX: Runtime }
    const name = config.tokenizer_class ?? 'PreTrainedTokenizer'
    const table = AutoTokenizer.TOKENIZER_CLASS_MAPPING
    const TokenizerOf = Object.hasOwn(table, name) ? table[name] : undefined
    if (!TokenizerOf) throw new Error(`the tokeniser class ${JSON.stringify(name)} is unknown`)
    const tokenizer = new TokenizerOf(JSON.parse(read('tokenizer.json').toString('utf8')), config)
    // By path: onnxruntime-node 1.14 reads no options, so no thread count, where it is given bytes.
    const session = await ONNX.InferenceSession.create(join(dir, manifest.weights), {
      intraOpNumThreads: threads, interOpNumThreads: 1, executionMode: 'sequential', graphOptimizationLevel: 'all',
    })
    return new Encoder(tokenizer, session, ONNX, manifest)
  }

  /** Mean of the token vectors, at unit length. The text is normalised first, so that case and invisible characters change nothing. */
  async encode(text: string): Promise<Encoded> {
    const { ids, cut } = this.#tokens(normalise(text))
    const count = ids.length
    const values: Record<string, BigInt64Array> = {
      input_ids: BigInt64Array.from(ids, BigInt),
      attention_mask: new BigInt64Array(count).fill(1n),
      token_type_ids: new BigInt64Array(count),
    }
    const feeds: Record<string, Tensor> = {}
    for (const name of this.#session.inputNames) {
      const value = Object.hasOwn(values, name) ? values[name] : undefined
      if (!value) throw new Error(`the model wants an input ${JSON.stringify(name)} that is unknown`)
      feeds[name] = new this.#runtime.Tensor('int64', value, [1, count])
    }
    const outputs = await this.#session.run(feeds)
    const output = outputs[this.#session.outputNames[0] ?? '']
    if (!output || !(output.data instanceof Float32Array)) throw new Error('the model gave no float32 output')
    const vector = meanPooled(output.data, count, this.#manifest.dimension)
    for (const tensor of Object.values(outputs)) tensor.dispose?.()
    return cut ? { vector, cutAt: count } : { vector }
  }

  /** Token ids with the model's two marks; at most `maxTokens`, the last mark kept. */
  #tokens(text: string): { ids: number[], cut: boolean } {
    const max = this.#manifest.maxTokens
    let end = wordEnd(text, CHUNK)
    let ids = this.#tokenizer.encode(text.slice(0, end))
    // Tokens never span white space, so a full prefix says all that the model can read.
    while (ids.length <= max && end < text.length) {
      end = wordEnd(text, end * 2)
      ids = this.#tokenizer.encode(text.slice(0, end))
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
