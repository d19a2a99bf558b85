/** START HERE: the page as one app that a host mounts. It reads; what a person may do is there only where the host gives a desk. */
import type { Asked, ConsoleAccess } from './access.ts'
import { actRoutes } from './acts.ts'
import { asset } from './assets.ts'
import { NOTHING, type Html, html } from './html.ts'
import { newsStreams } from './live.ts'
import { viewRoutes } from './views.ts'
import { frameOf } from './frame.ts'
import { page } from './pages/layout.ts'
import type { Asking, ConsoleParts, Known } from './parts.ts'
import { bodyLimit, getCookie, Hono, secureHeaders, setCookie, type MiddlewareHandler } from './web.ts'

const FORM_BYTES = 64 * 1024

export function consoleApp(parts: ConsoleParts): Hono<Known> {
  const app = new Hono<Known>()
  app.use(secureHeaders({
    contentSecurityPolicy: { defaultSrc: ['\'none\''], scriptSrc: ['\'self\''], styleSrc: ['\'self\''], imgSrc: ['\'self\''], connectSrc: ['\'self\''], formAction: ['\'self\''], baseUri: ['\'none\''], frameAncestors: ['\'none\''] },
    // Not no-referrer: with it a browser sends `Origin: null` with a form, and nobody could tell ours from another page's.
    referrerPolicy: 'same-origin', xFrameOptions: 'DENY', crossOriginResourcePolicy: 'same-origin', crossOriginOpenerPolicy: 'same-origin', strictTransportSecurity: false,
    permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
  }))
  app.use(async (context, next) => {
    await next()
    if (!context.res.headers.has('cache-control')) context.header('Cache-Control', 'no-store')
  })
  app.get('/static/:name', context => asset(context, parts.access))
  app.post('/session', bodyLimit({ maxSize: FORM_BYTES }), context => enter(context, parts.access))
  app.use(admission(parts.access))
  viewRoutes(app, parts)
  app.get('/live', newsStreams(parts))
  if (parts.desk) {
    app.use('/act/*', bodyLimit({ maxSize: FORM_BYTES, onError: context => context.text('the form is too big\n', 413) }))
    actRoutes(app, parts, parts.desk)
  }
  app.notFound(async context => context.req.method === 'GET' ? context.html(page(await frameOf(context, parts, { title: 'No such page', place: 'today' }), html`<p>There is nothing at this address. <a href="/">The call log</a></p>`), 404) : context.text('read only\n', 405))
  return app
}

function askedOf(context: Asking, access: ConsoleAccess): Asked {
  return { method: context.req.method, header: name => context.req.header(name), cookie: getCookie(context, access.cookieName) }
}

function admission(access: ConsoleAccess): MiddlewareHandler<Known> {
  return async (context, next) => {
    const found = access.admit(askedOf(context, access))
    if (found.kind === 'refused') {
      const opens = found.status === 401 && context.req.method === 'GET' && (context.req.header('accept') ?? '').includes('text/html')
      return opens ? context.html(loginPage(NOTHING), 401) : context.text(`${found.why}\n`, found.status)
    }
    context.set('session', found.kind === 'session' ? found.session : undefined)
    return next()
  }
}

/** The script of the page sends what stands behind `#` in its address; without a script the token is typed. */
function loginPage(said: Html): string {
  return page({ title: 'Call log: open with the token', place: 'login', theme: undefined, acting: undefined, waiting: 0, halted: undefined, seq: undefined }, html`${said}
<p>Open the address that <code>usher console</code> or <code>usher serve</code> printed, or type the page's token.</p>
<form id="enter" method="post" action="/session"><p><label for="word">Token</label> <input id="word" name="word" type="password" autocomplete="off" required> <button type="submit">Open</button></p></form>`)
}

async function enter(context: Asking, access: ConsoleAccess): Promise<Response> {
  const elsewhere = access.comesFrom(askedOf(context, access))
  if (elsewhere) return context.text(`${elsewhere.why}\n`, elsewhere.status)
  const { word } = await context.req.parseBody()
  const session = typeof word === 'string' ? access.enter(word) : undefined
  if (!session) return context.html(loginPage(html`<p class="said bad" role="alert">✖ This token opens nothing. A link works once, and for a minute.</p>`), 401)
  setCookie(context, access.cookieName, session.id, { httpOnly: true, sameSite: 'Strict', path: '/' })
  return context.redirect('/', 303)
}
