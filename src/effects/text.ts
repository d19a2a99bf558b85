/** Targets in the form that vocabulary/effects.ts names. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `host:port`, IPv6 in brackets. */
export function place(host: unknown, port: unknown): string {
  const name = typeof host === 'string' && host !== '' ? host : 'localhost'
  return `${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${typeof port === 'number' || typeof port === 'string' ? port : '0'}`
}

/** A path argument (string, bytes or URL) as an absolute path; undefined for anything that Node would refuse. */
export function pathOf(value: unknown): string | undefined {
  if (typeof value === 'string') return resolve(value)
  if (value instanceof Uint8Array) return resolve(Buffer.from(value).toString())
  if (value instanceof URL && value.protocol === 'file:') return fileURLToPath(value)
  return undefined
}

/** An own or inherited property of an options object, whatever it is. */
export function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) as unknown : undefined
}
