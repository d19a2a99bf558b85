/** An event's words with what was read in them marked: by brackets and underline, so that it shows without colour too. */
import { visible } from '../util/mask.ts'
import type { Span } from '../types.ts'
import { html, type Html } from './html.ts'

/** `ask`: the clause that asks, or that speaks against it. `arg`: where an argument came from. */
export interface Mark { readonly kind: 'ask' | 'arg', readonly label: string, readonly span: Span }

/** @param text may be cut: what lies behind its end is not marked */
export function markedWords(text: string, marks: readonly Mark[]): Html {
  const inside = marks.filter(({ span }) => span.start >= 0 && span.start < span.end && span.start < text.length)
  const cuts = [...new Set([0, text.length, ...inside.flatMap(({ span }) => [span.start, Math.min(span.end, text.length)])])].sort((a, b) => a - b)
  return html`${cuts.slice(0, -1).map((start, at) => piece(text, { start, end: cuts[at + 1] ?? text.length }, inside))}`
}

function piece(text: string, { start, end }: Span, marks: readonly Mark[]): Html {
  const words = shownText(text.slice(start, end))
  const here = marks.filter(({ span }) => span.start <= start && span.end >= end)
  const asks = here.some(mark => mark.kind === 'ask')
  const args = here.filter(mark => mark.kind === 'arg')
  if (args.length === 0) return asks ? html`<mark class="ask">${words}</mark>` : words
  const opens = args.filter(({ span }) => span.start === start)
  const closes = args.filter(({ span }) => Math.min(span.end, text.length) === end)
  return html`<mark class="${asks ? 'ask arg' : 'arg'}">${opens.map(mark => html`<span class="tag">[${mark.label}:</span>`)}${words}${closes.map(() => html`<span class="tag">]</span>`)}</mark>`
}

/** Line breaks stay, with a sign; whatever else cannot be seen stands as its escape, told apart from the same characters typed. */
export function shownText(text: string): Html {
  const parts: Html[] = []
  let plain = ''
  const flush = (): void => { if (plain !== '') parts.push(html`${plain}`); plain = '' }
  for (const char of text) {
    const shown = visible(char)
    if (shown === char) { plain += char; continue }
    flush()
    parts.push(char === '\n' ? LINE_BREAK : html`<span class="esc">${shown}</span>`)
  }
  flush()
  return html`${parts}`
}

const LINE_BREAK = html`<span class="esc">↵</span>
`
