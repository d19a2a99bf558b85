/** The command line's side of the control socket. */
import { request } from 'node:http'
import { join } from 'node:path'
import { decodeStrict } from '../contract/read-file.ts'
import { readWire } from '../contract/wire.ts'
import { UsherError } from '../errors.ts'
import type { JsonObject } from '../types.ts'
import { isRecord } from '../util/records.ts'

export type ControlReply = { readonly kind: 'answer', readonly status: number, readonly body: JsonObject } | { readonly kind: 'not-running' }

/** How long a call behind an approval may take. */
const PATIENCE_MS = 120_000

/** Asks the server of a state folder. Rejects with SERVE_FAILED where one is there and does not answer. @param after what a person does who got no answer */
export function controlRequest(state: string, body: JsonObject, { after = 'is it still running?' }: { readonly after?: string } = {}): Promise<ControlReply> {
  const socketPath = join(state, 'usher.sock')
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path: '/control', method: 'POST', timeout: PATIENCE_MS, headers: { host: 'usher', 'content-type': 'application/json' } }, response => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', cause => reject(failed(socketPath, cause, after)))
      response.on('end', () => {
        const text = decodeStrict(Buffer.concat(parts))
        const read = text === undefined ? undefined : readWire(text)
        if (read?.kind === 'json' && isRecord(read.value)) resolve({ kind: 'answer', status: response.statusCode ?? 0, body: read.value })
        else reject(failed(socketPath, new Error('its answer is no JSON object'), after))
      })
    })
    asked.on('timeout', () => asked.destroy(new Error(`no answer in ${PATIENCE_MS / 1000} s`)))
    asked.on('error', (cause: Error & { code?: string }) => {
      if (cause.code === 'ENOENT' || cause.code === 'ECONNREFUSED') resolve({ kind: 'not-running' })
      else reject(failed(socketPath, cause, after))
    })
    asked.end(JSON.stringify(body))
  })
}

/** Node's words for a connection that the other side ended. */
const ENDED: ReadonlySet<string> = new Set(['socket hang up', 'aborted'])

function failed(path: string, cause: unknown, after: string): UsherError {
  const words = cause instanceof Error ? cause.message : String(cause)
  const ended = ENDED.has(words) || (cause instanceof Error && 'code' in cause && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE'))
  return new UsherError('SERVE_FAILED', `the server behind ${path} ${ended ? 'ended before it answered' : `did not answer: ${words}`}; ${after}`, { cause })
}
