/** The reader's thread: a slow question to the log never holds up the host that handles events. */
import { parentPort, workerData } from 'node:worker_threads'
import { UsherError } from '../../errors.ts'
import { LogReads } from './log-reads.ts'
import type { Answer, Question } from './open.ts'

const port = parentPort
if (port) {
  const { file } = workerData as { readonly file: string }
  const reads = new LogReads(file)

  /** Between questions the log is read on, a slice at a time, so that the first page does not wait for all of it. */
  const readOn = (): void => {
    const { seq, last } = reads.catchUp()
    if (seq < last) setImmediate(readOn)
  }

  const answer = (question: Question): unknown => {
    switch (question.ask) {
      case 'overview': return reads.overview(question.with)
      case 'evidence': return reads.evidence(question.with)
      case 'text': return reads.text(question.with)
      case 'unexplained': return reads.unexplained()
      case 'stats': return reads.stats(question.with)
      case 'recent': return reads.recent(question.with)
      case 'news': return reads.news(question.with)
      default: return question satisfies never
    }
  }

  port.on('message', (question: Question) => {
    try {
      port.postMessage({ id: question.id, value: answer(question) } satisfies Answer)
    } catch (error) {
      port.postMessage({ id: question.id, failed: { code: UsherError.is(error) ? error.code : 'LOG_INVALID', message: error instanceof Error ? error.message : String(error) } } satisfies Answer)
    }
  })
  readOn()
}
