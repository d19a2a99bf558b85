/** What fired and what was held, by source and time, with the effects, in one picture; the same figures as a table below it. */
import { clockOf, count, dayOf, plural } from '../format.ts'
import { html, NOTHING, type Html } from '../html.ts'
import type { Bucket } from '../ports.ts'
import type { Unexplained } from '../../log/unexplained.ts'
import type { Window } from '../window.ts'

const LABEL = 112
const COLUMN = 34
const ROW = 46
const TOP = 22
const BAR = 12
const TALLEST = 24
const MOST_SOURCES = 10
const NOBODY = '(no event)'

interface Square { readonly fired: number, readonly held: number, readonly effects: number, readonly stopped: number, readonly unexplained: number }
const EMPTY: Square = { fired: 0, held: 0, effects: 0, stopped: 0, unexplained: 0 }

export function timeline(buckets: readonly Bucket[], unexplained: readonly Unexplained[], window: Window): Html {
  const columns = window.edges.slice(0, -1)
  const rows = rowsOf(buckets, unexplained, window)
  const total = [...rows.values()].flatMap(row => [...row.values()]).reduce(sum, EMPTY)
  const title = titleOf(window)
  if (rows.size === 0) return html`<section aria-labelledby="picture"><h2 id="picture">${title}</h2><p>Nothing came in this time.</p></section>`
  return html`<section aria-labelledby="picture"><h2 id="picture">${title}</h2>
<p>${count(total.fired)} fired, ${count(total.held)} held, ${plural(total.effects, 'effect')}${total.stopped > 0 ? `, ${count(total.stopped)} stopped` : ''}${total.unexplained > 0 ? `, ${count(total.unexplained)} unexplained` : ''}.</p>
<div class="scroll" role="region" aria-label="The picture, by source and time" tabindex="0">
<svg class="timeline" role="img" aria-labelledby="picture-name" viewBox="0 0 ${LABEL + columns.length * COLUMN} ${TOP + rows.size * ROW}" width="${LABEL + columns.length * COLUMN}" height="${TOP + rows.size * ROW}">
<title id="picture-name">${title}: ${count(total.fired)} fired and ${count(total.held)} held, by source and time. The table below has the figures.</title>
<defs><pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="4" height="4" class="held-back"/><path d="M0 0v4" class="held-line"/></pattern></defs>
${columns.map((at, n) => html`<text x="${LABEL + n * COLUMN + COLUMN / 2}" y="14" class="axis" text-anchor="middle">${tick(at, window, n)}</text>`)}
${[...rows].map(([source, row], n) => rowPicture(source, row, columns, n, [...rows.values()]))}
</svg></div>
<p class="legend"><span><svg aria-hidden="true" width="12" height="12"><rect width="12" height="12" class="fired"/></svg> fired</span> <span><svg aria-hidden="true" width="12" height="12"><rect x=".5" y=".5" width="11" height="11" class="held" fill="url(#hatch)"/></svg> held</span> <span><span aria-hidden="true">▲</span> effects</span> <span><span aria-hidden="true">⊘</span> stopped</span> <span><span aria-hidden="true">‼</span> unexplained</span></p>
${asTable(rows, columns, window)}
</section>`
}

function rowsOf(buckets: readonly Bucket[], unexplained: readonly Unexplained[], window: Window): Map<string, Map<number, Square>> {
  const totals = new Map<string, number>()
  for (const { source, fired, held } of buckets) totals.set(source, (totals.get(source) ?? 0) + fired + held)
  const shown = [...totals].sort((a, b) => b[1] - a[1]).slice(0, MOST_SOURCES).map(([source]) => source)
  const rows = new Map<string, Map<number, Square>>(shown.sort().map(source => [source, new Map()]))
  const put = (source: string, at: number, square: Square): void => {
    const name = source === NOBODY || rows.has(source) ? source : 'others'
    const row = rows.get(name) ?? new Map<number, Square>()
    row.set(at, sum(row.get(at) ?? EMPTY, square))
    rows.set(name, row)
  }
  for (const { source, at, ...square } of buckets) put(source === '' ? NOBODY : source, at, { ...square, unexplained: 0 })
  for (const one of unexplained) {
    const column = window.edges.findLast(edge => edge <= one.at)
    if (column !== undefined && one.at < (window.edges.at(-1) ?? 0)) put(one.source?.split(':')[0] ?? NOBODY, column, { ...EMPTY, unexplained: 1 })
  }
  return rows
}

function rowPicture(source: string, row: ReadonlyMap<number, Square>, columns: readonly number[], n: number, all: readonly ReadonlyMap<number, Square>[]): Html {
  const most = Math.max(1, ...all.flatMap(other => [...other.values()].flatMap(square => [square.fired, square.held])))
  const y = TOP + n * ROW
  // By the root, so that one call still shows beside a thousand that were held.
  const height = (value: number) => value === 0 ? 0 : Math.max(3, Math.round(Math.sqrt(value / most) * TALLEST))
  const bar = (x: number, value: number, kind: 'fired' | 'held') => value === 0 ? NOTHING : html`<rect x="${x}" y="${y + ROW - 16 - height(value)}" width="${BAR}" height="${height(value)}" class="${kind}"${kind === 'held' ? html` fill="url(#hatch)"` : ''}/><text x="${x + BAR / 2}" y="${y + ROW - 18 - height(value)}" class="figure" text-anchor="middle">${short(value)}</text>`
  return html`<g><path d="M0 ${y + ROW - 15.5}H${LABEL + columns.length * COLUMN}" class="line"/><text x="0" y="${y + ROW - 22}" class="source">${source.length > 15 ? `${source.slice(0, 14)}…` : source}</text>
${columns.map((at, column) => {
    const square = row.get(at)
    if (!square) return NOTHING
    const x = LABEL + column * COLUMN
    const signs = [square.unexplained > 0 ? '‼' : '', square.stopped > 0 ? '⊘' : '', square.effects > 0 ? '▲' : ''].join('')
    return html`${bar(x + 4, square.fired, 'fired')}${bar(x + 18, square.held, 'held')}${signs === '' ? NOTHING : html`<text x="${x + COLUMN / 2}" y="${y + ROW - 4}" class="${square.unexplained > 0 ? 'signs alarm' : 'signs'}" text-anchor="middle">${signs}</text>`}`
  })}</g>`
}

function asTable(rows: ReadonlyMap<string, ReadonlyMap<number, Square>>, columns: readonly number[], window: Window): Html {
  const end = (at: number) => window.edges[window.edges.indexOf(at) + 1] ?? at
  const lines = columns.flatMap(at => [...rows].flatMap(([source, row]) => {
    const square = row.get(at)
    if (!square) return []
    const named = source !== NOBODY && source !== 'others'
    const where = `/?${new URLSearchParams({ ...(named ? { source } : {}), since: String(at), until: String(end(at)) }).toString()}`
    return [html`<tr><td><a href="${where}">${named ? source : `${source}, all sources`} ${span(at, end(at), window)}</a></td><td>${count(square.fired)}</td><td>${count(square.held)}</td><td>${count(square.effects)}</td><td>${count(square.stopped)}</td><td>${count(square.unexplained)}</td></tr>
`]
  }))
  return html`<details id="picture-table"><summary>The picture as a table</summary><div class="scroll" role="region" aria-label="The picture as a table" tabindex="0"><table><thead><tr><th scope="col">source and time</th><th scope="col">fired</th><th scope="col">held</th><th scope="col">effects</th><th scope="col">stopped</th><th scope="col">unexplained</th></tr></thead><tbody>
${lines}</tbody></table></div></details>`
}

function sum(one: Square, other: Square): Square {
  return { fired: one.fired + other.fired, held: one.held + other.held, effects: one.effects + other.effects, stopped: one.stopped + other.stopped, unexplained: one.unexplained + other.unexplained }
}

function titleOf({ today, edges }: Window): string {
  const [first] = edges
  const last = edges.at(-1)
  if (first === undefined || last === undefined) return 'No time'
  if (today) return `Today, ${dayOf(first)}`
  // An end at midnight is the end of the day before.
  if (clockOf(first) === '00:00:00' && dayOf(last - 1) === dayOf(first)) return dayOf(first)
  return `${dayOf(first)} ${clockOf(first, false)} to ${dayOf(last)} ${clockOf(last, false)}`
}

const short = (value: number): string => value < 1000 ? String(value) : `${Math.round(value / 1000)}k`

function tick(at: number, { unit }: Window, n: number): string {
  if (unit === 'hour') return clockOf(at, false).slice(0, 2)
  return unit === 'day' || n % 3 === 0 ? dayOf(at).slice(5) : ''
}

const span = (from: number, until: number, { unit }: Window): string => unit === 'hour' ? `${clockOf(from, false)} to ${clockOf(until, false)}` : `${dayOf(from)} to ${dayOf(until)}`
