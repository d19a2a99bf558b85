/** The first page: what needs a look, the picture, the list. */
import { html, NOTHING, type Html } from '../html.ts'
import type { ReadFilter } from '../filter.ts'
import type { Overview } from '../ports.ts'
import type { Window } from '../window.ts'
import { count } from '../format.ts'
import { entryList, filterForm } from './entries.ts'
import { timeline } from './timeline.ts'
import { unexplainedSection } from './unexplained.ts'

export interface OverviewPage { readonly read: ReadFilter, readonly overview: Overview, readonly window: Window, readonly now: number }

/** Each part with `data-live` is put in anew when news come; the filter is not, so that nothing is typed in vain. */
export function overviewPage({ read, overview, window, now }: OverviewPage): Html {
  const behind = overview.seq < overview.last
  return html`<div id="live-unexplained" data-live>${unexplainedSection(overview.unexplained, overview.unexplainedTotal, now, false)}</div>
<div id="live-progress" data-live>${behind ? html`<p class="warning">The log is being read: row ${count(overview.seq)} of ${count(overview.last)}. What follows is incomplete. <a href="">Look again</a></p>` : NOTHING}</div>
<div id="live-picture" data-live>${timeline(overview.buckets, overview.unexplained, window)}</div>
${filterForm(read, overview)}
<div id="live-list" data-live>${entryList(read, overview, now)}</div>`
}
