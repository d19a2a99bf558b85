/** The two rules of version 1 about schemas, at any depth: nothing left open by `true`, and no empty `required`. */
import type { Json } from '../types.ts'
import { isRecord } from '../util/records.ts'

export interface SchemaBreach { readonly code: 'additional-properties' | 'required-empty', readonly message: string }

/**
 * Walks every object, not only the places where a draft puts schemas: a `$ref` may point anywhere.
 * @param name of the root in messages, e.g. `inputSchema`
 */
export function schemaBreaches(root: Json, name: string): readonly SchemaBreach[] {
  const found: SchemaBreach[] = []
  const todo: { readonly value: Json, readonly path: string, readonly names: boolean }[] = [{ value: root, path: name, names: false }]
  for (let next = todo.shift(); next; next = todo.shift()) {
    const { value, path, names } = next
    if (Array.isArray(value)) (value as readonly Json[]).forEach((item, at) => todo.push({ value: item, path: `${path}[${at}]`, names: false }))
    if (!isRecord(value)) continue
    // Below `properties` the members are names of parameters, and one may be called "required".
    if (!names && value['additionalProperties'] === true)
      found.push({ code: 'additional-properties', message: `${path} says additionalProperties: true, so keys that nobody reviewed would pass; leave it out or set it to false` })
    if (!names && Array.isArray(value['required']) && value['required'].length === 0)
      found.push({ code: 'required-empty', message: `${path} says required: []; leave the key out where nothing is required` })
    for (const [member, item] of Object.entries(value)) todo.push({ value: item, path: `${path}.${member}`, names: !names && member === 'properties' })
  }
  return found
}
