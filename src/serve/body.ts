/** A request's body, up to a limit for one and a limit for all at once: many large bodies together must not fill the memory. */
import type { IncomingMessage } from 'node:http'

export type Body = { readonly kind: 'bytes', readonly bytes: Buffer } | { readonly kind: 'too-big', readonly limit: number } | { readonly kind: 'busy' }

/** The largest body, in bytes: one event of 4 Mi characters, or many small ones. */
export const MAX_BODY = 8 * 1024 * 1024
/** All bodies that are being read. */
const MAX_TOGETHER = 64 * 1024 * 1024

export class Bodies {
  #held = 0

  /** Rejects where the client goes away in the middle. */
  async read(request: IncomingMessage, limit = MAX_BODY): Promise<Body> {
    if (Number(request.headers['content-length'] ?? 0) > limit) return { kind: 'too-big', limit }
    const parts: Buffer[] = []
    let length = 0
    try {
      for await (const part of request) {
        const bytes = part as Buffer
        length += bytes.length
        this.#held += bytes.length
        if (length > limit) return { kind: 'too-big', limit }
        if (this.#held > MAX_TOGETHER) return { kind: 'busy' }
        parts.push(bytes)
      }
      return { kind: 'bytes', bytes: Buffer.concat(parts, length) }
    } finally {
      this.#held -= length
    }
  }
}
