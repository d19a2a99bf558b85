/** The pages that only read. */
import type { Hono } from './web.ts'
import type { Asking, ConsoleParts, Known } from './parts.ts'
import { actingOf, frameOf } from './frame.ts'
import { readFilter } from './filter.ts'
import { html, type Html } from './html.ts'
import { approvalsPage } from './pages/approvals.ts'
import { contractsPage } from './pages/contracts.ts'
import { eventPage } from './pages/event.ts'
import { page, type Frame } from './pages/layout.ts'
import { overviewPage } from './pages/overview.ts'
import { routesPage } from './pages/routes.ts'
import { unexplainedSection } from './pages/unexplained.ts'
import { dayWindow, windowOf } from './window.ts'
import { UsherError } from '../errors.ts'
import { capped } from '../util/mask.ts'

const LINES = 50
/** Shown whole on its page; more than that nobody reads, and `usher unexplained` prints it. */
const MOST_UNEXPLAINED = 500

export function viewRoutes(app: Hono<Known>, parts: ConsoleParts): void {
  const now = () => (parts.clock ?? Date).now()
  const show = async (context: Asking, frame: Pick<Frame, 'title' | 'place'> & Partial<Frame>, body: Html, status: 200 | 404 = 200) => context.html(page(await frameOf(context, parts, frame), body), status)

  app.get('/', async context => {
    const read = readFilter(new URL(context.req.url).searchParams, now())
    const query = (edges: readonly number[]) => parts.reads.overview({ filter: read.filter, edges, limit: LINES, ...(read.before === undefined ? {} : { before: read.before }) })
    let window = windowOf(read.filter, now())
    let overview = await query(window.edges)
    // A day on which nothing came shows the last one on which something did.
    if (window.today && overview.buckets.length === 0 && overview.newest !== undefined && Number.isFinite(new Date(overview.newest).getTime())) {
      window = dayWindow(overview.newest)
      overview = await query(window.edges)
    }
    return show(context, { title: 'Call log', place: 'today', seq: overview.seq }, overviewPage({ read, overview, window, now: now() }))
  })

  app.get('/unexplained', async context => {
    const [found, { seq }] = await Promise.all([parts.reads.unexplained(), parts.reads.news(Number.MAX_SAFE_INTEGER)])
    return show(context, { title: 'Unexplained', place: 'unexplained', seq }, html`<div id="live-unexplained" data-live>${unexplainedSection(found.slice(0, MOST_UNEXPLAINED), found.length, now(), true)}</div>`)
  })

  app.get('/event/:id', async context => {
    const id = context.req.param('id')
    const found = await parts.reads.evidence(id)
    if (found.kind === 'none') return show(context, { title: 'Not in the log', place: 'event' }, html`<p>Nothing in the log has the id <code>${capped(id, 200)}</code>. <a href="/">The call log</a></p>`, 404)
    if (found.kind === 'many') return show(context, { title: 'Several begin so', place: 'event' }, html`<ul>${found.found.map(one => html`<li><a href="/event/${encodeURIComponent(one.id)}">${one.kind} ${one.id}</a></li>`)}</ul>`)
    const table = (await parts.routes?.())?.table
    return show(context, { title: titleOf(found.evidence.asked.kind, found.evidence.asked.id), place: 'event' }, eventPage({ evidence: found.evidence, now: now(), table, acting: await actingOf(context, parts) }))
  })

  app.get('/text/:id', async context => {
    const text = await parts.reads.text(context.req.param('id'))
    return typeof text === 'string' ? context.text(text, 200, { 'content-type': 'text/plain; charset=utf-8' }) : context.text(text === null ? 'retention dropped this text\n' : 'no such event\n', 404)
  })

  app.get('/json/:id', async context => {
    const found = await parts.reads.evidence(context.req.param('id'))
    return context.json(found, found.kind === 'found' ? 200 : 404)
  })

  app.get('/routes', async context => {
    const [view, stats, recent, breakers] = await Promise.all([parts.routes?.(), parts.reads.stats(0), parts.reads.recent(now()), parts.desk?.breakers() ?? []])
    return show(context, { title: 'Routes', place: 'routes' }, routesPage({ view, stats, recent, breakers, now: now(), acting: await actingOf(context, parts) }))
  })

  app.get('/contracts', async context => show(context, { title: 'Contracts', place: 'contracts' }, contractsPage(await parts.contracts?.())))

  app.get('/approvals', async context => {
    const [cards, { seq }] = await Promise.all([parts.desk?.cards(), parts.reads.news(Number.MAX_SAFE_INTEGER)])
    return show(context, { title: 'Approvals', place: 'approvals', ...(parts.desk ? { seq } : {}) }, approvalsPage(cards, now(), await actingOf(context, parts)))
  })

  app.onError(async (error, context) => {
    // A log that cannot be read is said, with its code; anything else is a fault of the page, and its words may hold text of an event.
    if (!UsherError.is(error)) return context.text('the page failed\n', 500)
    return context.html(page(await frameOf(context, parts, { title: 'The log cannot be read', place: 'today' }), html`<p role="alert"><code>${error.code}</code> ${error.message}</p>`), 500)
  })
}

const titleOf = (kind: string, id: string): string => `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)} ${id}`
