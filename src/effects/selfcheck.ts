/** Was everything in its place when the observer came? Whoever wrapped a builtin before keeps a way past it, and work that runs already is not seen. */
import { createRequire } from 'node:module'
import { getActiveResourcesInfo } from 'node:process'
import type * as inspectorModule from 'node:inspector'
import { ORIGINAL, type Fn } from './patches.ts'
import { read } from './text.ts'

/** Resources of Node that stand for effects under way. */
const UNDER_WAY: { readonly [resource: string]: string | undefined } = {
  TCPSocketWrap: 'TCP connection', TCPServerWrap: 'listening TCP server', UDPWrap: 'UDP socket', ProcessWrap: 'child process', FSReqCallback: 'file operation', FSReqPromise: 'file operation',
  GetAddrInfoReqWrap: 'name look-up', WorkerHandle: 'worker thread',
}

/** What runs already, in words: taken when the observer is installed. */
export function startedBefore(): string[] {
  const counts = new Map<string, number>()
  for (const resource of getActiveResourcesInfo()) {
    const name = Object.hasOwn(UNDER_WAY, resource) ? UNDER_WAY[resource] : undefined
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const running = [...counts].map(([name, count]) => `${count} ${name}${count === 1 ? ' was' : 's were'} open before the observer: what goes over ${count === 1 ? 'it' : 'them'} is not seen`)
  const addons = Object.keys(createRequire(import.meta.url).cache).filter(file => file.endsWith('.node'))
  return [...running, ...addons.map(file => `the native addon ${file} was loaded before the observer: what it does is not seen`)]
}

/** Names of functions that were not Node's own any more. Asks the inspector where each is written. */
export function wrappedBefore(found: readonly { readonly name: string, readonly original: Fn }[]): string[] {
  if (!process.features.inspector) return ['Node was built without the inspector: whether a builtin was wrapped before the observer could not be checked']
  const { Session } = createRequire(import.meta.url)('node:inspector') as typeof inspectorModule
  const session = new Session()
  // Node's own: this session is ours, and no effect of whoever asks.
  Reflect.apply(((Reflect.get(Session.prototype.connect, ORIGINAL) ?? Session.prototype.connect) as Fn), session, [])
  try {
    const sentences = locations(session, found.map(({ original }) => original)).flatMap((place, nth) => place.startsWith('node:')
      ? []
      : [`${found[nth]?.name ?? ''} was wrapped before the observer (${place}): effects of whoever kept the function underneath are not seen`])
    return [...new Set(sentences)]
  } finally { session.disconnect() }
}

const HAND_OVER = Symbol.for('usher-router.self-check')

/** The script that each function is written in; `unknown` where the inspector does not say. In one thread its answers come at once. */
function locations(session: inspectorModule.Session, functions: readonly Fn[]): string[] {
  const scripts = new Map<string, string>()
  session.on('Debugger.scriptParsed', ({ params }) => { scripts.set(params.scriptId, params.url) })
  session.post('Debugger.enable')
  const shared = globalThis as { [HAND_OVER]?: readonly Fn[] }
  shared[HAND_OVER] = functions
  try {
    return functions.map((_, nth) => {
      let place = 'unknown'
      session.post('Runtime.evaluate', { expression: `globalThis[Symbol.for('usher-router.self-check')][${nth}]` }, (_error, evaluated: unknown) => {
        place = placeOf(session, read(evaluated, 'result'), scripts)
      })
      return place
    })
  } finally {
    delete shared[HAND_OVER]
    session.post('Debugger.disable')
  }
}

/** A function of the engine has no script; one that was bound stands where the function that it calls stands (Node binds some of its own). */
function placeOf(session: inspectorModule.Session, remote: unknown, scripts: ReadonlyMap<string, string>): string {
  const objectId = read(remote, 'objectId')
  if (typeof objectId !== 'string') return 'unknown'
  let place = 'unknown'
  session.post('Runtime.getProperties', { objectId }, (_error, described: unknown) => {
    const internal = read(described, 'internalProperties')
    const properties: readonly unknown[] = Array.isArray(internal) ? internal : []
    const value = (name: string): unknown => read(properties.find(property => read(property, 'name') === name), 'value')
    const script = read(read(value('[[FunctionLocation]]'), 'value'), 'scriptId')
    if (typeof script === 'string') place = scripts.get(script) || 'unknown'
    else if (value('[[Handler]]') !== undefined) place = 'a Proxy'
    else place = value('[[TargetFunction]]') === undefined ? 'node:native' : placeOf(session, value('[[TargetFunction]]'), scripts)
  })
  return place
}
