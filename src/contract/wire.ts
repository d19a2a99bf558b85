/**
 * Reading JSON that somebody else wrote and somebody has to answer for: the text a person sees must be the value that is hashed.
 * `JSON.parse` keeps the last of two equal members without a word, so a reviewer could read one description and sign another.
 */
import type { Json, JsonObject } from '../types.ts'
import { quoted } from '../util/mask.ts'

/** Deeper than any honest schema; what walks a value may then use the stack. */
const MAX_DEPTH = 256

export type BreachReason = 'repeated-member' | 'number' | 'lone-surrogate' | 'depth'

/** Something in a valid JSON text that two readers may read in two ways, and where: the names and indices that lead to it. */
export interface WireBreach { readonly reason: BreachReason, readonly path: readonly (string | number)[], readonly why: string }

export type WireInspection =
  | { readonly kind: 'json', readonly value: Json, readonly breaches: readonly WireBreach[] }
  | { readonly kind: 'bad', readonly why: string }

export type WireReading =
  | { readonly kind: 'json', readonly value: Json }
  | { readonly kind: 'bad', readonly reason: BreachReason | 'syntax', readonly why: string }

/** Where the string that starts at `from` ends, one past its closing quote. */
function stringEnd(text: string, from: number): number {
  let end = text.indexOf('"', from + 1)
  // A quote is escaped when an odd number of backslashes stands before it.
  for (; end > 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) break
  }
  return end + 1
}

interface Level { readonly names: Set<string> | null, at: string | number }

/** Walks the text of valid JSON: only a text shows that a member is there twice. Keeps its own stack, for a foreign text chooses the depth. */
class Scan {
  readonly breaches: WireBreach[] = []
  readonly #text: string
  readonly #levels: Level[] = []
  #expectsName = false
  constructor(text: string) {
    this.#text = text
    const structure = /["{}[\],]/g
    for (let found = structure.exec(text); found; found = structure.exec(text)) {
      if (found[0] !== '"') this.#mark(found[0])
      else structure.lastIndex = this.#string(found.index)
    }
  }

  #string(from: number): number {
    const end = stringEnd(this.#text, from)
    const level = this.#levels.at(-1)
    if (level?.names && this.#expectsName) {
      this.#expectsName = false
      const name = JSON.parse(this.#text.slice(from, end)) as string
      level.at = name
      if (level.names.has(name)) this.#breach('repeated-member', `the member ${quoted(name)} is there twice, so readers may see different values`)
      level.names.add(name)
    }
    return end
  }

  #mark(mark: string): void {
    const level = this.#levels.at(-1)
    if (mark === '{' || mark === '[') {
      this.#levels.push(mark === '{' ? { names: new Set(), at: '' } : { names: null, at: 0 })
      this.#expectsName = mark === '{'
      if (this.#levels.length === MAX_DEPTH + 1) this.#breach('depth', `it is nested more than ${MAX_DEPTH} levels deep`)
    } else if (mark !== ',') this.#levels.pop()
    else if (level?.names) this.#expectsName = true
    else if (level) level.at = (level.at as number) + 1
  }

  #breach(reason: BreachReason, why: string): void {
    this.breaches.push({ reason, path: this.#levels.map(level => level.at), why })
  }
}

interface Visit { readonly value: Json, readonly path: readonly (string | number)[] }

/** What canonical JSON cannot hold: numbers beyond a double, and half characters. */
function uncanonical(root: Json): WireBreach[] {
  const found: WireBreach[] = []
  const todo: Visit[] = [{ value: root, path: [] }]
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { value, path } = next
    if (typeof value === 'number' && !Number.isFinite(value)) found.push({ reason: 'number', path, why: 'a number is too large for JSON readers to agree on' })
    if (typeof value === 'string' && !wellFormed(value)) found.push({ reason: 'lone-surrogate', path, why: `half a character in ${quoted(value.slice(0, 80))}` })
    if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) continue
    for (const [name, item] of Object.entries(value as JsonObject)) {
      const at = [...path, Array.isArray(value) ? Number(name) : name]
      if (!wellFormed(name)) found.push({ reason: 'lone-surrogate', path: at, why: `half a character in the name ${quoted(name.slice(0, 80))}` })
      todo.push({ value: item, path: at })
    }
  }
  return found
}

const wellFormed = (text: string): boolean => !/\p{Cs}/u.test(text)

/** Reads one JSON text and lists every breach with its place, so that one bad part does not spoil the rest. `__proto__` comes back as an own property. */
export function inspectWire(text: string): WireInspection {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (error) {
    return { kind: 'bad', why: `not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  return { kind: 'json', value, breaches: [...new Scan(text).breaches, ...uncanonical(value)] }
}

/** Reads one JSON text whole or not at all: repeated members (after unescaping, at any depth), overflowing numbers, lone surrogates and absurd depth are refused. */
export function readWire(text: string): WireReading {
  const inspected = inspectWire(text)
  if (inspected.kind === 'bad') return { kind: 'bad', reason: 'syntax', why: inspected.why }
  const [breach] = inspected.breaches
  return breach ? { kind: 'bad', reason: breach.reason, why: breach.why } : inspected
}
