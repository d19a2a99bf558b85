/**
 * HTML as a value of its own: only what this tag wrote is markup. Every text that is put in, wherever it came from, is first made visible (nothing
 * that reorders a line, moves a cursor or shows as nothing) and then escaped, so that no page has to remember it.
 */
import { visible } from '../util/mask.ts'

export class Html {
  readonly text: string
  constructor(text: string) { this.text = text }
  toString(): string { return this.text }
}

export type Part = Html | string | number | undefined | false | readonly Part[]

const ENTITIES: ReadonlyMap<string, string> = new Map([['&', '&amp;'], ['<', '&lt;'], ['>', '&gt;'], ['"', '&quot;'], ['\'', '&#39;']])

/** For text between tags and for values of quoted attributes. */
export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, char => ENTITIES.get(char) ?? char)
}

/** `undefined` and `false` show nothing; a list shows its parts. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, piece, at) => text + piece + (at < parts.length ? shown(parts[at]) : ''), ''))
}

export const NOTHING = new Html('')

function shown(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === undefined || part === false) return ''
  if (typeof part === 'string') return escapeHtml(part)
  return typeof part === 'number' ? String(part) : part.map(shown).join('')
}
