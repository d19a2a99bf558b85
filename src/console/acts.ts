/** What a person may do here. Each act is a form of this page, with the session's word and the passphrase typed for it. */
import type { JsonObject } from '../types.ts'
import type { Hono } from './web.ts'
import { equal } from './access.ts'
import type { Asking, ConsoleParts, Known } from './parts.ts'
import { frameOf } from './frame.ts'
import { html } from './html.ts'
import { page, type Place } from './pages/layout.ts'
import type { ActAnswer, ConsoleDesk } from './ports.ts'

type Form = ReadonlyMap<string, string>
interface Act { readonly back: Place, readonly path: string, readonly run: (form: Form, desk: ConsoleDesk, caller: JsonObject | undefined) => ActAnswer | Promise<ActAnswer> }

const field = (form: Form, name: string): string => form.get(name) ?? ''

const ACTS: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['decide', { back: 'approvals', path: '/approvals', run: decide }],
  ['stop', { back: 'today', path: '/', run: (_form, desk) => desk.stop('the button on the page') }],
  ['resume', { back: 'today', path: '/', run: (form, desk) => desk.resume(field(form, 'secret')) }],
  ['close-breaker', { back: 'routes', path: '/routes', run: (form, desk) => desk.closeBreaker(field(form, 'route'), field(form, 'secret')) }],
  ['report', { back: 'event', path: '/', run: (form, desk) => report(form, desk) }],
])

function decide(form: Form, desk: ConsoleDesk, caller: JsonObject | undefined): ActAnswer | Promise<ActAnswer> {
  const answer = field(form, 'answer')
  if (answer === 'approve') return desk.approve(field(form, 'id'), field(form, 'hash'), field(form, 'secret'), caller)
  if (answer === 'deny') return desk.deny(field(form, 'id'), field(form, 'secret'), 'denied on the page')
  return { kind: 'refused', why: 'the form says neither approve nor deny' }
}

function report(form: Form, desk: ConsoleDesk): ActAnswer | Promise<ActAnswer> {
  const wrong = field(form, 'wrong').trim()
  return wrong === '' ? { kind: 'refused', why: 'say why it should not have happened' } : desk.report(field(form, 'call'), wrong, field(form, 'secret'))
}

export function actRoutes(app: Hono<Known>, parts: ConsoleParts, desk: ConsoleDesk): void {
  app.post('/act/:act', async context => {
    const session = context.get('session')
    // A token reads; only a browser's session has forms, and only our own page knows their word.
    if (!session) return context.text('the page\'s token only reads\n', 403)
    const form = await readForm(context)
    if (!equal(field(form, 'csrf'), session.csrf)) return context.text('this form is not from this page; load it again\n', 403)
    const act = ACTS.get(context.req.param('act'))
    if (!act) return context.text('no such act\n', 404)
    const answer = await act.run(form, desk, context.env?.caller?.())
    const call = field(form, 'call')
    const path = act.back === 'event' && call !== '' ? `/event/${encodeURIComponent(call)}` : act.path
    const said = answer.kind === 'done' ? { good: true, text: answer.said } : { good: false, text: answer.why }
    const frame = await frameOf(context, parts, { title: answer.kind === 'done' ? 'Done' : 'Refused', place: act.back, said })
    return context.html(page(frame, html`<p><a href="${path}" class="line">Back</a></p>`), answer.kind === 'done' ? 200 : 403)
  })
}

async function readForm(context: Asking): Promise<Form> {
  const body = await context.req.parseBody()
  return new Map(Object.entries(body).flatMap(([name, value]) => typeof value === 'string' ? [[name, value] as const] : []))
}
