/**
 * The first program inside the namespaces (process 1 of them): brings up a network that leads nowhere but to the sinks, then starts the server with
 * its own streams. It says nothing on stdout: that belongs to the server.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Counters, InsideOrder } from './isolate.ts'
import { openSinks } from './sinks.ts'

/** Every address is this machine's, so whatever the server calls, a sink (or nobody) answers. */
function leadNowhere(): void {
  const ways: readonly (readonly (readonly string[])[])[] = [
    [['ip', 'link', 'set', 'lo', 'up'], ['ip', 'route', 'add', 'local', 'default', 'dev', 'lo'], ['ip', '-6', 'route', 'add', 'local', 'default', 'dev', 'lo']],
    [['ifconfig', 'lo', 'up']],
  ]
  for (const way of ways) if (way.filter(words => spawnSync(words[0] ?? '', words.slice(1), { stdio: 'ignore' }).status === 0).length > 0) return
}

function counters(): Counters {
  const snmp = readFileSync('/proc/net/snmp', 'utf8')
  const figure = (group: string, name: string): number => {
    const [names = '', values = ''] = snmp.split('\n').filter(line => line.startsWith(`${group}:`))
    return Number(values.split(' ')[names.split(' ').indexOf(name)] ?? 0)
  }
  const udp6 = /^Udp6OutDatagrams\s+(\d+)/m.exec(readFileSync('/proc/net/snmp6', 'utf8'))?.[1]
  return { processes: Number(readFileSync('/proc/loadavg', 'utf8').trim().split(' ')[4]), tcp: figure('Tcp', 'ActiveOpens'), segments: figure('Tcp', 'OutSegs'), udp: figure('Udp', 'OutDatagrams') + Number(udp6 ?? 0) }
}

async function main(): Promise<void> {
  const order = JSON.parse(readFileSync(process.env['USHER_AUDIT_ORDER'] ?? '', 'utf8')) as InsideOrder
  leadNowhere()
  const sinks = await openSinks(order.report)
  const asked = createServer(socket => {
    socket.on('error', () => undefined) // the asker went away
    const now = counters()
    socket.end(`${JSON.stringify({ ...now, udp: now.udp - sinks.sent })}\n`)
  }).listen(order.socket)
  const [program = '', ...words] = order.command
  const child = spawn(program, words, { cwd: order.cwd, env: order.env, stdio: 'inherit' })
  const close = (code: number): void => {
    process.exitCode = code
    sinks.close()
    asked.close()
  }
  child.once('error', () => close(127))
  child.once('exit', (code, signal) => close(code ?? (signal ? 128 : 1)))
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => { child.kill(signal) })
}

await main()
