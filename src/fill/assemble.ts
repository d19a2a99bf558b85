/** Arguments from values at JSON Pointers, built key by key as own properties. */
import type { FilledValue, Json, JsonObject } from '../types.ts'
import { pointerTokens } from '../schema/refs.ts'

interface Branch { readonly inner: Map<string, Branch>, value?: Json }

export function assemble(values: readonly Pick<FilledValue, 'path' | 'value'>[]): JsonObject {
  const root: Branch = { inner: new Map() }
  for (const { path, value } of values) {
    let at = root
    for (const name of pointerTokens(path)) {
      let next = at.inner.get(name)
      if (!next) at.inner.set(name, next = { inner: new Map() })
      at = next
    }
    at.value = value
  }
  return build(root) as JsonObject
}

function build(branch: Branch): Json {
  return branch.value ?? Object.fromEntries([...branch.inner].map(([name, inner]) => [name, build(inner)]))
}
