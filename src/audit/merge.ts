/** What several watchers saw, as one list: the same thing once, with the names of all who saw it. */
import { basename, join } from 'node:path'
import type { Effect } from '../types.ts'
import type { AuditEffect } from './report.ts'
import type { Arrival } from './sinks.ts'
import { canariesIn } from './canary.ts'

/** Something that one watcher saw, in one form. */
export interface Sighting { readonly kind: string, readonly target: string, readonly watcher: string, /** ms; 0: not known. */ readonly at: number, readonly args?: readonly string[], readonly sent?: string }

export interface MergeOptions {
  /** Launchers are named by their name alone. */
  readonly bin: string
  /** Where a local socket's relative name begins. */
  readonly work: string
  /** Address -> name, as the sink gave it out. */
  readonly names: ReadonlyMap<string, string>
  /** Is this path in a cache or temporary folder? */
  readonly temporary: (kind: string, path: string) => boolean
  readonly hide: (text: string) => string
  /** ms; what came later came after the reply. */
  readonly replyAt: number
}

/** Who is asked first what it was: those that see a program's own words before those that see numbers. */
const ORDER = ['launchers', 'node-child', 'python-child', 'sink', 'strace', 'files', 'counters']
/** What a runtime does on the way, and no effect by itself. */
const QUIET_KINDS: ReadonlySet<string> = new Set(['worker.start', 'native.load'])
/** Clocks of several writers: a file's time, a sink's, the reply's. */
const SLACK = 20

export function fromEffect({ kind, target, watcher, at, detail }: Effect): Sighting {
  const args = detail?.['args']
  return { kind, target, watcher, at, ...Array.isArray(args) ? { args: args.map(String) } : {} }
}

export function fromArrival({ what, host, port, line, sent, at }: Arrival): Sighting {
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const base = { watcher: 'sink', at }
  if (what === 'dns') return { ...base, kind: 'dns.lookup', target: host }
  if (what === 'http') return { ...base, kind: 'http.request', target: `${line?.split(' ')[0] ?? 'GET'} http://${host}${port === 80 ? '' : `:${port}`}`, sent: [line ?? '', sent ?? ''].filter(part => part !== '').join('\n') }
  return { ...base, kind: what === 'udp' ? 'udp.send' : 'net.connect', target: place, ...sent === undefined || sent === '' ? {} : { sent } }
}

export function merge(sightings: readonly Sighting[], options: MergeOptions): readonly AuditEffect[] {
  const groups = new Map<string, Sighting[]>()
  for (const sighting of sightings.map(one => named(one, options)).filter(one => !isPart(one))) {
    const key = `${sighting.kind}\0${sighting.kind === 'process.start' ? basename(sighting.target) : sighting.target}`
    groups.set(key, [...groups.get(key) ?? [], sighting])
  }
  return [...groups.values()].map(group => one(group, options))
}

/** Datagrams to name servers are told as the names they ask for. */
const isPart = ({ kind, target }: Sighting): boolean => kind === 'udp.send' && target.endsWith(':53')

function named(sighting: Sighting, { bin, names, work }: MergeOptions): Sighting {
  if (/^unix:[^/@]/.test(sighting.target)) return { ...sighting, target: `unix:${join(work, sighting.target.slice('unix:'.length))}` }
  if (sighting.kind === 'process.start' && sighting.target.startsWith(`${bin}/`)) return { ...sighting, target: basename(sighting.target) }
  const found = /^(?:\[::ffff:([\d.]+)\]|([\d.]+)):(\d+)$/.exec(sighting.target)
  const name = found && names.get(found[1] ?? found[2] ?? '')
  return name === undefined || name === null ? sighting : { ...sighting, target: `${name}:${found?.[3] ?? ''}` }
}

function one(group: readonly Sighting[], { temporary, hide, replyAt }: MergeOptions): AuditEffect {
  const [first, ...others] = [...group].sort((a, b) => ORDER.indexOf(a.watcher) - ORDER.indexOf(b.watcher)) as [Sighting, ...Sighting[]]
  const args = group.find(sighting => sighting.args !== undefined)?.args
  const sent = group.find(sighting => sighting.sent !== undefined)?.sent
  // The path says more than the name; of a launcher there is only the name.
  const target = group.map(sighting => sighting.target).sort((a, b) => b.length - a.length)[0] as string
  const also = [...new Set(others.map(sighting => sighting.watcher))].filter(name => name !== first.watcher)
  const carries = canariesIn([target, ...args ?? [], sent ?? ''].join('\n'))
  return {
    kind: first.kind, target: hide(target), watcher: first.watcher, ...also.length > 0 ? { also } : {},
    level: QUIET_KINDS.has(first.kind) || (first.kind.startsWith('fs.') && temporary(first.kind, target)) ? 'look here' : 'acts',
    ...args && args.length > 0 ? { args: args.map(hide) } : {}, ...sent === undefined ? {} : { sent: hide(sent) },
    ...group.some(sighting => sighting.at > 0) && Math.min(...group.map(sighting => sighting.at).filter(at => at > 0)) > replyAt + SLACK ? { afterReply: true } : {},
    ...carries.length > 0 ? { carries } : {},
  }
}
