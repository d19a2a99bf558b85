/**
 * Tokeniser and ONNX session of a model folder. The only file that names the ML libraries, and it names two parts of
 * `@xenova/transformers`, not its entry: the entry loads the image library `sharp`, and its pipeline does not pass thread counts on to
 * ONNX Runtime. No network: the parts get bytes and one local path, never an address.
 */
import { join } from 'node:path'
import type { ModelManifest } from './model-files.ts'

const TOKENIZERS = '@xenova/transformers/src/tokenizers.js'
const RUNTIME = '@xenova/transformers/src/backends/onnx.js'

export interface Tokenizer {
  /** Ids, the model's marks included. */
  encode(text: string): number[]
}
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

/** A model that is ready to run. One text (or pair) a run: with 8-bit activations a batch would change the figures. */
export class OnnxModel {
  readonly tokenizer: Tokenizer
  readonly #session: Session
  readonly #runtime: Runtime

  private constructor(tokenizer: Tokenizer, session: Session, runtime: Runtime) {
    this.tokenizer = tokenizer
    this.#session = session
    this.#runtime = runtime
  }

  /**
   * @param dir the model folder
   * @param files its checked bytes
   * @param threads of one run
   */
  static async load(dir: string, manifest: ModelManifest, files: ReadonlyMap<string, Buffer>, threads: number): Promise<OnnxModel> {
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
    return new OnnxModel(tokenizer, session, ONNX)
  }

  /** The numbers of the first output, for one row of token ids. @param kinds token type ids, default all 0 */
  async run(ids: readonly number[], kinds?: readonly number[]): Promise<Float32Array> {
    const count = ids.length
    const values: Record<string, BigInt64Array> = {
      input_ids: BigInt64Array.from(ids, BigInt),
      attention_mask: new BigInt64Array(count).fill(1n),
      token_type_ids: kinds ? BigInt64Array.from(kinds, BigInt) : new BigInt64Array(count),
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
    const data = output.data.slice()
    for (const tensor of Object.values(outputs)) tensor.dispose?.()
    return data
  }
}
