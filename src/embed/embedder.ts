/**
 * The sentence encoder as the rest of Usher sees it. The vector of a text is always that of its normalised form
 * (util/text.ts), for trigger phrases and events alike: two texts that are the same ask have the same vector, and the cache key is what
 * was embedded.
 */
import { availableParallelism } from 'node:os'
import { UsherError } from '../errors.ts'
import type { Embedded, Embedder } from '../ports.ts'
import { builtFile } from '../util/built.ts'
import { Lru } from '../util/lru.ts'
import { normalise } from '../util/text.ts'
import { bundledModelDir, encoderId, readManifest } from './model-files.ts'
import { PINNED_ENCODER } from './pinned.ts'
import { WorkerPool } from './pool.ts'

export interface EmbedderOptions {
  /** A folder with `model.json`; default: the model that comes with Usher. */
  readonly modelDir?: string
  /** Worker processes at most, 1 to 64; default: one a core, at most 4. A second one starts only when texts pile up. */
  readonly workers?: number
  /** Threads of a worker's session, 1 to 64; default 1. */
  readonly threads?: number
  /** Texts whose vectors are kept, least recently used out first; default 4096, 0: none. */
  readonly cacheSize?: number
  /** Runs the start of a worker process, so that an effects observer can tell whose it is; default: calls it. */
  readonly around?: <T>(start: () => T) => T
}

/** Longer texts are neither cached nor normalised on the calling thread: a megabyte must not stop it. */
const LONG = 4096

function whole(name: string, value: number, min: number, max: number): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value
  throw new UsherError('BAD_OPTION', `${name} must be a whole number from ${min} to ${max}, got ${String(value)}`)
}

/** Characters of a text that are sent first. They hold the model's 512 tokens many times over, unless they are one word or invisible. */
const PAGE = 32_768

/** The beginning of a long text that ends before white space: words are tokenised one by one, so its tokens are those that the whole text begins with. */
function pageOf(text: string): string | undefined {
  if (text.length <= 2 * PAGE) return undefined
  const end = text.lastIndexOf(' ', PAGE)
  return end < PAGE / 2 ? undefined : text.slice(0, end)
}

class ModelEmbedder implements Embedder {
  readonly id: string
  readonly dimension: number
  readonly #pool: WorkerPool
  readonly #cache: Lru<Embedded>
  /** Texts on their way: asked for twice, embedded once. */
  readonly #underway = new Map<string, Promise<Embedded>>()
  #closed = false

  constructor(id: string, dimension: number, pool: WorkerPool, cacheSize: number) {
    this.id = id
    this.dimension = dimension
    this.#pool = pool
    this.#cache = new Lru(cacheSize)
  }

  embed(text: string): Promise<Embedded> {
    if (this.#closed) return Promise.reject(new UsherError('CLOSED', 'the embedder is closed; open a new one'))
    if (typeof text !== 'string') return Promise.reject(new UsherError('EMBED_FAILED', `only text can be embedded, got ${text === null ? 'null' : typeof text}`))
    if (text.length > LONG) return this.#long(text)
    const key = normalise(text)
    const known = this.#cache.get(key)
    if (known) return Promise.resolve(known)
    const underway = this.#underway.get(key)
    if (underway) return underway
    const run = this.#run(key)
    this.#underway.set(key, run)
    return run
  }

  /** Of a document the model reads a page: only where that does not fill it, the whole goes to the worker. */
  async #long(text: string): Promise<Embedded> {
    const page = pageOf(text)
    if (page === undefined) return this.#pool.run(text)
    const embedded = await this.#pool.run(page)
    return embedded.cutAt === undefined ? this.#pool.run(text) : embedded
  }

  async #run(key: string): Promise<Embedded> {
    try {
      const embedded = await this.#pool.run(key)
      this.#cache.set(key, embedded)
      return embedded
    } finally {
      this.#underway.delete(key)
    }
  }

  warm(): Promise<void> {
    return this.#pool.warm()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cache.clear()
    await this.#pool.close()
  }
}

/**
 * Reads the model's manifest only; the weights are loaded, checked against their sha256, by a worker process at the first text that no cache knows.
 * Throws BAD_OPTION, MODEL_MISSING, MODEL_CHANGED. An embedder that nobody closed does not keep the process alive.
 */
export async function openEmbedder(options: EmbedderOptions = {}): Promise<Embedder> {
  const size = whole('workers', options.workers ?? Math.min(4, availableParallelism()), 1, 64)
  const threads = whole('threads', options.threads ?? 1, 1, 64)
  const cacheSize = whole('cacheSize', options.cacheSize ?? 4096, 0, 10_000_000)
  const modelDir = options.modelDir ?? bundledModelDir()
  const manifest = readManifest(modelDir)
  const id = encoderId(manifest)
  if (options.modelDir === undefined && id !== PINNED_ENCODER) {
    throw new UsherError('MODEL_CHANGED', `the model that came with Usher calls itself ${id}, not ${PINNED_ENCODER}; install the package again`)
  }
  const pool = new WorkerPool({
    file: builtFile(import.meta.url, './worker.js'), args: [modelDir, String(threads)], size, ...(options.around ? { around: options.around } : {}),
  })
  return new ModelEmbedder(id, manifest.dimension, pool, cacheSize)
}
