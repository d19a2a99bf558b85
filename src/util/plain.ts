/**
 * What may be an argument: values as JSON has them, and the numbers and BigInts that the log can store. A Map, a Date or a class of the host's
 * would reach the handler as `{}` after a copy, and the log would say so too: such a call does not happen.
 */
import { types } from 'node:util'

/** Levels of nesting that the sifting of arguments walks; what lies deeper would be cut. */
export const MAX_NESTING = 64

/** The first thing in a value that is not plain, as `path is what`; undefined where all is plain. Reads no getter. Iterative: depth cannot exhaust the stack. */
export function notPlain(root: unknown, name = 'the value'): string | undefined {
  const first = leafProblem(root, name)
  if (first !== undefined || typeof root !== 'object' || root === null) return first
  const height = new Map<object, number>()
  const open = new Set<object>()
  const stack: { readonly value: object, readonly path: string, readonly inner?: readonly object[] }[] = [{ value: root, path: name }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, path, inner } = next
    if (inner) {
      open.delete(value)
      const levels = 1 + inner.reduce((most, child) => Math.max(most, height.get(child) ?? 0), 0)
      if (levels > MAX_NESTING + 1) return `${name} is nested deeper than ${MAX_NESTING} levels`
      height.set(value, levels)
      continue
    }
    if (open.has(value)) return `${path} refers back to itself`
    if (height.has(value)) continue
    const read = children(value, path)
    if (typeof read === 'string') return read
    open.add(value)
    stack.push({ value, path, inner: read.map(child => child.value) }, ...read)
  }
  return undefined
}

function children(value: object, path: string): string | readonly { readonly value: object, readonly path: string }[] {
  if (Object.getOwnPropertySymbols(value).length > 0) return `${path} has a key that is a symbol`
  const found: { value: object, path: string }[] = []
  for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
    if (!property.enumerable) continue
    const inner = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`
    if (!('value' in property)) return `${inner} is a getter`
    const problem = leafProblem(property.value, inner)
    if (problem !== undefined) return problem
    if (typeof property.value === 'object' && property.value !== null) found.push({ value: property.value as object, path: inner })
  }
  return found
}

function leafProblem(value: unknown, path: string): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol') return `${path} is a ${typeof value}`
  if (typeof value !== 'object' || value === null) return undefined
  if (types.isProxy(value)) return `${path} is a Proxy`
  if (Array.isArray(value)) return undefined
  const prototype = Object.getPrototypeOf(value) as object | null
  if (prototype === Object.prototype || prototype === null) return undefined
  const made = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value as unknown
  return `${path} is a ${typeof made === 'function' && made.name !== '' ? made.name : 'class of its own'}`
}
