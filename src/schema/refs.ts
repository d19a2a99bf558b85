/** Local references. Nothing here opens a file or a connection: what is not inside the document does not resolve. */
import type { Json, JsonObject, JsonSchema } from '../types.ts'
import { own } from '../util/own.ts'
import { isRecord } from '../util/records.ts'
import { isSchema, keyword, subschemas } from './subschemas.ts'

export type Resolved =
  | { readonly kind: 'schema', readonly schema: JsonSchema }
  | { readonly kind: 'external' }
  | { readonly kind: 'dangling' }

export const REF_KEYWORDS = ['$ref', '$dynamicRef', '$recursiveRef'] as const

/** Every reference that this schema object itself makes. */
export function refsOf(schema: JsonObject): readonly string[] {
  return REF_KEYWORDS.map(name => keyword(schema, name)).filter(ref => typeof ref === 'string')
}

/** `#`, `#/a/b`, `#anchor`, and the same behind the document's own id. Anything else is outside the document. */
export function resolveRef(root: JsonObject, ref: string): Resolved {
  const hash = ref.indexOf('#')
  const address = hash < 0 ? ref : ref.slice(0, hash)
  if (address !== '' && address !== rootId(root)) return { kind: 'external' }
  let fragment: string
  try {
    fragment = hash < 0 ? '' : decodeURIComponent(ref.slice(hash + 1))
  } catch (error) {
    if (error instanceof URIError) return { kind: 'dangling' }
    throw error
  }
  if (fragment === '') return { kind: 'schema', schema: root }
  const found = fragment.startsWith('/') ? readPointer(root, fragment) : findAnchor(root, fragment)
  return isSchema(found) ? { kind: 'schema', schema: found } : { kind: 'dangling' }
}

function rootId(root: JsonObject): string | undefined {
  const id = keyword(root, '$id') ?? keyword(root, 'id')
  return typeof id === 'string' ? id.replace(/#$/, '') : undefined
}

/** The tokens of a JSON Pointer, unescaped; `''` has none. */
export function pointerTokens(pointer: string): readonly string[] {
  return pointer === '' ? [] : pointer.slice(1).split('/').map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Reads own properties and array elements only. */
export function readPointer(root: Json, pointer: string): Json | undefined {
  let at: Json | undefined = root
  for (const name of pointerTokens(pointer)) {
    if (Array.isArray(at)) at = /^(?:0|[1-9]\d*)$/.test(name) ? (at as readonly Json[])[Number(name)] : undefined
    else at = isRecord(at) ? own(at, name) : undefined
    if (at === undefined) return undefined
  }
  return at
}

const anchors = new WeakMap<JsonObject, ReadonlyMap<string, JsonObject>>()

function findAnchor(root: JsonObject, name: string): JsonObject | undefined {
  let table = anchors.get(root)
  if (!table) anchors.set(root, table = indexAnchors(root))
  return table.get(name)
}

/** `$anchor` and `$dynamicAnchor` (2019-09 on), `$id: "#name"` (06, 07), `id: "#name"` (04). The first of a name wins. */
function indexAnchors(root: JsonObject): ReadonlyMap<string, JsonObject> {
  const table = new Map<string, JsonObject>()
  const todo: JsonSchema[] = [root]
  for (let schema = todo.pop(); schema !== undefined; schema = todo.pop()) {
    if (typeof schema === 'boolean') continue
    for (const word of ['$anchor', '$dynamicAnchor', '$id', 'id']) {
      const value = keyword(schema, word)
      if (typeof value !== 'string') continue
      const name = word.endsWith('nchor') ? value : value.startsWith('#') ? value.slice(1) : ''
      if (name !== '' && !table.has(name)) table.set(name, schema)
    }
    for (const inner of subschemas(schema)) todo.push(inner.schema)
  }
  return table
}
