/** The worker processes of the encoder (util/worker-pool.ts says why processes). */
import type { Embedded } from '../ports.ts'
import { WorkerPool as Pool, type FromWorker as Answered, type PoolOptions as Options } from '../util/worker-pool.ts'

export type { ToWorker } from '../util/worker-pool.ts'
export type FromWorker = Answered<Embedded>
export type PoolOptions = Omit<Options, 'words'>

/** Rejects with EMBED_FAILED where a worker died. */
export class WorkerPool extends Pool<Embedded> {
  constructor(options: PoolOptions) {
    super({ ...options, words: { code: 'EMBED_FAILED', owner: 'embedder', done: 'embedded', worker: 'embedding worker' } })
  }
}
