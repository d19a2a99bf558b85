/** Streamable HTTP with the same strict reading: repeated members are seen in the text before any parser drops one. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { UsherError } from '../errors.ts'
import { inspectWire } from '../contract/wire.ts'
import { isRecord } from '../util/records.ts'
import { noteBreaches } from './wire-transport.ts'

export interface HttpOptions {
  readonly url: string
  readonly headers?: { readonly [name: string]: string }
  /** The most bytes of one answer or event; default 16 MiB. */
  readonly maxBytes?: number
}

const DEFAULT_MAX = 16 * 1024 * 1024

/** Refuses a text whose members can be read in two ways; the SDK then sees a broken stream, and the caller SERVER_FAILED. */
function checkText(text: string): void {
  const inspected = inspectWire(text)
  if (inspected.kind === 'bad') return // the SDK says so itself
  const repeated = inspected.breaches.find(breach => breach.reason === 'repeated-member')
  // One answer is one text here, so the tool that spoils it cannot be told apart by the result object: the whole answer is refused.
  if (repeated) throw new UsherError('SERVER_FAILED', `the server's answer can be read in two ways: ${repeated.why}`)
  if (isRecord(inspected.value)) noteBreaches({ value: inspected.value, raw: text, breaches: inspected.breaches })
}

/** Looks at the `data:` lines of an event stream as they pass; the bytes go on unchanged. */
function checkedEvents(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let data: string[] = []
  const line = (text: string): void => {
    if (text.startsWith('data:')) data.push(text.slice(5).trimStart())
    else if (text === '' && data.length > 0) {
      checkText(data.join('\n'))
      data = []
    }
  }
  return new TransformStream({
    transform(chunk, controller) {
      rest += decoder.decode(chunk, { stream: true })
      if (rest.length > maxBytes) throw new UsherError('SERVER_FAILED', `an event of more than ${maxBytes} characters is over the limit`)
      const lines = rest.split(/\r?\n/)
      rest = lines.pop() ?? ''
      lines.forEach(line)
      controller.enqueue(chunk)
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

async function checkedFetch(maxBytes: number, url: string | URL, init?: RequestInit): Promise<Response> {
  // The contract pins this address: another one that it names is another server.
  const response = await fetch(url, { ...init, redirect: 'error' })
  const type = response.headers.get('content-type') ?? ''
  const { status, statusText, headers } = response
  if (response.body && type.includes('text/event-stream')) return new Response(response.body.pipeThrough(checkedEvents(maxBytes)), { status, statusText, headers })
  if (!response.body || !type.includes('application/json')) return response
  const text = await boundedText(response, maxBytes)
  checkText(text)
  return new Response(text, { status, statusText, headers })
}

export function httpWire(options: HttpOptions): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(options.url), {
    fetch: (url, init) => checkedFetch(options.maxBytes ?? DEFAULT_MAX, url, init),
    requestInit: { headers: { ...options.headers } },
  })
}
