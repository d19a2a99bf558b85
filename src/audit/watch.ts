/** All watchers of one running server, asked together. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { homedir } from 'node:os'
import { ChildReports } from '../effects/children.ts'
import { StraceReader } from '../effects/strace.ts'
import type { Counters } from './isolate.ts'
import { upperFolders } from './isolate.ts'
import { LaunchReports } from './launchers.ts'
import { fromArrival, fromEffect, merge, type Sighting } from './merge.ts'
import { OpenConnections } from './open-connections.ts'
import { processesOf } from './processes.ts'
import type { AuditEffect, EffectClass } from './report.ts'
import type { Scratch } from './scratch.ts'
import type { Arrival } from './sinks.ts'
import { Snapshots, type Watched } from './snapshot.ts'

export interface WatchOptions {
  readonly scratch: Scratch
  readonly mark: string
  /** The server runs behind namespaces: sinks, counters, a copied disk. */
  readonly inside: boolean
  readonly strace: boolean
}

export interface Seen { readonly effects: readonly AuditEffect[], /** Classes of effects that nobody could have seen. */ readonly unwatched: readonly EffectClass[] }

/** Programs that only stand before the server and wait for it. */
const WAITING_PROGRAMS: ReadonlySet<string> = new Set(['strace', 'sh', 'bash', 'dash', 'env', 'npx', 'npm', 'setpriv', 'unshare'])

const CACHES = /\/(__pycache__|node_modules\/\.cache)\//

/** The bytes that a growing file got since the last reading. */
class Tail {
  readonly #file: string
  #position = 0
  constructor(file: string) { this.#file = file }

  read(): string {
    if (!existsSync(this.#file)) return ''
    const descriptor = openSync(this.#file, 'r')
    try {
      const parts: Buffer[] = []
      const chunk = Buffer.alloc(65_536)
      for (let count = readSync(descriptor, chunk, 0, chunk.length, this.#position); count > 0; count = readSync(descriptor, chunk, 0, chunk.length, this.#position)) {
        parts.push(Buffer.from(chunk.subarray(0, count)))
        this.#position += count
      }
      return Buffer.concat(parts).toString('utf8')
    } finally {
      closeSync(descriptor)
    }
  }
}

export class Watch {
  readonly #options: WatchOptions
  readonly #reports: ChildReports
  readonly #launches: LaunchReports
  readonly #arrivals: Tail
  readonly #trace: Tail
  readonly #strace: StraceReader
  readonly #open = new OpenConnections()
  readonly #files: Snapshots
  readonly #names = new Map<string, string>()
  readonly #written = new Set<string>()
  #counters: Counters | undefined
  #rest = ''

  constructor(options: WatchOptions) {
    const { scratch } = options
    this.#options = options
    this.#reports = new ChildReports(this.reportFile)
    this.#launches = new LaunchReports(join(scratch.watch, 'launches'))
    this.#arrivals = new Tail(this.sinkFile)
    this.#trace = new Tail(this.traceFile)
    this.#strace = new StraceReader(scratch.work)
    const upper = options.inside && scratch.upper !== undefined ? upperFolders(scratch.upper).map((layer): Watched => ({ ...layer, form: 'upper' })) : []
    this.#files = new Snapshots([{ folder: scratch.root, at: scratch.root, form: 'plain' }, ...upper], scratch.watch)
  }

  get reportFile(): string { return join(this.#options.scratch.watch, 'children.jsonl') }
  get sinkFile(): string { return join(this.#options.scratch.watch, 'sinks.jsonl') }
  get traceFile(): string { return join(this.#options.scratch.watch, 'strace.txt') }
  get socket(): string { return join(this.#options.scratch.watch, 'ask.sock') }
  /** Languages whose processes reported from inside. */
  get reporting(): ReadonlySet<string> { return new Set(this.#reports.children.map(child => child.watcher)) }
  get tracing(): boolean { return this.#options.strace && existsSync(this.traceFile) }

  /** Everything since the last time. @param replyAt ms */
  async collect(replyAt: number): Promise<Seen> {
    const { scratch, inside } = this.#options
    const counters = inside ? await askCounters(this.socket) : undefined
    const sightings = [...this.#sightings()].filter(sighting => !this.#isOurs(sighting))
    const uncounted = counted(this.#counters, counters, sightings)
    const unwatched = this.#unwatched(counters)
    if (counters) this.#counters = counters
    // Before they are judged: what is made and taken away again in one call was its own.
    for (const { kind, target } of sightings) if (kind === 'fs.write') this.#written.add(target)
    const effects = merge([...sightings, ...uncounted], { bin: scratch.bin, work: scratch.work, names: this.#names, temporary: (kind, path) => this.#temporary(kind, path), hide: text => scratch.hide(text), replyAt })
    return { effects, unwatched }
  }

  /** What is on the disk now is nobody's doing: the audit itself has put it there. */
  rebase(): void {
    this.#files.changes()
  }

  close(): void {
    this.#reports.close()
  }

  * #sightings(): Generator<Sighting> {
    for (const { words, at } of this.#launches.read()) yield { kind: 'process.start', target: words[0] ?? '', args: words.slice(1), watcher: 'launchers', at }
    for (const effect of this.#reports.read(null)) if (effect.detail?.['part'] === undefined || effect.kind === 'dns.lookup') yield fromEffect(effect)
    const traced = this.#trace.read()
    for (const effect of this.#strace.push(traced, null)) yield fromEffect(effect)
    yield* this.#open.push(traced)
    const lines = `${this.#rest}${this.#arrivals.read()}`.split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      const arrival = arrivalOf(line)
      if (!arrival) { yield { kind: 'fs.write', target: this.sinkFile, watcher: 'sink', at: 0 }; continue }
      if (arrival.address !== undefined) this.#names.set(arrival.address, arrival.host)
      yield fromArrival(arrival)
    }
    for (const { kind, path, at } of this.#files.changes()) yield { kind, target: path, watcher: 'files', at }
  }

  /**
   * What the watchers write themselves, which strace and the snapshots see too. The preloads do not report their own writing: what they report there is
   * somebody who changes what was seen.
   */
  #isOurs({ kind, target, watcher }: Sighting): boolean {
    const { watch } = this.#options.scratch
    if (kind === 'process.start' || !(target === watch || target.startsWith(`${watch}/`))) return false
    return watcher === 'strace' || watcher === 'files' || target.startsWith(`${watch}/module/`) || target === `${watch}/module`
  }

  /** Writes there are part of how programs work; deleting there what somebody else had put there is not. */
  #temporary(kind: string, path: string): boolean {
    const { scratch } = this.#options
    const under = (folder: string): boolean => path === folder || path.startsWith(`${folder}/`)
    // The scratch folders were empty: whatever is there is the server's own.
    if (under(scratch.root)) return under(scratch.tmp) || under(join(scratch.home, '.cache')) || CACHES.test(path)
    // A project that lies in a temporary folder is a project all the same: the folder where the audit was started, with its packages.
    const project = process.cwd()
    const temporary = ((under('/tmp') || under('/var/tmp') || under('/dev/shm')) && !(project.split('/').length > 2 && under(project))) || under(join(homedir(), '.npm')) || under(join(homedir(), '.cache'))
    // Over a copy of the disk the real one still shows whether it was somebody else's.
    const own = this.#options.inside ? !existsSync(path) : this.#written.has(path)
    return (temporary || CACHES.test(path)) && (kind !== 'fs.delete' || own)
  }

  #unwatched(counters: Counters | undefined): readonly EffectClass[] {
    if (this.tracing || this.#allReport()) return []
    const started = !counters || !this.#counters || counters.processes !== this.#counters.processes
    return [...started ? ['process' as const] : [], ...counters ? [] : ['network' as const], ...this.#options.inside ? [] : ['files' as const]]
  }

  /** Every process of the server that does anything reports from inside. */
  #allReport(): boolean {
    const known = new Set(this.#reports.children.map(child => child.pid))
    const doing = processesOf(this.#options.mark).filter(({ program, inner }) => known.has(inner) || !WAITING_PROGRAMS.has(program))
    return known.size > 0 && doing.every(({ inner }) => known.has(inner))
  }
}

/** Undefined for a line that no sink has written. */
function arrivalOf(line: string): Arrival | undefined {
  try {
    return JSON.parse(line) as Arrival
  } catch {
    return undefined // told as an effect: somebody changes what was seen
  }
}

/** Connections that were counted and that nobody saw: somewhere, something was called. */
function counted(before: Counters | undefined, now: Counters | undefined, sightings: readonly Sighting[]): readonly Sighting[] {
  if (!before || !now) return []
  const saw = (...kinds: readonly string[]): boolean => sightings.some(({ kind }) => kinds.includes(kind))
  const somewhere = (kind: string, count: number): Sighting => ({ kind, target: `somewhere (${count} counted, no watcher saw where)`, watcher: 'counters', at: 0 })
  return [
    ...now.tcp > before.tcp && !saw('net.connect', 'http.request') ? [somewhere('net.connect', now.tcp - before.tcp)] : [],
    // Nothing was opened and something went out: over a connection that was open before.
    ...now.tcp === before.tcp && now.segments > before.segments && !saw('net.connect', 'http.request', 'net.listen') ? [somewhere('net.connect', now.segments - before.segments)] : [],
    ...now.udp > before.udp && !saw('udp.send', 'dns.lookup') ? [somewhere('udp.send', now.udp - before.udp)] : [],
  ]
}

/** Undefined where nobody answers any more: the server, and its first process, are gone. */
function askCounters(path: string): Promise<Counters | undefined> {
  return new Promise(resolve => {
    let text = ''
    const socket = createConnection(path)
    socket.setTimeout(2000, () => socket.destroy())
    socket.setEncoding('utf8').on('data', (piece: string) => { text += piece })
    socket.on('error', () => undefined) // `close` follows
    socket.on('close', () => resolve(text.endsWith('\n') ? JSON.parse(text) as Counters : undefined))
  })
}
