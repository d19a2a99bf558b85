/** What answers inside the namespace, for any address: DNS, HTTP, SMTP and, as far as the name that is asked for, TLS. Each thing that arrives is one line of a report. */
import { createSocket } from 'node:dgram'
import { appendFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { dnsAnswer, type Names } from './dns-answer.ts'
import { serverName } from './tls-hello.ts'

export interface Arrival {
  readonly at: number
  readonly what: 'dns' | 'http' | 'smtp' | 'tls' | 'tcp' | 'udp'
  /** The name that was asked for, else the address. */
  readonly host: string
  readonly port: number
  /** What came, where it was not encrypted; cut at 4,096 characters. */
  readonly sent?: string
  /** `GET /path` */
  readonly line?: string
  /** The address that was given for a name. */
  readonly address?: string
}

export interface Sinks { /** Datagrams that the sinks themselves sent. */ readonly sent: number, close(): void }

/** Ports that people's programs talk to. A connection to another one is refused, and counted. */
export const SINK_PORTS: readonly number[] = [21, 22, 23, 25, 80, 110, 143, 389, 443, 465, 587, 993, 1025, 1883, 2525, 3000, 3128, 3306, 4000, 5000, 5432, 5672, 6379, 6667, 8000, 8080, 8081, 8443, 8888, 9000, 9090, 9200, 9418, 11211, 27017]
const SMTP_PORTS: ReadonlySet<number> = new Set([25, 465, 587, 1025, 2525])
const KEPT = 4096
/** A connection that says nothing and hears nothing ends by itself, in ms: a program that waits for a greeting must not wait for ever. */
const PATIENCE = 2000
/** Where a conversation is going on, a busy machine may take longer for its next line. */
const PATIENCE_IN_TALK = 8000

export async function openSinks(report: string): Promise<Sinks> {
  const names: Names = new Map()
  const tell = (arrival: Omit<Arrival, 'at'>): void => appendFileSync(report, `${JSON.stringify({ at: Date.now(), ...arrival, ...arrival.sent === undefined ? {} : { sent: arrival.sent.slice(0, KEPT) } })}\n`)
  const host = (address: string): string => names.get(address.replace(/^::ffff:/, '')) ?? address.replace(/^::ffff:/, '')
  const servers = (await Promise.all(SINK_PORTS.map(port => listen(port, socket => serve(socket, port, host, tell))))).filter(server => server !== undefined)
  const dns = await openDns(names, tell)
  return { get sent() { return dns.sent }, close: () => { for (const server of servers) server.close(); dns.close() } }
}

/** Undefined where the port is taken: whoever took it answers itself. */
function listen(port: number, onSocket: (socket: Socket) => void): Promise<Server | undefined> {
  const server = createServer(onSocket)
  return new Promise(resolve => {
    server.once('error', () => resolve(undefined))
    server.listen({ port, host: '::', ipv6Only: false }, () => resolve(server))
  })
}

function serve(socket: Socket, port: number, host: (address: string) => string, tell: (arrival: Omit<Arrival, 'at'>) => void): void {
  const place = { host: host(socket.localAddress ?? ''), port }
  let text = ''
  let told = false
  const once = (arrival: Partial<Arrival> & Pick<Arrival, 'what'>): void => { if (!told) { told = true; tell({ ...place, ...arrival }) } }
  socket.setTimeout(SMTP_PORTS.has(port) ? PATIENCE_IN_TALK : PATIENCE, () => socket.destroy())
  socket.on('error', () => undefined) // it went away; what it sent was told
  socket.on('close', () => { once({ what: SMTP_PORTS.has(port) ? 'smtp' : 'tcp', ...text === '' ? {} : { sent: text } }) })
  if (SMTP_PORTS.has(port)) socket.write('220 usher-canary.invalid ESMTP\r\n')
  socket.on('data', (chunk: Buffer) => {
    if (chunk[0] === 0x16 && text === '') {
      once({ what: 'tls', host: serverName(chunk) ?? place.host })
      socket.destroy()
      return
    }
    socket.setTimeout(PATIENCE_IN_TALK)
    text = (text + chunk.toString('latin1')).slice(0, KEPT * 4)
    if (SMTP_PORTS.has(port)) smtpAnswer(socket, chunk.toString('latin1'))
    else httpAnswer(socket, Buffer.from(text, 'latin1').toString('utf8'), once)
  })
}

function smtpAnswer(socket: Socket, said: string): void {
  for (const line of said.split('\r\n')) {
    if (/^(EHLO|HELO)/i.test(line)) socket.write('250 usher-canary.invalid\r\n')
    else if (/^(MAIL|RCPT|RSET|NOOP)/i.test(line) || line === '.') socket.write('250 OK\r\n')
    else if (/^DATA/i.test(line)) socket.write('354 go on\r\n')
    else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
  }
}

/** Answers once the whole request is there, so that its body is in the report. */
function httpAnswer(socket: Socket, text: string, once: (arrival: Partial<Arrival> & Pick<Arrival, 'what'>) => void): void {
  const request = /^([A-Z]+) (\S+) HTTP\/1\.[01]\r\n/.exec(text)
  const end = text.indexOf('\r\n\r\n')
  if (!request || end < 0) return
  const body = text.slice(end + 4)
  const length = Number(/\r\ncontent-length:\s*(\d+)/i.exec(text)?.[1] ?? 0)
  if (/\r\ntransfer-encoding:\s*chunked/i.test(text) ? !/(?:^|\r\n)0\r\n\r\n$/.test(body) : Buffer.byteLength(body) < length) return
  const named = /\r\nhost:\s*([^\r\n:]+)/i.exec(text)?.[1]
  once({ what: 'http', line: `${request[1]} ${request[2]}`, sent: body, ...named === undefined ? {} : { host: named } })
  socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}')
}

async function openDns(names: Names, tell: (arrival: Omit<Arrival, 'at'>) => void): Promise<{ readonly sent: number, close(): void }> {
  let sent = 0
  const socket = createSocket('udp4')
  socket.on('error', () => undefined) // an answer that nobody took
  socket.on('message', (query, from) => {
    const made = dnsAnswer(query, names)
    if (!made) return
    tell({ what: 'dns', host: made.name, port: 53, ...made.address === undefined ? {} : { address: made.address } })
    sent++
    socket.send(made.answer, from.port, from.address)
  })
  await new Promise<void>(resolve => { socket.once('listening', resolve).once('error', () => resolve()).bind(53) })
  return { get sent() { return sent }, close: () => socket.close() }
}
