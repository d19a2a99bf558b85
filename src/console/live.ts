/** News for an open page: that rows came, not what is in them. The page then reads itself anew. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Asking, ConsoleParts } from './parts.ts'
import { streamSSE } from './web.ts'

const LOOK_MS = 1000
const MOST_STREAMS = 32

const open = new WeakMap<ConsoleParts, number>()

export function newsStream(context: Asking, parts: ConsoleParts): Response {
  const streams = open.get(parts) ?? 0
  if (streams >= MOST_STREAMS) return context.text('too many open pages\n', 503)
  const typed = context.req.header('last-event-id') ?? context.req.query('after')
  let after = typed !== undefined && /^\d{1,15}$/.test(typed) ? Number(typed) : Number.MAX_SAFE_INTEGER
  open.set(parts, streams + 1)
  return streamSSE(context, async stream => {
    const ended = new AbortController()
    const end = (): void => ended.abort()
    stream.onAbort(end)
    parts.closing?.addEventListener('abort', end, { once: true })
    try {
      // A look at once: whatever came between the page and this stream.
      for (let looks = 0; !ended.signal.aborted && parts.closing?.aborted !== true; looks++) {
        const { seq, entries } = await parts.reads.news(after)
        if (seq !== after) {
          await stream.writeSSE({ event: 'news', id: String(seq), data: JSON.stringify({ seq, entries }) })
          after = seq
        } else if (looks % 15 === 0) await stream.writeSSE({ event: 'still', data: '' })
        await wait(LOOK_MS, undefined, { signal: ended.signal })
      }
    } catch (error) {
      if (!ended.signal.aborted) throw error
    } finally {
      parts.closing?.removeEventListener('abort', end)
      open.set(parts, (open.get(parts) ?? 1) - 1)
    }
  })
}
