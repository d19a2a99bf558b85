/** START HERE: the runtime beside an agent. Opens everything in order, and closes it in the reverse one, whatever happens. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createUsher, type Usher } from '../assemble.ts'
import { installObserver } from '../effects/observer.ts'
import { UsherError } from '../errors.ts'
import type { Clock } from '../ports.ts'
import { toolTable } from '../tools/table.ts'
import type { Tool } from '../types.ts'
import { ConsoleAccess } from '../console/access.ts'
import { createServeApp } from './app.ts'
import { Bodies } from './body.ts'
import { Closers } from './closers.ts'
import { handleControl } from './control.ts'
import { openDoors } from './doors.ts'
import { acceptFirst, firstRoutes, haltOnOthers } from './first-routes.ts'
import { openCore, readable, type Core } from './core.ts'
import { capacityOf, openFront, type Front } from './front.ts'
import { markInFlight } from './in-flight.ts'
import { openKeepers, openOutside } from './keepers.ts'
import { checkServeOptions, type ServeOptions } from './options.ts'
import { openPages } from './pages.ts'
import { guardTokens } from './token-acts.ts'
import { stateJson, type DoorState, type ServeState } from './state.ts'

export interface Serving {
  /** Of the page. */
  readonly address: string
  /** Opens the page in a browser, once, within a minute. */
  readonly link: () => string
  readonly socket: string
  readonly tokenFile: string
  readonly usher: Usher
  readonly state: () => ServeState
  /** Finishes the event that runs, tells the waiting ones that they were not handled, keeps those that were accepted. False: the call in flight took too long, so it was marked and left. */
  stop(why: string): Promise<boolean>
  /** Ends at once: what runs is marked `unknown` in the log. */
  abandon(why: string): Promise<void>
}

const GRACE = 30_000
/** Ms between two looks for cards that are too old. */
const EXPIRY_MS = 30_000

/** Throws BAD_OPTION, SERVE_FAILED, or what createUsher throws; then nothing stays open. */
export async function startServe(options: ServeOptions): Promise<Serving> {
  checkServeOptions(options)
  const closers = new Closers()
  try {
    return await open(options, closers)
  } catch (error) {
    await closers.all()
    throw error
  }
}

async function open(options: ServeOptions, closers: Closers): Promise<Serving> {
  const observer = installObserver()
  closers.add(() => observer.uninstall())
  const clock = options.usher?.clock ?? { now: () => Date.now() }
  const note = options.onNote ?? (() => undefined)
  // The server's own work has a name, so that it is never taken for something that nobody asked for.
  const front = await observer.background('usher:serve', () => openFront(options, closers))
  const access = new ConsoleAccess({ token: front.token, origin: () => front.address.slice(0, -1), now: () => clock.now() })
  const tools = await options.tools(front.address, () => access.link())
  const keeping = { options, closers, metrics: front.metrics, clock, note }
  const outside = await openOutside(keeping, (name, work) => observer.background(name, work))
  const first = firstRoutes(toolTable([...tools, ...outside?.tools ?? []]), options, clock.now())
  const usher = await createUsher({ ...options.usher, clock, routes: first.table, tools: [...tools, ...outside?.tools ?? []], log: options.log, state: front.state, ...(outside ? { proposals: outside.keeper.proposals } : {}), queue: 2 * capacityOf(options) }).catch((error: unknown) => { throw acceptedElsewhere(error, first, options) })
  closers.add(() => usher.close())
  for (const words of usher.log.notes ?? []) note(words)
  return observer.background('usher:serve', async () => {
    const core = openCore(options, front, usher, await readable(options.log, front.state, closers), clock, closers)
    await guardTokens(front.tokens, usher.log, core.reader.db, () => clock.now(), note)
    await acceptFirst(first, options, usher.log, clock.now(), note)
    await haltOnOthers(first, options, usher.desk.owner, note)
    let all: ReadonlyMap<string, Tool> = toolTable([...tools, ...outside?.tools ?? []])
    const keepers = await openKeepers(keeping, usher, core.reader.db, { own: tools, all: () => all, onSwap: next => { all = next } }, outside, first.standing)
    const startedAt = clock.now()
    const state = (): ServeState => ({ startedAt, table: usher.table, tools: all, routes: keepers.routes.standing, ...(keepers.contracts ? { contracts: keepers.contracts.state } : {}), queue: { waiting: core.intake.waiting, capacity: core.intake.capacity }, sources: sourcesOf(options, front) })
    const pages = openPages({ access, log: usher.log, reader: core.reader, desk: usher.desk, state, clock, closers })
    const app = createServeApp({ ...core, log: usher.log, clock, bodies: new Bodies(), metrics: front.metrics, tokens: front.tokens, pageToken: front.token, socketSource: socketSource(options), state: () => stateJson(state()), control: request => handleControl(request, { desk: usher.desk, routes: keepers.routes, log: usher.log.location }), console: pages })
    front.answerWith(app.fetch, () => core.intake.waiting)
    const expiry = setInterval(() => { usher.desk.approvals.expire().catch((error: unknown) => note(`cards could not be looked through: ${error instanceof Error ? error.message : String(error)}`)) }, EXPIRY_MS).unref()
    closers.add(() => clearInterval(expiry))
    const socket = await openDoors(options, front, { ...core, log: usher.log, clock, note }, closers)
    await usher.log.act({ who: 'usher', act: 'serve.start', about: front.address, detail: { routes: first.standing.kind, kept: core.spool.pending.length }, at: clock.now() })
    return { address: front.address, link: () => access.link(), socket, tokenFile: front.tokenFile, usher, state, ...endings(options, core, usher, clock, closers) }
  })
}

const socketSource = (options: ServeOptions): string => options.socketSource ?? 'local'

function sourcesOf(options: ServeOptions, front: Front): readonly DoorState[] {
  return [
    ...front.tokens.list().map(({ name, source }): DoorState => ({ door: 'http', name, source })),
    { door: 'socket', name: 'usher.sock', source: socketSource(options) },
    ...(options.lines ? [{ door: 'stdin' as const, name: 'standard input', source: options.lines.source }] : []),
    ...(options.folder ? [{ door: 'folder' as const, name: options.folder.path, source: options.folder.source }] : []),
  ]
}

function endings(options: ServeOptions, { intake, spool, reader }: Core, usher: Usher, clock: Clock, closers: Closers): Pick<Serving, 'stop' | 'abandon'> {
  const abandon = async (why: string): Promise<void> => {
    const marked = await markInFlight(usher.log, reader.db, clock)
    await usher.log.act({ who: 'usher', act: 'serve.abandon', about: why, detail: { marked, kept: spool.pending.length }, at: clock.now() })
    await usher.log.close()
  }
  const stop = async (why: string): Promise<boolean> => {
    const ended = await Promise.race([intake.close(), sleep(options.grace ?? GRACE, undefined, { ref: false })])
    if (!ended) {
      await abandon(`${why}; the call in flight took too long`)
      return false
    }
    try {
      await usher.log.act({ who: 'usher', act: 'serve.stop', about: why, detail: { refused: ended.refused, kept: spool.pending.length }, at: clock.now() })
    } finally {
      // Also where the log cannot be written any more: a server that cannot say that it ends must end.
      await closers.all()
    }
    return true
  }
  return { stop, abandon }
}

/** What was accepted for other tools cannot decide here, and names files that the owner never wrote: says where it comes from. */
function acceptedElsewhere(error: unknown, { accepted }: ReturnType<typeof firstRoutes>, { acceptedFolder, routes }: ServeOptions): unknown {
  if (!accepted || !UsherError.is(error) || error.code !== 'ROUTES_INVALID') return error
  return new UsherError('ROUTES_INVALID', `the routes that were accepted before (in ${acceptedFolder}) do not hold with these tools; accept the present ones with "usher routes accept --routes ${routes.join(' ')}", or give this server a state folder of its own with --state: ${error.message}`, { cause: error })
}
