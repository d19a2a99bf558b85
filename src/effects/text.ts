/** Targets in the form that vocabulary/effects.ts names. */
import { resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isUint8Array } from 'node:util/types'

/** `host:port`, IPv6 in brackets. */
export function place(host: unknown, port: unknown): string {
  const name = typeof host === 'string' && host !== '' ? host : 'localhost'
  return `${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${typeof port === 'number' || typeof port === 'string' ? port : '0'}`
}

/** A path argument (string, bytes or URL) as an absolute path; undefined for anything that Node would refuse, such as a NUL inside. */
export function pathOf(value: unknown): string | undefined {
  const path = typeof value === 'string' ? value : isUint8Array(value) ? Buffer.from(value).toString() : isUrl(value) ? pathOfUrl(value) : undefined
  if (path === undefined || path === '' || path.includes('\0')) return undefined
  return isPlain(path) ? path : resolve(path)
}

/** Nothing in it for `resolve` to do: asked first, since most paths are so. */
const isPlain = (path: string): boolean => path.startsWith('/') && !path.includes('/.') && !path.includes('//') && !path.endsWith('/') && sep === '/'

/** As Node tells one: by its properties, so that a URL of another realm or library is one too. */
export function isUrl(value: unknown): value is URL {
  return typeof read(value, 'href') === 'string' && typeof read(value, 'protocol') === 'string' && read(value, 'auth') === undefined && read(value, 'path') === undefined
}

function pathOfUrl(url: URL): string | undefined {
  try {
    return fileURLToPath(url)
  } catch {
    // A host or an encoded slash in it: Node refuses such a URL itself.
    return undefined
  }
}

/** An own or inherited property of an options object, whatever it is. */
export function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) as unknown : undefined
}
