/** The notice about ignored keys, on a result of any shape. */
import type { Json, JsonObject } from '../types.ts'
import { isRecord } from '../util/records.ts'

interface Ignored { /** JSON-quoted and masked. */ readonly names: readonly string[], readonly count: number, readonly exact: boolean }

/** One line, whatever the keys hold. */
export function noticeLine({ names, count, exact }: Ignored): string {
  const more = count > names.length || !exact ? `, ... (${exact ? '' : 'at least '}${count} in all)` : ''
  return `Ignored ${count === 1 && exact ? 'a key' : 'keys'} that this tool does not know, so ${count === 1 && exact ? 'it' : 'they'} had no effect: ${names.join(', ')}${more}`
}

/**
 * An object gets `_ignoredKeys` and `_ignoredKeysNote`; an array becomes `{ results, ... }`; text gets the note on a line of its own; an MCP result
 * keeps `content`, `structuredContent` and `isError` as they are, with one more text block and the names under `_meta`. Anything else becomes `{ result, ... }`.
 */
export function withNotice(result: unknown, ignored: Ignored): unknown {
  if (ignored.count === 0) return result
  const note = noticeLine(ignored)
  const keys: JsonObject = { _ignoredKeys: ignored.names.map(name => name.slice(1, -1)), _ignoredKeysNote: note }
  if (typeof result === 'string') return result === '' ? note : `${result}\n\n${note}`
  if (Array.isArray(result)) return { results: result, ...keys }
  if (!isPlain(result)) return { result: result ?? null, ...keys }
  return isMcpResult(result) ? mcpResult(result, note, keys) : Object.fromEntries([...Object.entries(result), ...Object.entries(keys)])
}

/** A class instance (a Date, a Map, a stream) would lose what it is if its fields were copied. */
function isPlain(value: unknown): value is JsonObject {
  if (!isRecord(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function isMcpResult(result: JsonObject): boolean {
  const content = Object.hasOwn(result, 'content') ? result['content'] : undefined
  return Array.isArray(content) && content.every(block => isRecord(block) && typeof block['type'] === 'string')
}

function mcpResult(result: JsonObject, note: string, keys: JsonObject): JsonObject {
  const meta = isRecord(result['_meta']) ? result['_meta'] : {}
  const content = [...result['content'] as readonly Json[], { type: 'text', text: note }]
  return Object.fromEntries([...Object.entries(result), ['content', content], ['_meta', Object.fromEntries([...Object.entries(meta), ...Object.entries(keys)])]])
}
