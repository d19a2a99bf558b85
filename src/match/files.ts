/** Cache files that appear at once or not at all, and are read only if whole. */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsherError } from '../errors.ts'
import { sha256 } from '../util/canonical.ts'

/** Numbers are stored in the machine's order; a file of the other order counts as foreign. */
export const BYTE_ORDER = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 'little' : 'big'

/** Bytes of a text's id: half a sha256, which nobody meets by chance. */
export const ID_BYTES = 16

/** The identity of a text in cache files. */
export function textId(text: string): string {
  return sha256(text).slice(0, ID_BYTES * 2)
}

/**
 * Runs `fill` on a file of its own name and then renames it: a reader, or a second process, never sees half.
 * @param stem beginning of the temporary name, in the folder of the final one
 * @param fill writes the temporary file and says what it is to be called
 */
export async function placeFile(stem: string, fill: (temporary: string) => Promise<string>): Promise<void> {
  const temporary = `${stem}.${process.pid}.${randomUUID()}.tmp`
  try {
    await mkdir(dirname(stem), { recursive: true })
    await rename(temporary, await fill(temporary))
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined) // where it was never made, the first error is the one to tell
    throw new UsherError('INDEX_INVALID', `the cache file ${stem} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}; make room, or name another cache folder`, { cause })
  }
}

/** One line of JSON that says what follows and its sha256, then the bytes. */
export async function writeSealed(file: string, head: Record<string, unknown>, body: Uint8Array): Promise<void> {
  const line = JSON.stringify({ ...head, byteOrder: BYTE_ORDER, bytes: body.length, sha256: sha256(body) })
  await placeFile(file, async temporary => {
    await writeFile(temporary, [Buffer.from(`${line}\n`), body])
    return file
  })
}

/** What writeSealed wrote, or undefined: not there, damaged, or of another kind (every key of `expected` must be equal). */
export async function readSealed(file: string, expected: Record<string, unknown>): Promise<{ head: Map<string, unknown>, body: Buffer } | undefined> {
  let bytes: Buffer
  try {
    bytes = await readFile(file)
  } catch {
    return undefined // none yet, or none that can be read: it is made again
  }
  const end = bytes.indexOf(10)
  const head = end < 0 ? undefined : parseHead(bytes.toString('utf8', 0, end))
  if (!head) return undefined
  const body = bytes.subarray(end + 1)
  for (const [name, value] of Object.entries({ ...expected, byteOrder: BYTE_ORDER, bytes: body.length })) if (head.get(name) !== value) return undefined
  return head.get('sha256') === sha256(body) ? { head, body } : undefined
}

function parseHead(line: string): Map<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined
  } catch {
    return undefined
  }
}

/** Hash of a file of any size without holding it. Rejects where it cannot be read. */
export async function fileSha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
