/** Runs in a process of its own (util/worker-pool.ts says why): loads the second reader, then scores one pair at a time. Ends when its host does. */
import { UsherError } from '../errors.ts'
import { readManifest, readModelFiles } from '../util/model-files.ts'
import { OnnxModel } from '../util/onnx-model.ts'
import type { FromWorker, ToWorker } from '../util/worker-pool.ts'
import { pairOf } from './pair.ts'
import { questionOf, type Scored } from './question.ts'

const [modelDir = '', threads = '1'] = process.argv.slice(2)

function say(message: FromWorker<Scored>): void {
  // A send that fails is a host that is gone: `disconnect` follows.
  process.send?.(message, undefined, undefined, () => undefined)
}

async function answer(model: OnnxModel, id: number, text: string): Promise<void> {
  try {
    const question = questionOf(text)
    const pair = pairOf(part => model.tokenizer.encode(part), question.phrases, question.text)
    if (!pair) { say({ kind: 'done', id, value: null }); return }
    const [logit] = await model.run(pair.ids, pair.kinds)
    if (logit === undefined || !Number.isFinite(logit)) throw new Error(`the model gave ${String(logit)}`)
    say({ kind: 'done', id, value: 1 / (1 + Math.exp(-logit)) })
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
  const model = await OnnxModel.load(modelDir, manifest, readModelFiles(modelDir, manifest), Number(threads))
  let turn: Promise<void> = Promise.resolve()
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'close') leave()
    else turn = turn.then(() => answer(model, message.id, message.text))
  })
  say({ kind: 'ready' })
} catch (error) {
  say({ kind: 'unusable', code: UsherError.is(error) ? error.code : 'READER_FAILED', message: error instanceof Error ? error.message : String(error) })
  leave()
}
