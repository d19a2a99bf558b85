/** What the filler may look at: the visible schema, the event's words and time, and nothing of a tool's preset-only parameters (`fill:blind`). */
import type { Capture, JsonObject, ListValue } from '../types.ts'

export interface FillInput {
  readonly visible: JsonObject
  readonly text: string
  readonly captures: readonly Capture[]
  /** The event's time, ms since 1970. */
  readonly at: number
  /** IANA name of the owner's zone; default: the machine's. */
  readonly timeZone?: string
  readonly lists?: ReadonlyMap<string, readonly ListValue[]>
  /** Visible property -> name of the list with its synonyms. */
  readonly synonyms?: ReadonlyMap<string, string>
  /** Top-level keys that the route presets: taken out of what the filler sees. */
  readonly presetKeys?: ReadonlySet<string>
}

export interface Context {
  readonly root: JsonObject
  readonly text: string
  readonly at: number
  readonly timeZone: string
  readonly lists: ReadonlyMap<string, readonly ListValue[]>
  readonly synonyms: ReadonlyMap<string, string>
}

export function contextOf(input: FillInput, root: JsonObject): Context {
  return { root, text: input.text, at: input.at, timeZone: input.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone, lists: input.lists ?? new Map(), synonyms: input.synonyms ?? new Map() }
}
