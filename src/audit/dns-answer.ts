/** Answers DNS queries (RFC 1035) with an address of the range for benchmarks (RFC 2544), another one for each name, so that a connection can be led back to its name. */

/** Address -> name that it was given for. */
export type Names = Map<string, string>

const A = 1

/** Undefined for what is no query. A question for anything but an address gets an empty answer. */
export function dnsAnswer(query: Buffer, names: Names): { readonly name: string, readonly address: string | undefined, readonly answer: Buffer } | undefined {
  if (query.length < 17 || query.readUInt16BE(4) < 1 || (query.readUInt16BE(2) & 0x8000) !== 0) return undefined
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    if (length > 63 || at + length >= query.length) return undefined
    labels.push(query.subarray(at + 1, at + 1 + length).toString('latin1'))
    at += length + 1
  }
  const end = at + 5
  if (end > query.length || labels.length === 0) return undefined
  const name = labels.join('.').toLowerCase()
  const address = query.readUInt16BE(at + 1) === A ? addressOf(name, names) : undefined
  const records = address === undefined ? [] : [addressRecord(address)]
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt32BE(0, 8)
  return { name, address, answer: Buffer.concat([header, query.subarray(12, end), ...records]) }
}

function addressOf(name: string, names: Names): string {
  for (const [address, known] of names) if (known === name) return address
  const next = names.size + 1
  const address = `198.18.${(next >> 8) & 0xFF}.${next & 0xFF}`
  names.set(address, name)
  return address
}

/** A pointer to the question's name, class IN, an hour. */
function addressRecord(address: string): Buffer {
  return Buffer.concat([Buffer.from([0xC0, 12, 0, A, 0, 1, 0, 0, 0x0E, 0x10, 0, 4]), Buffer.from(address.split('.').map(Number))])
}
