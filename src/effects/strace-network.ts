/** Addresses and name look-ups in strace's lines. */
import { behind, stringBytes, unescaped } from './strace-lines.ts'
import { place } from './text.ts'

const INET = /sa_family=AF_INET, sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)/g
const INET6 = /sa_family=AF_INET6, sin6_port=htons\((\d+)\),[^{}]*?inet_pton\(AF_INET6, "([^"]+)"/g
const UNIX = /sa_family=AF_UNIX, sun_path=(@?)"((?:[^"\\]|\\.)*)"/g

/** The places that a call names; for a datagram on a connected socket, the place that the socket is connected to. */
export function addressesOf(name: string, args: readonly string[]): string[] {
  const text = args.slice(1).join(', ')
  const found = [
    ...[...text.matchAll(INET), ...text.matchAll(INET6)].map(([, port, host]) => place(host, port)),
    ...[...text.matchAll(UNIX)].map(([, abstract, path]) => `unix:${abstract ?? ''}${unescaped(path ?? '').toString()}`),
  ]
  if (found.length > 0 || name === 'connect' || name === 'bind') return found
  const peer = /->(.+)\]$/.exec(behind(args[0]) ?? '')?.[1]
  return peer === undefined ? [] : [peer]
}

/** Names asked for in datagrams to port 53: of one datagram (`sendto`), or of several. */
export function dnsNames(name: string, args: readonly string[]): string[] {
  if (!addressesOf(name, args).some(address => address.endsWith(':53'))) return []
  const payloads = name === 'sendto' ? [args[1] ?? ''] : [...(args[1] ?? '').matchAll(/iov_base=("(?:[^"\\]|\\.)*")/g)].map(([, bytes]) => bytes ?? '')
  return [...new Set(payloads.flatMap(payload => question(stringBytes(payload)) ?? []))]
}

/** The name in a DNS query's first question (RFC 1035, 4.1): a twelve-byte header, then labels with their length before them. */
function question(bytes: Buffer | undefined): string | undefined {
  if (!bytes || bytes.length < 14 || bytes.readUInt16BE(4) < 1) return undefined
  const labels: string[] = []
  for (let at = 12; at < bytes.length;) {
    const length = bytes[at] ?? 0
    if (length === 0) return labels.length > 0 ? labels.join('.') : undefined
    if (length > 63) return undefined
    labels.push(bytes.subarray(at + 1, at + 1 + length).toString())
    at += length + 1
  }
  return undefined
}
