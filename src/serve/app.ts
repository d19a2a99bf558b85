/** The paths of the server, and who may ask for which. Host and Origin were looked at before (guard.ts). */
import { Hono, type Context } from 'hono'
import type { IncomingMessage } from 'node:http'
import type { CallLog, Clock } from '../ports.ts'
import type { Json, JsonObject, Outcome } from '../types.ts'
import { decodeStrict } from '../contract/read-file.ts'
import { readWire } from '../contract/wire.ts'
import { isRecord } from '../util/records.ts'
import { outcomeJson } from './answer-json.ts'
import type { Bodies } from './body.ts'
import { callerOf } from './caller.ts'
import { eventsRequest, json, problem, type Sender } from './events-request.ts'
import { SECURITY_HEADERS } from './guard.ts'
import type { Intake } from './intake.ts'
import type { Metrics } from './metrics.ts'
import { sameSecret } from './secrets.ts'
import type { Spool } from './spool.ts'
import type { TokenStore } from './tokens.ts'

export interface AppParts {
  readonly intake: Intake
  readonly spool: Spool
  readonly log: CallLog
  readonly clock: Clock
  readonly bodies: Bodies
  readonly metrics: Metrics
  readonly tokens: TokenStore
  /** Reads, and nothing else. */
  readonly pageToken: string
  /** Of events that come over the Unix socket without a token. */
  readonly socketSource: string
  /** What became of an event of a source; undefined: it never came. */
  readonly first: (source: string, id: string) => Promise<readonly Outcome[] | undefined>
  readonly state: () => JsonObject
  /** Requests of the command line, over the Unix socket only. */
  readonly control: (request: JsonObject) => Promise<{ readonly status: number, readonly body: JsonObject }>
  /** The pages. They let nobody in by themselves but who has the page's token or a session. */
  readonly console: { readonly fetch: (request: Request, caller: () => JsonObject | undefined) => Response | Promise<Response> }
}

/** What the listener says of a request. */
export interface Bindings { readonly incoming: IncomingMessage, readonly door: 'http' | 'socket' }
type Ctx = Context<{ Bindings: Bindings }>

export function createServeApp(parts: AppParts): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>()
  app.use('*', async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) if (!context.res.headers.has(name)) context.res.headers.set(name, value)
    parts.metrics.request(routeLabel(context.req.path), context.res.status)
  })
  app.get('/healthz', () => json(200, { status: 'ok' }))
  app.post('/events', async context => {
    const sender = senderOf(context, parts)
    return sender.kind === 'sender' ? eventsRequest(context.env.incoming, sender, parts) : sender.refusal
  })
  app.get('/events/:id', async context => {
    const sender = senderOf(context, parts)
    return sender.kind === 'sender' ? eventState(sender, context.req.param('id'), context.req.query('sender'), parts) : sender.refusal
  })
  app.get('/metrics', async context => mayRead(context, parts) ? new Response(await parts.metrics.text(), { headers: { 'content-type': parts.metrics.contentType } }) : unknownReader(parts))
  app.get('/state', context => mayRead(context, parts) ? json(200, parts.state()) : unknownReader(parts))
  app.post('/control', async context => context.env.door === 'socket' ? control(context.env.incoming, parts) : problem(404, 'BAD_OPTION', 'control requests come over the Unix socket'))
  app.all('*', context => context.env.door === 'socket' ? problem(404, 'BAD_OPTION', 'the pages are served on TCP only') : parts.console.fetch(context.req.raw, () => callerOf(context.env.incoming.socket)))
  app.onError((_error, context) => {
    parts.metrics.refused('error')
    // Nothing of the error: it may hold an event's words, and the caller may be anybody with a token.
    return context.env.incoming.destroyed ? new Response(null, { status: 499 }) : problem(500, 'SERVE_FAILED', 'the request failed inside the server')
  })
  return app
}

/** Prometheus labels come from a closed list. */
function routeLabel(path: string): string {
  if (path === '/events' || path === '/healthz' || path === '/metrics' || path === '/state' || path === '/control') return path
  return path.startsWith('/events/') ? '/events/:id' : 'page'
}

const bearer = (context: Ctx): string | undefined => /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1]

type Sent = { readonly kind: 'sender' } & Sender | { readonly kind: 'refused', readonly refusal: Response }

/** The credential decides the source (`ingest:owns`). */
function senderOf(context: Ctx, { tokens, pageToken, socketSource, metrics }: AppParts): Sent {
  const refused = (status: number, reason: string, message: string): Sent => {
    metrics.refused(reason)
    return { kind: 'refused', refusal: problem(status, 'BAD_OPTION', message, status === 401 ? { 'www-authenticate': 'Bearer realm="usher events"' } : {}) }
  }
  const { door } = context.env
  const given = context.req.header('authorization')
  if (given === undefined && door === 'socket') return { kind: 'sender', source: socketSource, answers: 'full', door }
  const token = bearer(context)
  if (token === undefined) return refused(401, 'no-token', 'events need a source\'s token (Authorization: Bearer ...); usher token add makes one')
  if (sameSecret(token, pageToken)) return refused(403, 'read-token', 'this token only reads; events need a source\'s token: usher token add')
  const known = tokens.find(token)
  return known ? { kind: 'sender', source: known.source, answers: known.answers, door } : refused(401, 'wrong-token', 'no such token; it may have been revoked')
}

function mayRead(context: Ctx, { pageToken }: AppParts): boolean {
  if (context.env.door === 'socket') return true
  const token = bearer(context)
  return token !== undefined && sameSecret(token, pageToken)
}

function unknownReader({ metrics }: AppParts): Response {
  metrics.refused('no-token')
  return problem(401, 'BAD_OPTION', 'this needs the page\'s token (Authorization: Bearer ...), from the file that --token-file names', { 'www-authenticate': 'Bearer realm="usher"' })
}

/** For whoever got a 202: the same answer as the one who waited. Its own source's events only. */
async function eventState(sender: Sender, id: string, under: string | undefined, { first, spool }: AppParts): Promise<Response> {
  const source = under === undefined || sender.source.includes(':') ? sender.source : `${sender.source}:${under}`
  // Of an event with two asks the first may be decided already.
  const waiting = spool.pending.some(event => event.source === source && event.id === id)
  const outcomes = waiting ? [] : await first(source, id)
  if (outcomes === undefined) return problem(404, 'BAD_EVENT', 'this source sent no such event')
  return outcomes.length > 0 ? json(200, { id, source, outcomes: outcomes.map(outcome => outcomeJson(outcome, sender.answers)) }) : json(202, { id, source, waiting: true }, { 'retry-after': '1' })
}

const MAX_CONTROL = 64 * 1024

async function control(incoming: IncomingMessage, parts: AppParts): Promise<Response> {
  const body = await parts.bodies.read(incoming, MAX_CONTROL)
  const text = body.kind === 'bytes' ? decodeStrict(body.bytes) : undefined
  const read = text === undefined ? undefined : readWire(text)
  const value: Json | undefined = read?.kind === 'json' ? read.value : undefined
  if (!isRecord(value)) return problem(400, 'BAD_OPTION', 'a control request is one JSON object')
  const { status, body: answer } = await parts.control(value)
  return json(status, answer)
}
