/**
 * Child processes that answer texts, one text a process at a time. Processes and not threads: onnxruntime-node 1.14 keeps handles in static variables, so that
 * a second thread that loads it corrupts the heap of the whole process, and a thread that loads it after another ended cannot (tried on Node 20.20: exit codes
 * 134 and 139, "Module did not self-register"). A crash of the native code then costs the texts under way and not the host.
 * Started when first needed, more of them only while texts pile up; none keeps the host alive unless somebody waits for an answer.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { UsherError, type ErrorCode } from '../errors.ts'

export type ToWorker = { readonly kind: 'text', readonly id: number, readonly text: string } | { readonly kind: 'close' }
export type FromWorker<Answer> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable', readonly code: ErrorCode, readonly message: string }
  | { readonly kind: 'done', readonly id: number, readonly value: Answer }
  | { readonly kind: 'failed', readonly id: number, readonly message: string }

interface Job<Answer> { readonly text: string, readonly resolve: (value: Answer) => void, readonly reject: (error: UsherError) => void }
interface Member<Answer> { readonly worker: ChildProcess, readonly jobs: Map<number, Job<Answer>>, ready: boolean, closing: boolean, held: boolean, readonly patience: NodeJS.Timeout }

/** Jobs that a worker holds: one that runs and one behind it, so that it never waits for the mail. */
const DEPTH = 2
/** A further worker costs a third of a second and some 150 MB: only a pile of texts is worth it. */
const PILE = 8
/** A worker that owes an answer and says nothing for so long is ended: events behind it must not wait for ever. */
const SILENCE_MS = 60_000
/** After this a worker that does not end by itself is ended. */
const CLOSE_MS = 2000

/** What the pool's errors call things: "the embedder is closed", "the text could not be embedded", "the embedding worker ended". */
export interface PoolWords { readonly code: ErrorCode, readonly owner: string, readonly done: string, readonly worker: string }

export interface PoolOptions {
  readonly words: PoolWords
  readonly file: URL
  /** Arguments of the worker's command line. */
  readonly args: readonly string[]
  readonly size: number
  /** Default 60,000: how long a worker that owes an answer may be silent. */
  readonly silenceMs?: number
  /** Runs the start of a worker, so that a host that watches process starts knows whose it is. */
  readonly around?: (start: () => ChildProcess) => ChildProcess
}

export class WorkerPool<Answer> {
  readonly #options: PoolOptions
  readonly #members = new Set<Member<Answer>>()
  #queue: Job<Answer>[] = []
  #head = 0
  #nextId = 0
  #closed = false
  /** Told when a worker is ready, or cannot be. */
  #waitingForOne: (() => void)[] = []

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Rejects with the worker's own code, with the pool's code if it died, with CLOSED after close(). The next call starts a new worker. */
  run(text: string): Promise<Answer> {
    if (this.#closed) return Promise.reject(new UsherError('CLOSED', `the ${this.#options.words.owner} is closed; open a new one`))
    return new Promise((resolve, reject) => {
      this.#queue.push({ text, resolve, reject })
      this.#dispatch()
    })
  }

  /** Starts the first worker before there is a text, and waits until it is ready or ended; one that cannot start is told of by the first text, which starts another. */
  warm(): Promise<void> {
    if (this.#closed || this.#members.size > 0) return Promise.resolve()
    this.#start()
    for (const member of this.#members) hold(member, false)
    return new Promise(resolve => { this.#waitingForOne.push(resolve) })
  }

  #tellWaiting(): void {
    for (const tell of this.#waitingForOne.splice(0)) tell()
  }

  async close(): Promise<void> {
    this.#closed = true
    const { owner, done } = this.#options.words
    const closed = new UsherError('CLOSED', `the ${owner} was closed before the text was ${done}`)
    this.#rejectQueue(closed)
    await Promise.all([...this.#members].map(async member => {
      member.closing = true
      for (const job of member.jobs.values()) job.reject(closed)
      member.jobs.clear()
      // It still loads, and would hear of the end only then.
      if (!member.ready) member.worker.kill('SIGKILL')
      await ended(member.worker)
    }))
  }

  get #waiting(): number {
    return this.#queue.length - this.#head
  }

  #take(): Job<Answer> | undefined {
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
        while (member.ready && !member.closing && member.jobs.size < depth && this.#waiting > 0) this.#give(member)
      }
    }
    const starting = [...this.#members].some(member => !member.ready)
    const wanted = this.#members.size === 0 ? 1 : PILE
    if (this.#waiting >= wanted && !starting && this.#members.size < this.#options.size) this.#start()
    for (const member of this.#members) hold(member, member.jobs.size > 0 || (!member.ready && this.#waiting > 0))
  }

  #give(member: Member<Answer>): void {
    const job = this.#take()
    if (!job) return
    const id = this.#nextId++
    if (member.jobs.size === 0) member.patience.refresh()
    member.jobs.set(id, job)
    // A send that fails is a worker that is gone, and its exit rejects the job.
    member.worker.send({ kind: 'text', id, text: job.text } satisfies ToWorker, () => undefined)
  }

  #start(): void {
    const { file, args, around = start => start() } = this.#options
    const env = { ...process.env }
    delete env['NODE_OPTIONS'] // the host's preloads are not for the worker
    const worker = around(() => fork(fileURLToPath(file), args, { execArgv: [], env, serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }))
    const { silenceMs = SILENCE_MS } = this.#options
    const patience = setTimeout(() => { if (member.held) worker.kill('SIGKILL') }, silenceMs).unref()
    const member: Member<Answer> = { worker, jobs: new Map(), ready: false, closing: false, held: true, patience }
    this.#members.add(member)
    worker.on('message', message => this.#heard(member, message as FromWorker<Answer>))
    worker.on('error', error => this.#gone(member, error.message, error))
    worker.on('exit', (code, signal) => this.#gone(member, signal === null ? `exit code ${code}` : `signal ${signal}`))
  }

  #heard(member: Member<Answer>, message: FromWorker<Answer>): void {
    member.patience.refresh()
    switch (message.kind) {
      case 'ready': member.ready = true; this.#tellWaiting(); break
      case 'unusable': {
        this.#members.delete(member)
        this.#tellWaiting()
        this.#lose(new UsherError(message.code, message.message))
        break
      }
      case 'done': this.#job(member, message.id)?.resolve(message.value); break
      case 'failed': this.#job(member, message.id)?.reject(new UsherError(this.#options.words.code, `the text could not be ${this.#options.words.done}: ${message.message}`)); break
      default: message satisfies never
    }
    this.#dispatch()
  }

  #job(member: Member<Answer>, id: number): Job<Answer> | undefined {
    const job = member.jobs.get(id)
    member.jobs.delete(id)
    return job
  }

  #gone(member: Member<Answer>, how: string, cause?: unknown): void {
    clearTimeout(member.patience)
    this.#tellWaiting()
    if (!this.#members.delete(member) || member.closing) return
    const { code, worker } = this.#options.words
    const error = new UsherError(code, `the ${worker} ended (${how}) while it was in use; the next text starts a new one`, { cause })
    for (const job of member.jobs.values()) job.reject(error)
    if (!member.ready) this.#lose(error)
    this.#dispatch()
  }

  /** A worker could not start: unless another one works, those who wait must hear of it rather than start one after the other. */
  #lose(error: UsherError): void {
    if (![...this.#members].some(member => member.ready)) this.#rejectQueue(error)
  }
}

/** The host may end while it awaits no answer of this worker; the worker then sees the channel close and ends too. */
function hold<Answer>(member: Member<Answer>, held: boolean): void {
  if (member.held === held) return
  member.held = held
  if (held) {
    member.worker.ref()
    member.worker.channel?.ref()
  } else {
    member.worker.unref()
    member.worker.channel?.unref()
  }
}

async function ended(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  worker.ref()
  await new Promise<void>(resolve => {
    const timer = setTimeout(() => { worker.kill('SIGKILL') }, CLOSE_MS)
    worker.once('exit', () => { clearTimeout(timer); resolve() })
    worker.send({ kind: 'close' } satisfies ToWorker, () => undefined)
  })
}
