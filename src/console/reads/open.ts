/** Opens the log for the page, in a thread of its own. */
import { Worker } from 'node:worker_threads'
import { UsherError, type ErrorCode } from '../../errors.ts'
import { builtFile } from '../../util/built.ts'
import type { ConsoleReads, OverviewQuery } from '../ports.ts'

export type Question = { readonly id: number } & (
  | { readonly ask: 'overview', readonly with: OverviewQuery }
  | { readonly ask: 'evidence' | 'text', readonly with: string }
  | { readonly ask: 'stats' | 'recent' | 'news', readonly with: number }
  | { readonly ask: 'unexplained' })
type Asked = Question extends infer One ? One extends Question ? Omit<One, 'id'> : never : never
export type Answer = { readonly id: number } & ({ readonly value: unknown } | { readonly failed: { readonly code: ErrorCode, readonly message: string } })

/** A thread that owes an answer for so long is ended, and the next question starts another. */
const PATIENCE_MS = 30_000

interface Waiting { readonly resolve: (value: unknown) => void, readonly reject: (error: UsherError) => void, readonly timer: NodeJS.Timeout }

/** Rejects with LOG_OPEN_FAILED, LOG_VERSION or LOG_INVALID where the log cannot be read, with CLOSED after close(). */
export function openReads(file: string): ConsoleReads {
  const thread = new ReadThread(file)
  const ask = <T>(question: Asked) => thread.ask(question) as Promise<T>
  return {
    overview: query => ask({ ask: 'overview', with: query }),
    evidence: id => ask({ ask: 'evidence', with: id }),
    text: id => ask({ ask: 'text', with: id }),
    unexplained: () => ask({ ask: 'unexplained' }),
    stats: since => ask({ ask: 'stats', with: since }),
    recent: now => ask({ ask: 'recent', with: now }),
    news: after => ask({ ask: 'news', with: after }),
    close: () => thread.close(),
  }
}

class ReadThread {
  readonly #file: string
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #nextId = 0
  #closed = false

  constructor(file: string) { this.#file = file }

  ask(question: Asked): Promise<unknown> {
    if (this.#closed) return Promise.reject(new UsherError('CLOSED', 'the reader of the log is closed; open a new one'))
    const worker = this.#worker ??= this.#start()
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => { void worker.terminate() }, PATIENCE_MS)
      this.#waiting.set(id, { resolve, reject, timer })
      worker.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage({ ...question, id })
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#worker?.terminate()
  }

  #start(): Worker {
    // No host's preloads and flags: the thread reads one file.
    const worker = new Worker(builtFile(import.meta.url, './worker.js'), { workerData: { file: this.#file }, execArgv: [], name: 'usher-console' })
    worker.unref()
    let cause: unknown
    worker.on('message', (answer: Answer) => this.#answered(worker, answer))
    worker.on('error', error => { cause = error })
    worker.on('exit', () => this.#ended(worker, cause))
    return worker
  }

  #answered(worker: Worker, answer: Answer): void {
    const waiting = this.#take(answer.id)
    if ('value' in answer) waiting?.resolve(answer.value)
    else waiting?.reject(new UsherError(answer.failed.code, answer.failed.message))
    // A host may end while nobody waits for an answer.
    if (this.#waiting.size === 0) worker.unref()
  }

  #ended(worker: Worker, cause: unknown): void {
    if (this.#worker === worker) this.#worker = undefined
    const why = cause instanceof Error ? cause.message : this.#closed ? 'it was closed' : `it gave no answer in ${PATIENCE_MS / 1000} s`
    const code: ErrorCode = this.#closed ? 'CLOSED' : isCoded(cause) ? cause.code : 'LOG_OPEN_FAILED'
    for (const id of this.#waiting.keys()) this.#take(id)?.reject(new UsherError(code, `the reader of the log ended: ${why}`, { cause }))
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (waiting) clearTimeout(waiting.timer)
    return waiting
  }
}

/** An error that crossed from the thread is a copy without its class. */
function isCoded(error: unknown): error is { readonly code: ErrorCode } {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
}
