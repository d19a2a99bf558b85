/**
 * Runs inside a Node server beside the observer's own preload, and reports data that goes out over a connection that was opened before. The server
 * must not notice.
 */
import { appendFileSync } from 'node:fs'
import { Socket } from 'node:net'

const report = process.env['USHER_EFFECTS_REPORT']
/** Between two reports of one socket, in ms. */
const QUIET = 20

interface Known { readonly target: string, told: number }
type Method = (this: Socket, ...args: unknown[]) => unknown
type Hooks = { [name in 'connect' | '_write' | '_writev']: Method }

function targetOf(args: readonly unknown[]): string | undefined {
  // Node's own normalised form is one array of arguments.
  const [first, second] = Array.isArray(args[0]) ? args[0] as readonly unknown[] : args
  const options = (typeof first === 'object' && first !== null ? first : typeof first === 'number' ? { port: first, host: second } : { path: first }) as { readonly path?: unknown, readonly port?: unknown, readonly host?: unknown }
  if (typeof options.path === 'string') return `unix:${options.path}`
  const host = typeof options.host === 'string' ? options.host : 'localhost'
  return options.port === undefined ? undefined : `${host.includes(':') ? `[${host}]` : host}:${Number(options.port)}`
}

function install(file: string): void {
  const known = new WeakMap<Socket, Known>()
  const hooks = Socket.prototype as unknown as Hooks
  const { connect } = hooks
  const tell = (socket: Socket): void => {
    const connection = known.get(socket)
    if (!connection || Date.now() - connection.told < QUIET) return
    connection.told = Date.now()
    try {
      appendFileSync(file, `${JSON.stringify({ pid: process.pid, watcher: 'node-child', kind: 'net.connect', target: connection.target, at: connection.told, detail: { open: true } })}\n`)
    } catch {
      // The server must not notice; other watchers may have seen it.
    }
  }
  hooks.connect = function (...args) {
    const target = targetOf(args)
    if (target !== undefined) known.set(this, { target, told: Date.now() })
    return connect.apply(this, args)
  }
  for (const name of ['_write', '_writev'] as const) {
    const original = hooks[name]
    hooks[name] = function (...args) { tell(this); return original.apply(this, args) }
  }
}

if (report !== undefined && report !== '') install(report)
