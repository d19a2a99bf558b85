/** Runs in a worker thread: loads the model, then answers one text at a time. */
import { parentPort, workerData } from 'node:worker_threads'
import { UsherError } from '../errors.ts'
import { Encoder } from './encoder.ts'
import { readManifest, readModelFiles } from './model-files.ts'
import type { FromWorker, ToWorker } from './pool.ts'

const port = parentPort
if (!port) throw new Error('embed/worker.js runs as a worker thread only')
const { modelDir, threads } = workerData as { modelDir: string, threads: number }

function say(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer)
}

async function load(): Promise<Encoder> {
  const manifest = readManifest(modelDir)
  return await Encoder.load(manifest, readModelFiles(modelDir, manifest), threads)
}

async function answer(encoder: Encoder, id: number, text: string): Promise<void> {
  try {
    const { vector, cutAt } = await encoder.encode(text)
    say({ kind: 'done', id, value: { vector, ...(cutAt === undefined ? {} : { cutAt }) } }, [vector.buffer as ArrayBuffer])
  } catch (error) {
    say({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) })
  }
}

try {
  const encoder = await load()
  let turn: Promise<void> = Promise.resolve()
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'close') port.close()
    else turn = turn.then(() => answer(encoder, message.id, message.text))
  })
  say({ kind: 'ready' })
} catch (error) {
  say({
    kind: 'unusable', code: UsherError.is(error) ? error.code : 'EMBED_FAILED',
    message: error instanceof Error ? error.message : String(error),
  })
  port.close()
}
