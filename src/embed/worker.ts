/** Runs in a process of its own (pool.ts says why): loads the model, then answers one text at a time. Ends when its host does. */
import { UsherError } from '../errors.ts'
import { Encoder } from './encoder.ts'
import { readManifest, readModelFiles } from './model-files.ts'
import type { FromWorker, ToWorker } from './pool.ts'

const [modelDir = '', threads = '1'] = process.argv.slice(2)

function say(message: FromWorker): void {
  // A send that fails is a host that is gone: `disconnect` follows.
  process.send?.(message, undefined, undefined, () => undefined)
}

async function answer(encoder: Encoder, id: number, text: string): Promise<void> {
  try {
    say({ kind: 'done', id, value: await encoder.encode(text) })
  } catch (error) {
    say({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) })
  }
}

/** Not from inside a message: Node 20 trips over its own list of pending messages then. */
function leave(): void {
  setImmediate(() => process.disconnect())
}

// Ctrl-C reaches the whole process group; the host decides when its worker ends.
process.on('SIGINT', () => undefined)

try {
  const manifest = readManifest(modelDir)
  const encoder = await Encoder.load(modelDir, manifest, readModelFiles(modelDir, manifest), Number(threads))
  let turn: Promise<void> = Promise.resolve()
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'close') leave()
    else turn = turn.then(() => answer(encoder, message.id, message.text))
  })
  say({ kind: 'ready' })
} catch (error) {
  say({
    kind: 'unusable', code: UsherError.is(error) ? error.code : 'EMBED_FAILED',
    message: error instanceof Error ? error.message : String(error),
  })
  leave()
}
