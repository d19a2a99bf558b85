/** What waits for a person: exactly the bytes that would be called, and what was decided before. */
import { count, json, plural, time } from '../format.ts'
import { html, NOTHING, type Html } from '../html.ts'
import type { ApprovalCard } from '../ports.ts'
import { capped } from '../../util/mask.ts'
import { passphrase, word, type Acting } from './layout.ts'

const SIGNS: Readonly<Record<ApprovalCard['state'], string>> = { waiting: '◐', approved: '●', denied: '✖', expired: '○', changed: '◇' }

export function approvalsPage(cards: readonly ApprovalCard[] | undefined, now: number, acting: Acting | undefined): Html {
  if (cards === undefined) return html`<p>This page only reads the log. <code>usher serve</code> shows what waits for you, and takes your answer.</p>`
  const waiting = cards.filter(card => card.state === 'waiting')
  const decided = cards.filter(card => card.state !== 'waiting')
  return html`<div id="live-waiting" data-live><section aria-labelledby="waiting"><h2 id="waiting">${waiting.length === 0 ? 'Nothing waits' : `${plural(waiting.length, 'call')} waiting for you`}</h2>
<p>An event, a tool's answer or a model's text that says "approved" approves nothing: only what you type here, or on a terminal.</p>
${waiting.map(card => waitingCard(card, now, acting))}</section></div>
<div id="live-decided" data-live>${decided.length === 0 ? NOTHING : html`<section aria-labelledby="decided"><h2 id="decided">Decided before</h2><ul class="cards">${decided.map(card => html`<li><span aria-hidden="true">${SIGNS[card.state]}</span> <strong>${card.state}</strong>${card.by === undefined ? '' : ` by ${card.by}`}: ${card.tool}, <q>${capped(card.words, 200)}</q>, sha256 <code>${card.hash.slice(0, 16)}</code>, asked ${time(card.at, now)} <a href="/event/${encodeURIComponent(card.eventId)}">evidence<span class="hidden"> of ${card.id}</span></a></li>`)}</ul></section>`}</div>`
}

function waitingCard(card: ApprovalCard, now: number, acting: Acting | undefined): Html {
  const left = Math.max(0, Math.round((card.expiresAt - now) / 1000))
  return html`<article class="card" aria-labelledby="card-${card.id}"><h3 id="card-${card.id}"><span aria-hidden="true">${SIGNS.waiting}</span> ${card.tool}</h3>
<p>${card.why}</p>
<dl><dt>${card.source} said</dt><dd><q>${capped(card.words, 1000)}</q></dd>${card.matched === undefined ? NOTHING : html`<dt>matched</dt><dd><q>${card.matched}</q></dd>`}${card.route === undefined ? NOTHING : html`<dt>route</dt><dd>${card.route}</dd>`}${card.effects === undefined ? NOTHING : html`<dt>may cause</dt><dd><strong>${card.effects.length === 0 ? 'nothing' : card.effects.join(', ')}</strong></dd>`}<dt>expires</dt><dd>${time(card.expiresAt, now)}, in <span data-expires="${card.expiresAt}">${count(left)}</span> s</dd><dt>evidence</dt><dd><a href="/event/${encodeURIComponent(card.eventId)}">of ${card.eventId}</a></dd></dl>
${card.args === undefined ? NOTHING : html`<p>Arguments, from the words:</p>${json(card.args)}`}${card.presetBytes === undefined || card.presetBytes === '{}' ? NOTHING : html`<p>The route's preset, verbatim:</p><pre class="bytes" tabindex="0">${card.presetBytes}</pre>`}
<p>Your yes is bound to exactly these bytes; whatever changes asks again:</p>
<pre class="bytes" tabindex="0" aria-label="Bytes of ${card.id}">${card.bytes}</pre>
<p class="dim">sha256 <code>${card.hash}</code></p>
${acting === undefined ? NOTHING : html`<form method="post" action="/act/decide" aria-label="Decide on ${card.tool}">${word(acting)}<input type="hidden" name="id" value="${card.id}"><input type="hidden" name="hash" value="${card.hash}">
<p>${passphrase(`secret-${card.id}`, acting)}<button type="submit" name="answer" value="approve">Approve these bytes</button> <button type="submit" name="answer" value="deny" class="danger">Deny</button></p></form>`}
</article>`
}
