/** Objects whose keys came from outside: built key by key as own properties, so that `__proto__` is a key like any other. */
import type { Json, JsonObject } from '../types.ts'

/** Later parts win; every key becomes an own, enumerable property. */
export function mergeOwn(...parts: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(parts.flatMap(part => Object.entries(part)))
}

/** Without the named own keys. */
export function without(record: JsonObject, keys: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.has(key)))
}

export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A deep copy that nobody can change afterwards: a handler must not be able to edit a route's preset. */
export function frozen<T extends Json>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const item of Object.values(value)) frozen(item as Json)
  return Object.freeze(value)
}
