/** Is this the server that the contract names? Its files are hashed before it starts, or what it says of itself is hashed after it is reached. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { ServerIdentity } from '../contract/contract.ts'
import type { JsonObject } from '../types.ts'
import { canonicalJson, sha256 } from '../util/canonical.ts'

export async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** SHA-256 over canonical JSON of serverInfo, capabilities and instructions: what an address alone does not pin. */
export function helloDigest(hello: JsonObject): string {
  const { serverInfo = null, capabilities = null, instructions = null } = hello
  return sha256(canonicalJson({ serverInfo, capabilities, instructions }))
}

/** What of the server's files is not as it was signed; undefined: all is. */
export async function pinBreach(server: ServerIdentity): Promise<string | undefined> {
  if (!('pins' in server)) return undefined
  for (const pin of server.pins) {
    let now: string
    try {
      now = await fileHash(pin.path)
    } catch {
      return `${pin.path}, which the contract pins, cannot be read`
    }
    if (now !== pin.sha256) return `${pin.path} has other bytes than were signed (${now.slice(0, 12)}…, not ${pin.sha256.slice(0, 12)}…)`
  }
  return undefined
}
