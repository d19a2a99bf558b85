/** Streamable HTTP with the same strict reading: repeated members are seen in the text before any parser drops one. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { UsherError } from '../errors.ts'
import { inspectWire, type WireBreach } from '../contract/wire.ts'
import type { Json } from '../types.ts'
import { isRecord } from '../util/records.ts'

export interface HttpOptions {
  readonly url: string
  readonly headers?: { readonly [name: string]: string }
  /** The most bytes of one answer or event; default 16 MiB. */
  readonly maxBytes?: number
}

const DEFAULT_MAX = 16 * 1024 * 1024

/** What one connection saw in the texts that passed. */
interface Watch { readonly breaches: Map<string, readonly WireBreach[]>, readonly maxBytes: number, broken: (why: string) => void }

const idKey = (id: Json | undefined): string => JSON.stringify(id ?? null)

function noteText(watch: Watch, text: string): void {
  const inspected = inspectWire(text)
  if (inspected.kind === 'bad' || inspected.breaches.length === 0) return // what is no JSON the SDK says itself
  if (isRecord(inspected.value)) watch.breaches.set(idKey(inspected.value['id']), inspected.breaches)
}

/** Looks at the `data:` lines of an event stream as they pass; the bytes go on unchanged. */
function watchedEvents(watch: Watch): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder('utf-8')
  let rest = ''
  let data: string[] = []
  const line = (text: string): void => {
    if (text.startsWith('data:')) data.push(text.slice(5).trimStart())
    else if (text === '' && data.length > 0) {
      noteText(watch, data.join('\n'))
      data = []
    }
  }
  return new TransformStream({
    transform(chunk, controller) {
      rest += decoder.decode(chunk, { stream: true })
      const lines = rest.split(/\r?\n/)
      rest = lines.pop() ?? ''
      lines.forEach(line)
      if (rest.length + data.reduce((sum, part) => sum + part.length, 0) > watch.maxBytes) {
        watch.broken(`an event of more than ${watch.maxBytes} characters is over the limit`)
        controller.terminate()
      } else controller.enqueue(chunk)
    },
  })
}

async function boundedText(response: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.length
    if (length > maxBytes) throw new UsherError('SERVER_FAILED', `an answer of more than ${maxBytes} bytes is over the limit`)
    parts.push(part)
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts))
}

async function watchedFetch(watch: Watch, url: string | URL, init?: RequestInit): Promise<Response> {
  // The contract pins this address: another one that it names is another server.
  const response = await fetch(url, { ...init, redirect: 'error' })
  const type = response.headers.get('content-type') ?? ''
  const { status, statusText, headers } = response
  if (response.body && type.includes('text/event-stream')) return new Response(response.body.pipeThrough(watchedEvents(watch)), { status, statusText, headers })
  if (!response.body || !type.includes('application/json')) return response
  const text = await boundedText(response, watch.maxBytes)
  noteText(watch, text)
  return new Response(text, { status, statusText, headers })
}

export interface HttpWire {
  readonly transport: StreamableHTTPClientTransport
  /** Breaches in the text of the answer with this id, once. */
  takeBreaches(id: Json): readonly WireBreach[]
  onBroken(told: (why: string) => void): void
}

export function httpWire(options: HttpOptions): HttpWire {
  const watch: Watch = { breaches: new Map(), maxBytes: options.maxBytes ?? DEFAULT_MAX, broken: () => undefined }
  const transport = new StreamableHTTPClientTransport(new URL(options.url), { fetch: (url, init) => watchedFetch(watch, url, init), requestInit: { headers: { ...options.headers } } })
  return {
    transport,
    takeBreaches(id) {
      const found = watch.breaches.get(idKey(id)) ?? []
      watch.breaches.delete(idKey(id))
      return found
    },
    onBroken(told) { watch.broken = told },
  }
}
