/**
 * One total serialiser: every value becomes JSON text that says exactly what the value was, or LOG_VALUE says which part cannot be kept.
 *
 * What JSON cannot hold is tagged: `{"$usher":"bigint","value":"9"}`. Keys are sorted by UTF-16 units, so equal values give equal bytes.
 */
import { UsherError } from '../errors.ts'

export const TAG = '$usher'

/** SQLite's JSON functions stop at 1000 levels; a row they cannot read would be invisible to its owner. */
export const MAX_DEPTH = 400
/** UTF-16 units of one value. SQLite takes 1 GB; whoever sends more than this to one call does not want a log row. */
export const MAX_LENGTH = 64 * 1024 * 1024

export interface SerialiseOptions {
  /** Strict (default): LOG_VALUE for what cannot be kept. Otherwise the part is stored as `{"$usher":"unstorable","why":...}`. */
  readonly strict?: boolean
  /** Sees every string, and may give another in its place (masking). `path` is a JSON Pointer. */
  readonly mask?: (text: string, path: string) => string
  /** Sees every value first; a string replaces the value whole (a marked secret). */
  readonly replace?: (value: unknown, path: string) => string | undefined
}

interface Walk { readonly strict: boolean, readonly mask: SerialiseOptions['mask'], readonly replace: SerialiseOptions['replace'], readonly open: Map<object, string> }

/** Throws LOG_VALUE, with the JSON Pointer of the part. */
export function serialise(value: unknown, options: SerialiseOptions = {}): string {
  const walk: Walk = { strict: options.strict ?? true, mask: options.mask, replace: options.replace, open: new Map() }
  const text = write(value, '', walk, 0)
  if (text.length > MAX_LENGTH) {
    if (walk.strict) throw new UsherError('LOG_VALUE', `a value of ${text.length} characters is over the log's limit of ${MAX_LENGTH}; send a reference to it instead`)
    return tag('unstorable', { why: `${text.length} characters are over the limit of ${MAX_LENGTH}` })
  }
  return text
}

function tag(name: string, fields: { readonly [key: string]: string }): string {
  const rest = Object.keys(fields).sort().map(key => `,${JSON.stringify(key)}:${JSON.stringify(fields[key])}`)
  return `{"${TAG}":"${name}"${rest.join('')}}`
}

function refuse(walk: Walk, path: string, why: string): string {
  if (walk.strict) throw new UsherError('LOG_VALUE', `the value at ${JSON.stringify(path)} cannot be logged: ${why}; pass plain data instead`)
  return tag('unstorable', { why })
}

function write(value: unknown, path: string, walk: Walk, depth: number): string {
  const replaced = walk.replace?.(value, path)
  if (replaced !== undefined) return JSON.stringify(replaced)
  switch (typeof value) {
    case 'string': return JSON.stringify(walk.mask ? walk.mask(value, path) : value)
    case 'boolean': return String(value)
    case 'number': return writeNumber(value)
    case 'bigint': return tag('bigint', { value: String(value) })
    case 'undefined': return tag('undefined', {})
    case 'object': return value === null ? 'null' : writeObject(value, path, walk, depth)
    default: return refuse(walk, path, `it is a ${typeof value}`)
  }
}

function writeNumber(value: number): string {
  if (Object.is(value, -0)) return tag('number', { value: '-0' })
  return Number.isFinite(value) ? String(value) : tag('number', { value: String(value) })
}

function writeObject(value: object, path: string, walk: Walk, depth: number): string {
  const above = walk.open.get(value)
  if (above !== undefined) return tag('cycle', { to: above })
  if (depth >= MAX_DEPTH) return refuse(walk, path, `it is nested deeper than ${MAX_DEPTH} levels`)
  walk.open.set(value, path)
  try {
    return writeOpen(value, path, walk, depth + 1)
  } catch (cause) {
    if (UsherError.is(cause)) throw cause
    // A getter or a Proxy of the caller threw.
    return refuse(walk, path, `reading it threw ${cause instanceof Error ? cause.message : String(cause)}`)
  } finally {
    walk.open.delete(value)
  }
}

function writeOpen(value: object, path: string, walk: Walk, depth: number): string {
  if (Array.isArray(value)) return writeArray(value, path, walk, depth)
  const proto: unknown = Object.getPrototypeOf(value)
  if (proto === null || proto === Object.prototype) return writePlain(value, path, walk, depth)
  return writeKnown(value, path, walk, depth)
}

/** An array may be nearly empty and still claim a length of four thousand million. */
const MAX_ITEMS = 8 * 1024 * 1024

function writeArray(value: readonly unknown[], path: string, walk: Walk, depth: number): string {
  if (value.length > MAX_ITEMS) return refuse(walk, path, `it has ${value.length} items, over the limit of ${MAX_ITEMS}`)
  const items: string[] = []
  for (let i = 0; i < value.length; i++) items.push(Object.hasOwn(value, i) ? write(value[i], `${path}/${i}`, walk, depth) : tag('hole', {}))
  return `[${items.join(',')}]`
}

function writePlain(value: object, path: string, walk: Walk, depth: number): string {
  if (Object.getOwnPropertySymbols(value).length > 0) return refuse(walk, path, 'it has symbol keys')
  const keys = Object.keys(value).sort()
  const members = keys.map(key => `${JSON.stringify(walk.mask ? walk.mask(key, '') : key)}:${write((value as Record<string, unknown>)[key], `${path}/${pointer(key)}`, walk, depth)}`)
  const text = `{${members.join(',')}}`
  // An own "$usher" key must not read back as one of our tags.
  return keys.includes(TAG) ? `{"${TAG}":"object","value":${JSON.stringify(text)}}` : text
}

/** The few classes that have one obvious loss-free form. */
function writeKnown(value: object, path: string, walk: Walk, depth: number): string {
  if (value instanceof Date) return tag('date', { value: String(value.getTime()) })
  if (value instanceof URL) return tag('url', { value: walk.mask ? walk.mask(value.href, path) : value.href })
  if (value instanceof Uint8Array) return tag('bytes', { value: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') })
  if (value instanceof Map) return `{"${TAG}":"map","entries":${writeArray([...value].map(entry => [...entry]), path, walk, depth)}}`
  if (value instanceof Set) return `{"${TAG}":"set","items":${writeArray([...value], path, walk, depth)}}`
  if (value instanceof Error) {
    const message = `${value.name}: ${value.message}`
    return tag('error', { value: walk.mask ? walk.mask(message, path) : message })
  }
  return refuse(walk, path, `it is an instance of ${JSON.stringify((value.constructor as { name?: unknown } | undefined)?.name ?? 'an unknown class')}`)
}

function pointer(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}
