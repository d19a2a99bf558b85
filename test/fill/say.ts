/** Short forms for the filler's tests. */
import { fill, type FillInput } from '../../src/fill/fill.ts'
import type { Capture, Filled, JsonObject, Slot } from '../../src/types.ts'

/** Monday, 30 November 2026, 16:00 in Berlin. */
export const AT = Date.parse('2026-11-30T15:00:00Z')

/** A slot that captured `said`, where it first stands in the text. */
export function capture(text: string, name: string, said: string, slot: Omit<Slot, 'name'> = {}): Capture {
  const start = text.indexOf(said)
  if (start < 0) throw new Error(`"${said}" is not in "${text}"`)
  return { slot: { name, ...slot }, text: said, span: { start, end: start + said.length } }
}

/** Every property required, unless `required` says otherwise. */
export function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), ...more }
}

export function say(visible: JsonObject, text: string, more: Partial<FillInput> = {}): Filled {
  return fill({ visible, text, captures: [], at: AT, timeZone: 'Europe/Berlin', ...more })
}

/** The arguments, or what stopped them: `unfilled /path reason`. */
export function args(filled: Filled): JsonObject | string {
  return filled.kind === 'filled' ? filled.args : `unfilled ${filled.empty.map(({ path, reason }) => `${path} ${reason}`)[0] ?? ''}`
}

/** Path -> the characters that its value came from. */
export function spans(filled: Filled, text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(filled.filled.map(({ path, start, end }) => [path, text.slice(start, end)]))
}
