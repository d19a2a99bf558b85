/** Opens the trained second reader. Its weights are loaded, checked against their sha256, by a worker process at the first pair. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsherError } from '../errors.ts'
import type { AskScorer, ReaderThresholds } from '../ports.ts'
import { builtFile } from '../util/built.ts'
import { Lru } from '../util/lru.ts'
import { readManifest } from '../util/model-files.ts'
import { WorkerPool } from '../util/worker-pool.ts'
import { questionText, type Scored } from './question.ts'
import { readThresholds } from './thresholds.ts'

export interface AskScorerOptions {
  /** A folder with `model.json` and `thresholds.json`; default: the reader that comes with Usher. */
  readonly modelDir?: string
  /** Threads of the session, 1 to 64; default 1. */
  readonly threads?: number
  /** Runs the start of the worker process, so that an effects observer can tell whose it is; default: calls it. */
  readonly around?: <T>(start: () => T) => T
  /** Told once where there is no reader; default: a process warning. */
  readonly warn?: (message: string) => void
}

/** The reader that comes with the package. */
export function bundledReaderDir(): string {
  return fileURLToPath(new URL('../../models/ask-reader', import.meta.url))
}

/** Pairs whose probability is kept, least recently used out first. Longer texts than pair.ts takes never come here. */
const KNOWN = 1024

class ModelScorer implements AskScorer {
  readonly id: string
  readonly thresholds: ReaderThresholds
  readonly #pool: WorkerPool<Scored>
  /** The model is pure: a pair that comes again is not run again. */
  readonly #known = new Lru<{ readonly scored: Scored }>(KNOWN)

  constructor(id: string, thresholds: ReaderThresholds, pool: WorkerPool<Scored>) {
    this.id = id
    this.thresholds = thresholds
    this.#pool = pool
  }

  async score(phrases: readonly string[], text: string): Promise<number | undefined> {
    if (phrases.length === 0) throw new UsherError('BAD_OPTION', 'the reader needs at least one phrase of the route')
    const question = questionText({ phrases, text })
    const known = this.#known.get(question)
    if (known) return known.scored ?? undefined
    const scored = await this.#pool.run(question)
    this.#known.set(question, { scored })
    return scored ?? undefined
  }

  warm(): Promise<void> {
    return this.#pool.warm()
  }

  close(): Promise<void> {
    this.#known.clear()
    return this.#pool.close()
  }
}

let warned = false

function warnOnce(message: string): void {
  if (warned) return
  warned = true
  process.emitWarning(message, { code: 'USHER_NO_READER' })
}

/**
 * Undefined, said once, where the folder or the weights are missing: the rules then read alone. A reader that nobody closed does not keep the process alive.
 * @throws UsherError BAD_OPTION, MODEL_CHANGED, ENCODER_MISMATCH: a reader that is there but not as it was fitted is not used
 */
export async function openAskScorer(options: AskScorerOptions = {}): Promise<AskScorer | undefined> {
  const threads = options.threads ?? 1
  if (!Number.isSafeInteger(threads) || threads < 1 || threads > 64) throw new UsherError('BAD_OPTION', `threads must be a whole number from 1 to 64, got ${String(threads)}`)
  const dir = options.modelDir ?? bundledReaderDir()
  const missing = (): undefined => {
    (options.warn ?? warnOnce)(`the second reader is not in ${dir}; the rules read alone`)
  }
  if (!existsSync(join(dir, 'model.json'))) return missing()
  const manifest = readManifest(dir)
  if (!existsSync(join(dir, manifest.weights))) return missing()
  const id = `${manifest.name}@${manifest.files.get(manifest.weights) ?? ''}/${manifest.quantisation}`
  const thresholds = readThresholds(dir, id)
  const pool = new WorkerPool<Scored>({
    file: builtFile(import.meta.url, './worker.js'), args: [dir, String(threads)], size: 1,
    words: { code: 'READER_FAILED', owner: 'second reader', done: 'read', worker: 'reading worker' },
    ...(options.around ? { around: options.around } : {}),
  })
  return new ModelScorer(id, thresholds, pool)
}
