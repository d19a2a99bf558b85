/** News for an open page: that rows came, not what is in them. The page then reads itself anew. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Asking, ConsoleParts } from './parts.ts'
import { streamSSE } from './web.ts'

const LOOK_MS = 1000
const MOST_STREAMS = 32
/** Looks without news after which the stream shows that it is still there. */
const STILL = 15

/** The handler of one app: all of its streams end when the host closes. */
export function newsStreams(parts: ConsoleParts): (context: Asking) => Response {
  const open = new Set<AbortController>()
  parts.closing?.addEventListener('abort', () => { for (const stream of open) stream.abort() }, { once: true })
  return context => {
    if (open.size >= MOST_STREAMS) return context.text('too many open pages\n', 503)
    const ended = new AbortController()
    if (parts.closing?.aborted === true) ended.abort()
    open.add(ended)
    return streamSSE(context, async stream => {
      stream.onAbort(() => ended.abort())
      try {
        let after = afterOf(context)
        // A look at once: whatever came between the page and this stream.
        for (let looks = 0; !ended.signal.aborted; looks++) {
          const { seq, entries } = await parts.reads.news(after)
          if (seq !== after) {
            await stream.writeSSE({ event: 'news', id: String(seq), data: JSON.stringify({ seq, entries }) })
            after = seq
          } else if (looks % STILL === 0) await stream.writeSSE({ event: 'still', data: '' })
          await wait(LOOK_MS, undefined, { signal: ended.signal })
        }
      } catch (error) {
        if (!ended.signal.aborted) throw error
      } finally {
        open.delete(ended)
      }
    })
  }
}

/** A browser that lost its stream names the last row it heard of. */
function afterOf(context: Asking): number {
  const typed = context.req.header('last-event-id') ?? context.req.query('after')
  return typed !== undefined && /^\d{1,15}$/.test(typed) ? Number(typed) : Number.MAX_SAFE_INTEGER
}
