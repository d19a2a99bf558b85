/** A contender in a process of its own that answers one JSON line for each JSON line. Only one of them works at a time. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** One BLAS thread: numpy's own must not fight ONNX Runtime for the cores. */
const ENV = { ...process.env, OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1', MKL_NUM_THREADS: '1', HF_HUB_OFFLINE: '1' }

export class Contender {
  #child
  #lines
  #spawned = performance.now()

  constructor(command, args) {
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env: ENV })
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
  }

  /** Milliseconds since the process was started. */
  get age() {
    return performance.now() - this.#spawned
  }

  get pid() {
    return this.#child.pid
  }

  async ask(command) {
    this.#child.stdin.write(`${JSON.stringify(command)}\n`)
    const { value, done } = await this.#lines.next()
    if (done) throw new Error(`the contender ended while it was asked for ${command.op}`)
    return JSON.parse(value)
  }

  /** Ends it in its own way; closing again, or after it ended by itself, does nothing. */
  async close() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = new Promise(resolve => { this.#child.once('exit', resolve) })
    this.#child.stdin.end()
    await ended
  }
}
