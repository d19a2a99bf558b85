/** Which side effects had no explicit ask behind them? First on the page, also when the answer is: none. */
import { count, time } from '../format.ts'
import { html, NOTHING, type Html } from '../html.ts'
import type { Unexplained } from '../../log/unexplained.ts'
import { capped } from '../../util/mask.ts'
import { more } from './layout.ts'

const LONGEST = 300
/** On the first page. */
const FIRST = 10

export function unexplainedSection(found: readonly Unexplained[], total: number, now: number, all: boolean): Html {
  if (total === 0) return html`<section class="calm" aria-labelledby="unexplained"><h2 id="unexplained">Unexplained</h2><p><span aria-hidden="true">✓</span> None: every effect in the log has an explicit ask behind it.</p></section>`
  const shown = all ? found : found.slice(0, FIRST)
  return html`<section class="alarm" aria-labelledby="unexplained"><h2 id="unexplained"><span aria-hidden="true">‼</span> ${count(total)} unexplained</h2>
<p>Effects with no explicit ask behind them, and calls that nobody knows the end of: ${more(shown.length, total, 'case')}, worst first.${all ? '' : html` <a href="/unexplained">All</a>`}</p>
<ol class="cases">${shown.map(one => html`<li>
<p><strong>${one.reason}</strong> <a class="line" href="/event/${encodeURIComponent(one.id)}">${one.kind === undefined ? `call of ${one.tool ?? '?'}` : `${one.kind} ${capped(one.target ?? '', LONGEST)}`}</a> ${time(one.at, now)}${one.tool === undefined ? '' : html` by ${one.tool}`}${one.source === undefined ? NOTHING : html`, from ${one.source}: <q>${capped(one.text ?? '(dropped)', LONGEST)}</q>`}</p>
<p class="next"><span class="hidden">Evidence: </span>${capped(one.evidence, LONGEST)}${one.evidence === '' ? '' : '. '}Next: ${capped(one.nextStep, LONGEST)}</p></li>
`)}</ol></section>`
}
