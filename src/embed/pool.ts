/**
 * Worker threads that answer texts, one text a worker at a time. Started when first needed, more of them only while texts pile up; none of them keeps the
 * process alive unless somebody waits for an answer.
 */
// oxlint-disable unicorn/require-post-message-target-origin -- a worker thread is no window
import { Worker } from 'node:worker_threads'
import { UsherError, type ErrorCode } from '../errors.ts'
import type { Embedded } from '../ports.ts'

export type ToWorker = { readonly kind: 'text', readonly id: number, readonly text: string } | { readonly kind: 'close' }
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable', readonly code: ErrorCode, readonly message: string }
  | { readonly kind: 'done', readonly id: number, readonly value: Embedded }
  | { readonly kind: 'failed', readonly id: number, readonly message: string }

interface Job { readonly text: string, readonly resolve: (value: Embedded) => void, readonly reject: (error: UsherError) => void }
interface Member { readonly worker: Worker, readonly jobs: Map<number, Job>, ready: boolean, closing: boolean, lastError: unknown }

/** Jobs that a worker holds: one that runs and one behind it, so that it never waits for the mail. */
const DEPTH = 2
/** A further worker costs a third of a second and some 80 MB: only a pile of texts is worth it. */
const PILE = 8
/** After this a worker that does not end by itself is ended. */
const CLOSE_MS = 2000

export interface PoolOptions { readonly file: URL, readonly workerData: unknown, readonly size: number }

export class WorkerPool {
  readonly #options: PoolOptions
  readonly #members = new Set<Member>()
  #queue: Job[] = []
  #head = 0
  #nextId = 0
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Rejects with the worker's own code, with EMBED_FAILED if it died, with CLOSED after close(). The next call starts a new worker. */
  run(text: string): Promise<Embedded> {
    if (this.#closed) return Promise.reject(new UsherError('CLOSED', 'the embedder is closed; open a new one'))
    return new Promise((resolve, reject) => {
      this.#queue.push({ text, resolve, reject })
      this.#dispatch()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    const closed = new UsherError('CLOSED', 'the embedder was closed before the text was embedded')
    this.#rejectQueue(closed)
    await Promise.all([...this.#members].map(async member => {
      member.closing = true
      for (const job of member.jobs.values()) job.reject(closed)
      member.jobs.clear()
      await ended(member.worker)
    }))
  }

  get #waiting(): number {
    return this.#queue.length - this.#head
  }

  #take(): Job | undefined {
    const job = this.#queue[this.#head]
    if (!job) return undefined
    this.#head++
    if (this.#head > 1024 && this.#head * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head)
      this.#head = 0
    }
    return job
  }

  #rejectQueue(error: UsherError): void {
    for (let job = this.#take(); job; job = this.#take()) job.reject(error)
  }

  #dispatch(): void {
    for (let depth = 1; depth <= DEPTH; depth++) {
      for (const member of this.#members) {
        while (member.ready && !member.closing && member.jobs.size < depth) {
          const job = this.#take()
          if (!job) break
          const id = this.#nextId++
          member.jobs.set(id, job)
          member.worker.postMessage({ kind: 'text', id, text: job.text } satisfies ToWorker)
        }
      }
    }
    const starting = [...this.#members].some(member => !member.ready)
    const wanted = this.#members.size === 0 ? 1 : PILE
    if (this.#waiting >= wanted && !starting && this.#members.size < this.#options.size) this.#start()
    this.#hold()
  }

  /** The process may end while no answer is awaited. */
  #hold(): void {
    for (const member of this.#members) {
      if (member.jobs.size > 0 || (!member.ready && this.#waiting > 0)) member.worker.ref()
      else member.worker.unref()
    }
  }

  #start(): void {
    const worker = new Worker(this.#options.file, { workerData: this.#options.workerData, execArgv: [], name: 'usher-embed' })
    const member: Member = { worker, jobs: new Map(), ready: false, closing: false, lastError: undefined }
    this.#members.add(member)
    worker.on('message', (message: FromWorker) => this.#heard(member, message))
    worker.on('error', error => { member.lastError = error })
    worker.on('exit', code => this.#gone(member, code))
  }

  #heard(member: Member, message: FromWorker): void {
    switch (message.kind) {
      case 'ready': member.ready = true; break
      case 'unusable': {
        this.#members.delete(member)
        this.#lose(new UsherError(message.code, message.message))
        break
      }
      case 'done': this.#job(member, message.id)?.resolve(message.value); break
      case 'failed': this.#job(member, message.id)?.reject(new UsherError('EMBED_FAILED', `the text could not be embedded: ${message.message}`)); break
      default: message satisfies never
    }
    this.#dispatch()
  }

  #job(member: Member, id: number): Job | undefined {
    const job = member.jobs.get(id)
    member.jobs.delete(id)
    return job
  }

  #gone(member: Member, code: number): void {
    if (!this.#members.delete(member) || member.closing) return
    const error = new UsherError('EMBED_FAILED', `the embedding worker ended (exit code ${code}) while it was in use; the next text starts a new one`,
      { cause: member.lastError })
    for (const job of member.jobs.values()) job.reject(error)
    if (!member.ready) this.#lose(error)
    this.#dispatch()
  }

  /** A worker could not start: unless another one works, those who wait must hear of it rather than start one after the other. */
  #lose(error: UsherError): void {
    if (![...this.#members].some(member => member.ready)) this.#rejectQueue(error)
  }
}

async function ended(worker: Worker): Promise<void> {
  worker.ref()
  await new Promise<void>(resolve => {
    const timer = setTimeout(() => { void worker.terminate() }, CLOSE_MS)
    worker.once('exit', () => { clearTimeout(timer); resolve() })
    worker.postMessage({ kind: 'close' } satisfies ToWorker)
  })
}
