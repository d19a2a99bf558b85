/** Times, figures and JSON as the page writes them. Local time: the page is read where the events happened. */
import { html, type Html } from './html.ts'

const pad = (value: number): string => String(value).padStart(2, '0')

export function dayOf(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

export function clockOf(at: number, seconds = true): string {
  const date = new Date(at)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}${seconds ? `:${pad(date.getSeconds())}` : ''}`
}

/** A time that a host gave may be no date at all. */
export function time(at: number, now: number): Html {
  if (Number.isNaN(new Date(at).getTime())) return html`<span>${String(at)}</span>`
  const iso = new Date(at).toISOString()
  return html`<time datetime="${iso}" title="${iso}">${dayOf(at) === dayOf(now) ? '' : `${dayOf(at)} `}${clockOf(at)}</time>`
}

export const score = (value: number | undefined): string => value === undefined ? '' : value.toFixed(3)

export const count = (value: number): string => value.toLocaleString('en-US')

/** `one event`, `2 events`. */
export const plural = (value: number, word: string): string => `${count(value)} ${word}${value === 1 ? '' : 's'}`

const LONGEST_JSON = 8000

/** Pretty JSON, cut where it is too long to read. */
export function json(value: unknown): Html {
  const text = JSON.stringify(value, null, 1) ?? 'undefined'
  const lines = text.slice(0, LONGEST_JSON).split('\n')
  // Line by line: a line break is ours, and one inside a value stands as \n in JSON already.
  return html`<pre class="json" tabindex="0">${lines.map((line, at) => html`${at > 0 ? NEWLINE : ''}${line}`)}${text.length > LONGEST_JSON ? html`
… (${count(text.length)} characters)` : ''}</pre>`
}

const NEWLINE = html`
`
