/** What the routes say, how often each fired or nearly did, and what holds it now. */
import { count, plural, time } from '../format.ts'
import { html, NOTHING, type Html } from '../html.ts'
import type { Breaker, RecentCalls, RoutesView } from '../ports.ts'
import type { RouteStats } from '../../log/stats.ts'
import type { Route } from '../../types.ts'
import { passphrase, word, type Acting } from './layout.ts'

export interface RoutesParts { readonly view: RoutesView | undefined, readonly stats: readonly RouteStats[], readonly recent: readonly RecentCalls[], readonly breakers: readonly Breaker[], readonly now: number, readonly acting: Acting | undefined }

const MOST_PHRASES = 60

export function routesPage({ view, stats, recent, breakers, now, acting }: RoutesParts): Html {
  const known = new Map(stats.map(one => [one.route, one]))
  const routes = [...view?.table?.routes.values() ?? []]
  const gone = stats.filter(one => !view?.table?.routes.has(one.route))
  return html`${view === undefined ? html`<p>No route files were given to this page; what the log knows about each route stands below.</p>` : NOTHING}
${view && view.problems.length > 0 ? html`<section class="alarm" aria-labelledby="bad"><h2 id="bad"><span aria-hidden="true">✖</span> The files on disk are not what is in use</h2><p>The last good routes stay in use. ${plural(view.problems.length, 'problem')}:</p><ul>${view.problems.map(problem => html`<li><code>${problem}</code></li>`)}</ul></section>` : NOTHING}
${routes.map(route => routeSection({ route, stats: known.get(route.name), recent: recent.find(one => one.route === route.name), breaker: breakers.find(one => one.route === route.name), now, acting }))}
${gone.length > 0 ? html`<section aria-labelledby="others"><h2 id="others">${view?.table ? 'Routes of the log that are not in use' : 'Routes of the log'}</h2><ul>${gone.map(one => html`<li id="${one.route}"><strong>${one.route}</strong>: ${figures(one, now)}</li>`)}</ul></section>` : NOTHING}
${routes.length === 0 && gone.length === 0 ? html`<p>No route is loaded, and none is in the log.</p>` : NOTHING}`
}

interface One { readonly route: Route, readonly stats: RouteStats | undefined, readonly recent: RecentCalls | undefined, readonly breaker: Breaker | undefined, readonly now: number, readonly acting: Acting | undefined }

function routeSection({ route, stats, recent, breaker, now, acting }: One): Html {
  const list = (title: string, sentences: readonly string[]) => sentences.length === 0 ? NOTHING : html`<details><summary>${title} (${count(sentences.length)})</summary><ul>${sentences.map(sentence => html`<li><q>${sentence}</q></li>`)}</ul></details>`
  const phrases = route.phrases.map(phrase => phrase.text)
  return html`<section aria-labelledby="${route.name}"><h2 id="${route.name}">${route.name}</h2>
<p>calls <strong>${route.tool}</strong>, hears ${route.from.join(', ')}${route.mode === 'fire' ? '' : html`, mode <strong>${route.mode}</strong>`}${route.approve === 'always' ? ', asks every time' : ''}</p>
<p>${stats ? figures(stats, now) : 'Never fired, never held.'}</p>
${breaker?.state === 'open' ? openBreaker(breaker, now, acting) : NOTHING}
<dl><dt>may cause</dt><dd>${route.allow.length === 0 ? 'nothing' : route.allow.join(', ')}</dd><dt>threshold, margin</dt><dd>${route.threshold}, ${route.margin}</dd><dt>limits</dt><dd>${limits(route, recent)}</dd>${breaker ? html`<dt>breaker</dt><dd>${breaker.state}</dd>` : NOTHING}${route.file === undefined ? NOTHING : html`<dt>file</dt><dd>${route.file.split(/[/\\]/).at(-1) ?? ''}${route.line === undefined ? '' : `:${route.line}`}</dd>`}</dl>
${route.presetBytes === '{}' ? NOTHING : html`<p>Preset, byte for byte:</p><pre class="bytes" tabindex="0">${route.presetBytes}</pre>`}
${list('Phrases', phrases.slice(0, MOST_PHRASES))}${phrases.length > MOST_PHRASES ? html`<p class="dim">${count(phrases.length - MOST_PHRASES)} more; <code>usher check --expand</code> prints all.</p>` : NOTHING}
${list('Near misses that never fire', route.not)}
${list('Tests: must fire', route.mustFire)}
${list('Tests: must not fire', route.mustNotFire)}
</section>`
}

function figures(stats: RouteStats, now: number): Html {
  const held = [...stats.held].map(([kind, times]) => `${count(times)} ${kind}`).join(', ')
  return html`● fired ${count(stats.fired)}${stats.lastFired === undefined ? NOTHING : html` (last ${time(stats.lastFired, now)})`}; ○ ${held === '' ? 'never held' : `held: ${held}`}; ◌ nearly ${count(stats.nearMisses)}${stats.falseFires > 0 ? html`; <strong>✖ ${count(stats.falseFires)} reported wrong</strong>` : NOTHING}${stats.failed > 0 ? html`; ${count(stats.failed)} failed` : NOTHING}${stats.unknown > 0 ? html`; ${count(stats.unknown)} unknown` : NOTHING}${stats.latency ? html`; ${count(stats.latency.p50)} ms at the median` : NOTHING}`
}

function openBreaker(breaker: Breaker, now: number, acting: Acting | undefined): Html {
  return html`<div class="halted"><p><strong><span aria-hidden="true">■</span> Breaker open</strong>${breaker.since === undefined ? NOTHING : html` since ${time(breaker.since, now)}`}: ${breaker.why}</p>
${acting === undefined ? NOTHING : html`<form method="post" action="/act/close-breaker">${word(acting)}<input type="hidden" name="route" value="${breaker.route}">${passphrase(`close-${breaker.route}`, acting)}<button type="submit">Close the breaker</button></form>`}</div>`
}

/** Each limit with what is used of it, and `reached` where nothing is left. */
function limits({ limits: given, maxAge }: Route, recent: RecentCalls | undefined): string {
  const used = (limit: number, calls: number | undefined) => `${limit} ${calls === undefined ? '(none used' : `(${calls} used`}${(calls ?? 0) >= limit ? ', reached)' : ')'}`
  const said = [
    given.cooldown !== undefined && `${given.cooldown / 1000} s between two calls`, given.burst !== undefined && `${given.burst} within ten seconds`,
    given.perMinute !== undefined && `a minute: ${used(given.perMinute, recent?.minute)}`, given.perHour !== undefined && `an hour: ${used(given.perHour, recent?.hour)}`, given.perDay !== undefined && `a day: ${used(given.perDay, recent?.day)}`,
    given.concurrent !== undefined && `${given.concurrent} at once`, given.depth !== undefined && `${given.depth} calls behind an event`,
  ].filter(words => words !== false)
  return [...said, `events older than ${maxAge / 1000} s are expired`].join(', ')
}
