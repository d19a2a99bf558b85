/** Which of a call's arguments its tool's schema marks as secret: the log keeps keyed hashes of them. */
import type { Json, JsonObject, JsonSchema, Tool } from '../types.ts'
import { isRecord } from '../util/records.ts'
import { keyword, token } from './subschemas.ts'
import { schemasAt, walkOnce } from './walk.ts'

/** More values than this are not looked through one by one: every top key is held for secret then. */
const MAX_VALUES = 5000

/** `"writeOnly": true` and `"format": "password"` (JSON Schema, OpenAPI), or `"x-secret": true`. */
export function isMarkedSecret(schema: JsonObject): boolean {
  return keyword(schema, 'writeOnly') === true || keyword(schema, 'format') === 'password' || keyword(schema, 'x-secret') === true
}

/** JSON Pointers into `args`, outermost first; nothing below a marked value is listed again. */
export function secretPaths(tool: Pick<Tool, 'visible' | 'presetOnly'>, args: JsonObject): readonly string[] {
  const roots = [tool.visible, ...presetRoot(tool.presetOnly)].filter(root => mayMark(root))
  if (roots.length === 0) return []
  const found: string[] = []
  const todo: { readonly path: readonly string[], readonly value: Json }[] = [{ path: [], value: args }]
  let looked = 0
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { path, value } = next
    if (++looked > MAX_VALUES) return Object.keys(args).map(token)
    if (path.length > 0 && roots.some(root => schemasAt(root, path).some(spot => isMarkedSecret(spot.schema)))) {
      found.push(path.map(token).join(''))
      continue
    }
    if (Array.isArray(value)) value.forEach((item, i) => todo.push({ path: [...path, String(i)], value: item as Json }))
    else if (isRecord(value)) for (const [key, item] of Object.entries(value)) todo.push({ path: [...path, key], value: item })
  }
  return found
}

const presetRoots = new WeakMap<object, JsonObject>()

/** One object a tool, so that its walk is kept. */
function presetRoot(presetOnly: { readonly [key: string]: JsonSchema }): JsonObject[] {
  if (Object.keys(presetOnly).length === 0) return []
  let root = presetRoots.get(presetOnly)
  if (!root) presetRoots.set(presetOnly, root = { type: 'object', properties: presetOnly })
  return [root]
}

/** A walk that ended at its bound may have missed a mark. */
function mayMark(root: JsonObject): boolean {
  const { places, whole } = walkOnce(root)
  return !whole || places.some(place => isMarkedSecret(place.schema))
}
