/** Reads back what serialise.ts wrote: every tag becomes its value again. Masked secrets stay their masks. */
import { UsherError } from '../errors.ts'
import { TAG } from './serialise.ts'

/** Throws LOG_INVALID for text that is not one of the log's values. */
export function revive(text: string): unknown {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch (cause) {
    throw new UsherError('LOG_INVALID', `a stored value is not JSON: ${text.slice(0, 80)}`, { cause })
  }
  return walk(raw, new Map(), '')
}

function walk(raw: unknown, made: Map<string, unknown>, path: string): unknown {
  if (typeof raw !== 'object' || raw === null) return raw
  if (Array.isArray(raw)) return walkArray(raw, made, path)
  const fields = raw as Record<string, unknown>
  const name = Object.hasOwn(fields, TAG) ? fields[TAG] : undefined
  if (typeof name === 'string') return untag(name, fields, made, path)
  return walkPlain(fields, made, path)
}

function walkArray(raw: readonly unknown[], made: Map<string, unknown>, path: string): unknown[] {
  const items: unknown[] = []
  made.set(path, items)
  raw.forEach((item, i) => {
    if (isHole(item)) items.length = i + 1
    else items[i] = walk(item, made, `${path}/${i}`)
  })
  return items
}

function isHole(item: unknown): boolean {
  return typeof item === 'object' && item !== null && Object.hasOwn(item, TAG) && (item as Record<string, unknown>)[TAG] === 'hole'
}

function walkPlain(fields: Record<string, unknown>, made: Map<string, unknown>, path: string): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  made.set(path, object)
  for (const [key, value] of Object.entries(fields)) {
    const revived = walk(value, made, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    // Assignment to "__proto__" would set the prototype instead of the key.
    Object.defineProperty(object, key, { value: revived, enumerable: true, writable: true, configurable: true })
  }
  return object
}

function untag(name: string, fields: Record<string, unknown>, made: Map<string, unknown>, path: string): unknown {
  const value = String(fields['value'])
  switch (name) {
    case 'number': return Number(value)
    case 'bigint': return BigInt(value)
    case 'undefined': return undefined
    case 'date': return new Date(Number(value))
    case 'url': return new URL(value)
    case 'bytes': return new Uint8Array(Buffer.from(value, 'base64'))
    case 'error': return new Error(value)
    case 'cycle': return made.get(String(fields['to']))
    case 'object': return walkPlain(JSON.parse(value) as Record<string, unknown>, made, path)
    case 'map': return new Map(walkArray(fields['entries'] as unknown[], new Map(made), path) as [unknown, unknown][])
    case 'set': return new Set(walkArray(fields['items'] as unknown[], new Map(made), path))
    case 'unstorable': return { ...fields }
    default: throw new UsherError('LOG_INVALID', `a stored value has the unknown tag ${JSON.stringify(name)}; a newer Usher may have written it`)
  }
}
