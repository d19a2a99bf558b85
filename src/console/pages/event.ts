/** One event opened to everything that the log knows about it. */
import { count, json, plural, score, time } from '../format.ts'
import { glyph, tone } from '../glyphs.ts'
import { html, NOTHING, type Html } from '../html.ts'
import type { Evidence } from '../ports.ts'
import type { ExplainedCall } from '../../log/explain.ts'
import type { ActRecord, DecisionRecord, EffectRecord, EventRecord } from '../../log/records.ts'
import type { Json, Route, RouteTable, Span } from '../../types.ts'
import { capped } from '../../util/mask.ts'
import { OUTCOMES } from '../../vocabulary/outcomes.ts'
import { word, type Acting } from './layout.ts'
import { markedWords, shownText, type Mark } from '../words.ts'
import { meter } from './meter.ts'

export interface EventParts {
  readonly evidence: Evidence
  readonly now: number
  /** What is in use now; a decision under other routes says so. */
  readonly table: RouteTable | undefined
  /** For "Was this right?"; undefined: nothing can be done here. */
  readonly acting: Acting | undefined
}

export function eventPage({ evidence, now, table, acting }: EventParts): Html {
  const { event, decisions, calls, causes, effect, acts } = evidence
  return html`${effect ? html`<section aria-labelledby="effect"><h2 id="effect">The effect</h2>${effects([effect], now)}</section>` : NOTHING}
${event ? words(event, decisions, now) : html`<p>No event is behind it.</p>`}
${decisions.map(decision => decisionSection(decision, event, table))}
${calls.map(call => callSection(call, acts, now, acting))}
${causes.length > 0 ? html`<section aria-labelledby="causes"><h2 id="causes">Caused by</h2><ol class="causes">${causes.map(step => html`<li><a href="/event/${encodeURIComponent(step.call.callId)}">call ${step.call.callId}</a> of ${step.call.tool}, by ${step.call.by}${step.event ? html`, on ${step.event.source}: <q>${capped(step.event.text ?? '(dropped)', 300)}</q>` : NOTHING}</li>`)}</ol></section>` : NOTHING}
${acts.length > 0 ? html`<section aria-labelledby="acts"><h2 id="acts">What people did</h2><ul>${acts.map(act => html`<li>${time(act.at, now)} ${act.who}: ${act.act} ${act.about} ${json(act.detail)}</li>`)}</ul></section>` : NOTHING}
<p><a href="/json/${encodeURIComponent(evidence.asked.id)}">All of it as JSON</a></p>`
}

function words(event: EventRecord, decisions: readonly DecisionRecord[], now: number): Html {
  const marks = event.masked ? [] : decisions.flatMap(marksOf)
  const text = event.text
  const cut = text !== null && text.length < event.textLength
  return html`<section aria-labelledby="words"><h2 id="words">The words</h2>
<p>${event.source}, ${time(event.at, now)}, ${plural(event.textLength, 'character')}${event.causedBy === undefined ? NOTHING : html`, caused by <a href="/event/${encodeURIComponent(event.causedBy)}">${event.causedBy}</a>`}</p>
${text === null ? html`<p>(dropped by retention)</p>` : html`<blockquote class="said-words" tabindex="0">${text === '' ? '(no words)' : markedWords(text, marks)}${cut ? html`<span class="cut">… cut here</span>` : NOTHING}</blockquote>`}
${cut ? html`<p>The first ${count(text.length)} of ${count(event.textLength)} characters. <a href="/text/${encodeURIComponent(event.eventId)}">All of them, as plain text</a></p>` : NOTHING}
${event.masked ? html`<p>A secret in it is masked, so no places are marked.</p>` : NOTHING}
${marks.length > 0 && text !== null ? html`<ul class="marks">${marks.map(mark => html`<li>${mark.kind === 'ask' ? mark.label : html`<code>${mark.label}</code>`}: <q>${shownText(capped(text.slice(mark.span.start, mark.span.end), 300))}</q> <span class="dim">characters ${mark.span.start} to ${mark.span.end}</span></li>`)}</ul>` : NOTHING}
${event.malformed === undefined ? NOTHING : html`<p class="wrong">${glyph('malformed')} not an event: ${event.malformed}</p>`}
<dl><dt>event</dt><dd>${event.eventId}</dd><dt>sender's id</dt><dd>${capped(event.senderId, 300)}</dd></dl>
${event.data === undefined ? NOTHING : html`<details><summary>Data that came with it</summary>${json(event.data)}</details>`}
</section>`
}

function marksOf(decision: DecisionRecord): readonly Mark[] {
  const ask = decision.span === undefined ? [] : [{ kind: 'ask' as const, label: decision.callId === undefined ? `read for "${decision.phrase ?? ''}"` : `asks, as "${decision.phrase ?? ''}"`, span: decision.span }]
  return [...ask, ...Object.entries(decision.origins).flatMap(([path, origin]): Mark[] => {
    const span = spanOf(origin)
    return span && heardIn(origin) === undefined ? [{ kind: 'arg', label: path.replace(/^\//, ''), span }] : []
  })]
}

/** The other event whose words an argument came from, where it is not this one's: an answered question. */
function heardIn(origin: Json): string | undefined {
  const eventId = typeof origin === 'object' && origin !== null && 'eventId' in origin ? origin['eventId'] : undefined
  return typeof eventId === 'string' ? eventId : undefined
}

function spanOf(origin: Json): Span | undefined {
  const span = typeof origin === 'object' && origin !== null && 'span' in origin ? origin['span'] : undefined
  if (typeof span !== 'object' || span === null || !('start' in span) || !('end' in span)) return undefined
  const { start, end } = span
  return typeof start === 'number' && typeof end === 'number' ? { start, end } : undefined
}

function decisionSection(decision: DecisionRecord, event: EventRecord | undefined, table: RouteTable | undefined): Html {
  const route = decision.route === undefined ? undefined : table?.routes.get(decision.route)
  const entry = OUTCOMES[decision.kind]
  const reason = Object.hasOwn(entry.reasons, decision.reason) ? (entry.reasons as { readonly [reason: string]: string })[decision.reason] : ''
  return html`<section aria-labelledby="${decision.decisionId}"><h2 id="${decision.decisionId}" class="${tone(decision.kind)}"><span aria-hidden="true">${glyph(decision.kind)}</span> Decision: ${decision.kind}</h2>
<p>${decision.why}</p>
<dl><dt>reason</dt><dd>${decision.reason}${reason === '' ? '' : html`: ${reason}`}</dd>
${decision.route === undefined ? NOTHING : html`<dt>route</dt><dd><a href="/routes#${encodeURIComponent(decision.route)}">${decision.route}</a> for ${decision.tool ?? '?'}${table && table.hash !== decision.tableHash ? html` <span class="dim">(decided under other routes than those in use now)</span>` : NOTHING}</dd>`}
${decision.phrase === undefined ? NOTHING : html`<dt>matched phrase</dt><dd><q>${decision.phrase}</q></dd>`}
${decision.question === undefined ? NOTHING : html`<dt>question</dt><dd>${decision.question}</dd>`}
${decision.answers === undefined ? NOTHING : html`<dt>answers</dt><dd><a href="/event/${encodeURIComponent(decision.answers)}">${decision.answers}</a></dd>`}
${decision.kind === 'needs-approval' || decision.kind === 'offered' ? html`<dt>card</dt><dd><a href="/approvals#card-${decision.decisionId}">under approvals, while it waits</a></dd>` : NOTHING}
<dt>next</dt><dd>${entry.next}</dd></dl>
${scores(decision, route, table)}
${decision.reading.length > 0 ? html`<h3>How the words were read</h3><ol>${decision.reading.map(step => html`<li>${step}</li>`)}</ol>` : NOTHING}
${decision.gate.length > 0 ? html`<h3>The gate</h3><ol class="gate">${decision.gate.map(step => html`<li class="${step.passed ? 'ran' : 'held'}"><span aria-hidden="true">${step.passed ? '✓' : '✖'}</span> <strong>${step.rule}</strong> ${step.passed ? 'passed' : 'held'}: ${step.detail}</li>`)}</ol>` : NOTHING}
${argumentsTable(decision, event)}
${decision.presetBytes === undefined || decision.presetBytes === '{}' ? NOTHING : html`<h3>The preset, byte for byte</h3><pre class="bytes" tabindex="0">${decision.presetBytes}</pre>`}
${decision.reader === undefined ? NOTHING : html`<details><summary>The second reader</summary>${json(decision.reader)}</details>`}
${decision.head === undefined ? NOTHING : html`<details><summary>The fitted head of the route</summary>${json(decision.head)}</details>`}
</section>`
}

/** Scores against what they had to reach. */
function scores(decision: DecisionRecord, route: Route | undefined, table: RouteTable | undefined): Html {
  const lines: Html[] = []
  const line = (what: string, name: string, phrase: string, value: number, threshold: number | undefined, why: string) => html`<tr><th scope="row">${what}</th><td>${name}</td><td><q>${phrase}</q></td><td>${meter(value, threshold)} ${score(value)}</td><td>${threshold === undefined ? '?' : `${score(threshold)}${value >= threshold ? ', reached' : ', missed'}`}</td><td>${why}</td></tr>
`
  if (decision.score !== undefined) lines.push(line('best', decision.route ?? '', decision.phrase ?? '', decision.score, route?.threshold, decision.reason))
  const { runnerUp } = decision
  if (runnerUp) lines.push(line('runner-up', runnerUp.route, runnerUp.phrase, runnerUp.score, table?.routes.get(runnerUp.route)?.threshold, decision.margin === undefined ? '' : `${score(decision.margin)} behind${route ? `; the margin is ${score(route.margin)}` : ''}`))
  for (const near of decision.nearMisses) lines.push(line('near miss', near.route, near.phrase, near.score, near.threshold, near.reason))
  if (lines.length === 0) return NOTHING
  return html`<h3>Scores and near misses</h3><p class="dim">Scores find the candidates, and fire only routes without effects; a route with effects is fired by the words.</p><div class="scroll" role="region" aria-label="Scores of ${decision.decisionId}" tabindex="0"><table><thead><tr><th scope="col"><span class="hidden">what</span></th><th scope="col">route</th><th scope="col">phrase</th><th scope="col">score</th><th scope="col">threshold</th><th scope="col">why</th></tr></thead><tbody>
${lines}</tbody></table></div>`
}

function argumentsTable({ args, origins }: DecisionRecord, event: EventRecord | undefined): Html {
  if (args === undefined || Object.keys(args).length === 0) return NOTHING
  return html`<h3>Arguments</h3><div class="scroll" role="region" aria-label="Arguments" tabindex="0"><table><thead><tr><th scope="col">name</th><th scope="col">value</th><th scope="col">from</th></tr></thead><tbody>
${Object.entries(args).map(([name, value]) => {
    const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return html`<tr><th scope="row">${name}</th><td><code>${capped(JSON.stringify(value), 1000)}</code></td><td>${originOf(origins, path, event)}</td></tr>
`
  })}</tbody></table></div>`
}

function originOf(origins: DecisionRecord['origins'], path: string, event: EventRecord | undefined): Html {
  const found = Object.entries(origins).filter(([key]) => key === path || key.startsWith(`${path}/`))
  if (found.length === 0) return html`not recorded`
  return html`${found.map(([, origin]) => {
    const { kind, how } = origin as { readonly kind?: string, readonly how?: string }
    const span = spanOf(origin)
    if (!span) return html`<span>${kind === 'preset' ? 'the route\'s preset, verbatim' : `the ${kind ?? '?'}`}</span> `
    const elsewhere = heardIn(origin)
    if (elsewhere !== undefined) return html`<span>the words of <a href="/event/${encodeURIComponent(elsewhere)}">${elsewhere}</a>, characters ${span.start} to ${span.end}${how === undefined ? '' : ` (${how})`}</span> `
    const text = event?.masked === true ? undefined : event?.text?.slice(span.start, span.end)
    return html`<span>the words${text === undefined ? '' : html` <q>${shownText(capped(text, 300))}</q>`}, characters ${span.start} to ${span.end}${how === undefined ? '' : ` (${how})`}</span> `
  })}`
}

function callSection({ call, outcome, outcomes, effects: seen }: ExplainedCall, acts: readonly ActRecord[], now: number, acting: Acting | undefined): Html {
  const state = outcome?.kind ?? 'in-flight'
  const reported = acts.filter(act => act.act === 'report' && act.about === call.callId)
  return html`<section aria-labelledby="${call.callId}"><h2 id="${call.callId}" class="${tone(state)}"><span aria-hidden="true">${glyph(state)}</span> Call: ${state}</h2>
<p>${call.tool}, by ${call.by}${call.who === undefined ? '' : ` (${call.who})`}, ${time(call.at, now)}${outcome ? html`: ${outcome.why} (${count(outcome.ms)} ms)` : ': still in flight'}</p>
${outcomes.length > 1 ? html`<p>Before: ${outcomes.slice(0, -1).map(one => html`${one.kind} (${one.why}) `)}</p>` : NOTHING}
<dl><dt>call</dt><dd>${call.callId}</dd><dt>asked for</dt><dd>${call.askedBy === 'reader' ? '✓ yes, by the second reader alone' : call.explicit ? '✓ yes, in words' : '✖ no'}</dd><dt>may cause</dt><dd>${call.allowed === null ? 'undeclared' : call.allowed.join(', ') || 'nothing'}</dd>
${call.ignoredKeys === undefined ? NOTHING : html`<dt>ignored keys</dt><dd>${call.ignoredKeys.join(', ')}</dd>`}${call.contractHash === undefined ? NOTHING : html`<dt>contract</dt><dd><code>${call.contractHash}</code></dd>`}</dl>
<h3>What was called</h3>${json(call.args)}
<h3>Effects</h3>${seen.length === 0 ? html`<p>None was seen.</p>` : effects(seen, now)}
${outcome?.result === undefined ? NOTHING : html`<details><summary>Result</summary>${json(outcome.result)}</details>`}
${reported.map(act => html`<p class="wrong">✖ ${act.who} said that this should not have happened: ${wrongOf(act)}</p>`)}
${acting && outcome !== undefined && reported.length === 0 ? wasItRight(call.callId, acting) : NOTHING}
</section>`
}

function wrongOf({ detail }: ActRecord): string {
  const wrong = detail['wrong']
  return typeof wrong === 'string' ? wrong : ''
}

function wasItRight(callId: string, acting: Acting): Html {
  return html`<form class="right" method="post" action="/act/report" aria-label="Was this right?"><h3>Was this right?</h3>${word(acting)}<input type="hidden" name="call" value="${callId}">
<p><label for="wrong-${callId}">If not, why not</label> <input id="wrong-${callId}" name="wrong" required maxlength="500" autocomplete="off"> <button type="submit">It should not have happened</button></p>
<p class="dim">Kept in the log, and the route fires no more until you close its breaker; the words are offered as a <code>must_not_fire</code> line in the review folder.</p></form>`
}

function effects(seen: readonly EffectRecord[], now: number): Html {
  return html`<ul class="effects">${seen.map(effect => html`<li><span aria-hidden="true">${effect.blocked ? '⊘' : '▲'}</span> <strong>${effect.kind}</strong> ${capped(effect.target, 500)} ${effect.blocked ? html`<strong>stopped before it happened</strong>` : 'happened'}, ${time(effect.at, now)}, seen by ${effect.watcher}${effect.callId === null ? `, ${effect.background === undefined ? 'no call was in flight' : `background: ${effect.background}`}` : ''}</li>`)}</ul>`
}
