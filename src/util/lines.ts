/**
 * Lines of a byte stream, split on byte 0x0A only and decoded whole: U+2028 is no line end, and a character cut in two by a chunk is not
 * damaged. A line over the limit is given up to the limit, with its true length, and the rest of it is skipped, not kept.
 */
export interface Line { readonly number: number, readonly text: string, readonly bytes: number, readonly cut: boolean, readonly valid: boolean }

const LF = 0x0A

/** @param maxBytes default 8 MiB */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, maxBytes = 8 * 1024 * 1024): AsyncGenerator<Line> {
  let parts: Uint8Array[] = []
  let kept = 0
  let bytes = 0
  let number = 0
  const take = (piece: Uint8Array) => {
    bytes += piece.length
    const room = maxBytes - kept
    if (room <= 0) return
    const part = piece.subarray(0, room)
    parts.push(part)
    kept += part.length
  }
  const line = (): Line => {
    number++
    const made = { number, ...decode(Buffer.concat(parts)), bytes, cut: bytes > kept }
    parts = []
    kept = bytes = 0
    return made
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      take(chunk.subarray(start, end))
      start = end + 1
      yield line()
    }
    take(chunk.subarray(start))
  }
  if (bytes > 0) yield line()
}

function decode(buffer: Buffer): { text: string, valid: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(buffer).replace(/\r$/, ''), valid: true }
  } catch {
    return { text: buffer.toString('utf8').replace(/\r$/, ''), valid: false } // not swallowed: `valid` says so, and the line becomes `malformed`
  }
}
