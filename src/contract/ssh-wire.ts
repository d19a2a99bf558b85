/** Reading of SSH's binary encoding (RFC 4251 section 5). Every read is bounded by the buffer; nothing is allocated by a foreign length. */

export class SshReader {
  readonly #bytes: Buffer
  #at = 0
  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }
  get left(): number {
    return this.#bytes.length - this.#at
  }
  take(length: number): Buffer {
    if (length > this.left) throw new RangeError(`the data ends ${length - this.left} bytes too early`)
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }
  uint32(): number {
    return this.take(4).readUInt32BE(0)
  }
  string(): Buffer {
    return this.take(this.uint32())
  }
  text(): string {
    return this.string().toString('latin1')
  }
  end(): void {
    if (this.left > 0) throw new RangeError(`${this.left} bytes too many`)
  }
}

export function sshString(bytes: Buffer | string): Buffer {
  const body = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  return Buffer.concat([length, body])
}

/** Base64 that has one spelling only: a changed byte that decodes to the same data is refused. */
export function strictBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) throw new RangeError('the base64 is damaged or not in its one proper form')
  return bytes
}
