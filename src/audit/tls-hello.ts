/** The host that a TLS client asks for (server_name, RFC 6066, 3), read from its first record; nothing of it is decrypted. */

export function serverName(record: Buffer): string | undefined {
  try {
    // Record header 5, handshake header 4, version 2, random 32.
    let at = 5 + 4 + 2 + 32
    at += 1 + record.readUInt8(at)
    at += 2 + record.readUInt16BE(at)
    at += 1 + record.readUInt8(at)
    const end = Math.min(record.length, at + 2 + record.readUInt16BE(at))
    at += 2
    while (at + 4 <= end) {
      const [type, length] = [record.readUInt16BE(at), record.readUInt16BE(at + 2)]
      if (type === 0) return record.subarray(at + 9, at + 9 + record.readUInt16BE(at + 7)).toString('latin1')
      at += 4 + length
    }
    return undefined
  } catch (error) {
    // A first piece that is too short to hold the name.
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}
