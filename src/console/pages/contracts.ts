/** What people agreed that a server's tools are: who signed, when, and whether the server still offers just that. */
import { dayOf } from '../format.ts'
import { html, NOTHING, type Html } from '../html.ts'
import type { ContractLine, ContractsView } from '../ports.ts'

export function contractsPage(view: ContractsView | undefined): Html {
  if (view === undefined) return html`<p>No contracts were given to this page. <code>usher contract list</code> shows them.</p>`
  return html`${view.problems.length > 0 ? html`<section class="alarm" aria-labelledby="bad"><h2 id="bad"><span aria-hidden="true">✖</span> The contracts do not hold</h2><ul>${view.problems.map(problem => html`<li>${problem}</li>`)}</ul></section>` : NOTHING}
${view.lines.length === 0 ? html`<p>No tool from outside is under contract.</p>` : html`<div class="scroll" role="region" aria-label="Contracts" tabindex="0"><table><thead><tr>${['tool', 'signed by', 'signed on', 'still equal', 'state', 'why'].map(head => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${view.lines.map(line)}</tbody></table></div>`}`
}

function line(one: ContractLine): Html {
  return html`<tr><th scope="row">${one.tool}${one.hash === undefined ? NOTHING : html`<br><code class="dim">${one.hash.slice(0, 16)}</code>`}</th><td>${one.signedBy === '' ? '(nobody)' : one.signedBy}</td><td>${one.signedAt === undefined ? '' : dayOf(one.signedAt)}</td><td>${one.equal === undefined ? '? not asked' : one.equal ? '✓ yes' : '✖ no'}</td><td>${one.state}</td><td>${one.why}</td></tr>
`
}
