/** The list: one line for each decision, newest first, with its filters. */
import { count, plural, time } from '../format.ts'
import { filterQuery, type FilterName, type ReadFilter } from '../filter.ts'
import { glyph, tone } from '../glyphs.ts'
import { html, NOTHING, type Html } from '../html.ts'
import { ENTRY_TEXT, type Entry, type Overview } from '../ports.ts'
import { OUTCOMES } from '../../vocabulary/outcomes.ts'
import { capped } from '../../util/mask.ts'

export function filterForm({ typed, problems }: ReadFilter, overview: Pick<Overview, 'sources' | 'routes' | 'tools'>): Html {
  const value = (name: FilterName) => typed.get(name) ?? ''
  const field = (name: 'source' | 'route' | 'tool', list: readonly string[]) => html`<p><label for="f-${name}">${name}</label> <input id="f-${name}" name="${name}" list="l-${name}" value="${value(name)}" autocomplete="off"><datalist id="l-${name}">${list.map(one => html`<option value="${one}"></option>`)}</datalist></p>`
  return html`<form class="filter" method="get" action="/" role="search" aria-label="Filter the list">
<p class="wide"><label for="f-text">words</label> <input id="f-text" name="text" type="search" value="${value('text')}" autocomplete="off"></p>
<p><label for="f-outcome">outcome</label> <select id="f-outcome" name="outcome"><option value="">any</option>${[...Object.keys(OUTCOMES), 'in-flight'].map(kind => html`<option value="${kind}"${kind === value('outcome') ? html` selected` : ''}>${kind}</option>`)}</select></p>
${field('source', overview.sources)}
${field('route', overview.routes)}
${field('tool', overview.tools)}
<p><label for="f-since">since</label> <input id="f-since" name="since" value="${value('since')}" placeholder="today, 7d, 90m" autocomplete="off"></p>
<p><label for="f-until">until</label> <input id="f-until" name="until" value="${value('until')}" autocomplete="off"></p>
<p class="check"><label><input type="checkbox" name="effects" value="1"${value('effects') === '1' ? html` checked` : ''}> with effects only</label></p>
<p><button type="submit">Filter</button> ${typed.size > 0 ? html`<a href="/">all</a>` : NOTHING}</p>
</form>
${problems.length > 0 ? html`<ul class="problems" role="alert">${problems.map(problem => html`<li>${problem}</li>`)}</ul>` : NOTHING}`
}

export function entryList(read: ReadFilter, overview: Overview, now: number): Html {
  const { entries, older, total } = overview
  const shown = total === undefined ? '' : `${plural(total, 'line')}${read.typed.size > 0 ? ' fit' : ''}, newest first.`
  return html`<section aria-labelledby="lines"><h2 id="lines">${read.typed.size > 0 ? 'What fits the filter' : 'Everything'}</h2>
<p>${shown}${read.before === undefined ? '' : html` <a href="/${filterQuery(read.typed)}">to the newest</a>`}</p>
${entries.length === 0 ? html`<p>Nothing in the log fits.</p>` : table(entries, now)}
${older === undefined ? NOTHING : html`<p><a rel="next" class="next" href="/${filterQuery(read.typed, { before: String(older) })}">Older lines</a></p>`}
</section>`
}

/** Roles are written out: narrow windows show the rows as blocks, which would take them away. */
function table(entries: readonly Entry[], now: number): Html {
  return html`<table class="entries" role="table"><thead role="rowgroup"><tr role="row">${['time', 'source', 'words', 'outcome', 'tool', 'effects', 'why'].map(head => html`<th scope="col" role="columnheader">${head}</th>`)}</tr></thead><tbody role="rowgroup">
${entries.map(entry => line(entry, now))}</tbody></table>`
}

function line(entry: Entry, now: number): Html {
  const words = wordsOf(entry)
  return html`<tr role="row" class="${tone(entry.outcome)}"><td role="cell" class="when">${time(entry.at, now)}</td><td role="cell" class="from">${entry.source}</td><td role="cell" class="words"><a class="line" href="/event/${encodeURIComponent(entry.id)}">${words}</a></td><td role="cell" class="what"><span aria-hidden="true">${glyph(entry.outcome)}</span> ${entry.outcome}</td><td role="cell" class="tool">${entry.tool ?? ''}</td><td role="cell" class="effects">${effects(entry)}</td><td role="cell" class="why">${capped(entry.why, ENTRY_TEXT)}</td></tr>
`
}

function wordsOf({ text, textLength, id }: Entry): string {
  if (text === undefined) return `(no event) ${id}`
  if (text === null) return '(dropped by retention)'
  if (text.trim() === '') return `(no words) ${id}`
  const length = textLength ?? text.length
  return length > ENTRY_TEXT ? `${text.slice(0, ENTRY_TEXT)}… (${count(length)} characters)` : text
}

function effects({ effects: happened, stopped }: Entry): Html {
  if (happened === 0 && stopped === 0) return NOTHING
  return html`${happened > 0 ? html`<span aria-hidden="true">▲</span><span class="hidden">effects:</span> ${count(happened)}` : NOTHING}${stopped > 0 ? html` <span aria-hidden="true">⊘</span> <span>${count(stopped)} stopped</span>` : NOTHING}`
}
