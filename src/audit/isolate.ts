/**
 * What of this system's means the server can be put behind: no network (a namespace of its own, with sinks that answer in it), the disk as a copy
 * (an overlay over every folder, so that a write succeeds, is seen, and reaches nothing), its own process numbers, and strace.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { straceArgs } from '../effects/strace.ts'
import { WRITE_CALLS } from './open-connections.ts'
import { builtFile } from '../util/built.ts'
import { fileURLToPath } from 'node:url'

export interface Means {
  readonly strace: { readonly ok: boolean, readonly why?: string }
  /** A namespace without the network, and over a copied disk. */
  readonly unshare: { readonly ok: boolean, readonly why?: string }
}

const runs = (words: readonly string[]): string | undefined => {
  const { status, error, stderr } = spawnSync(words[0] ?? '', words.slice(1), { stdio: ['ignore', 'ignore', 'pipe'], timeout: 10_000, encoding: 'utf8' })
  return status === 0 ? undefined : error ? error.message : stderr.trim().split('\n')[0] || `it ended with ${status}`
}

const UNSHARE = ['unshare', '--map-root-user', '--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--']

let found: Means | undefined

/** Tried once, by doing it: many systems have the programs and forbid the act. */
export function meansOfThisSystem(): Means {
  if (found) return found
  if (process.platform !== 'linux') return found = { strace: { ok: false, why: 'there is no strace on this system' }, unshare: { ok: false, why: 'there are no namespaces on this system' } }
  const strace = runs([...straceArgs('/dev/null'), 'true'])
  const unshare = existsSync('/dev/shm') ? coverFault() : 'there is no /dev/shm'
  return found = { strace: strace === undefined ? { ok: true } : { ok: false, why: strace }, unshare: unshare === undefined ? { ok: true } : { ok: false, why: unshare } }
}

/** Covers the whole disk once, for nothing: half of it would be no use. */
function coverFault(): string | undefined {
  const upper = mkdtempSync('/dev/shm/usher-audit-')
  try {
    mkdirSync(join(upper, 'scratch'))
    return runs([...covered(upper, join(upper, 'scratch')), '/bin/sh', '-c', 'ip link set lo up || ifconfig lo up'])
  } finally {
    rmSync(upper, { recursive: true, force: true })
  }
}

/** What the program inside the namespace is told, by a file. */
export interface InsideOrder {
  readonly command: readonly string[]
  readonly env: { readonly [name: string]: string }
  readonly cwd: string
  /** Where the sinks write what reached them. */
  readonly report: string
  /** Where the counters are asked for. */
  readonly socket: string
}

/** Inside the namespaces. `processes`: the last number given to a process or thread; `tcp`, `udp`: connections and datagrams begun; `segments`: of all connections. */
export interface Counters { readonly processes: number, readonly tcp: number, readonly udp: number, readonly segments: number }

const KERNEL = /^\/(?:proc|sys|dev|run)(?:\/|$)/
/** Characters that mean something in mount options. */
const ODD = /[,:\\\s]/

/** Folders to be covered by an overlay, and mounts that can only be made read-only because other mounts hang below them. */
export function diskPlan(mountinfo: string = readFileSync('/proc/self/mountinfo', 'utf8')): { readonly overlay: readonly string[], readonly readOnly: readonly string[] } {
  const mounts = mountinfo.split('\n').flatMap(line => { const at = line.split(' ')[4]; return at === undefined ? [] : [at.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))] })
  const real = [...new Set(mounts)].filter(at => !KERNEL.test(at) && at !== '/')
  const top = readdirSync('/').map(name => `/${name}`).filter(path => !KERNEL.test(path) && lstatSync(path).isDirectory())
  const all = [...new Set([...top, ...real])].sort()
  const holds = (path: string): boolean => real.some(mount => mount.startsWith(`${path}/`))
  return { overlay: all.filter(path => !holds(path) && !ODD.test(path)), readOnly: ['/', ...real.filter(path => holds(path) || ODD.test(path))] }
}

/**
 * Runs inside the new namespaces, before anything of the server. `$1` upper, `$2` scratch, `$3` overlays (one a line), `$4` read-only mounts; then the
 * program. Whatever cannot be covered is made read-only; what cannot be made read-only ends it: a half-closed box is none.
 */
const COVER = `set -u
upper=$1; scratch=$2; overlays=$3; locked=$4; shift 4
mount --make-rprivate / || exit 71
mkdir -p "$upper/hold" && mount --bind "$scratch" "$upper/hold" || exit 71
printf '%s\\n' "$overlays" | { n=0; while IFS= read -r at; do
  [ -n "$at" ] || continue
  n=$((n+1)); mkdir -p "$upper/up/$n" "$upper/work/$n"
  mount -t overlay overlay -o "lowerdir=$at,upperdir=$upper/up/$n,workdir=$upper/work/$n,userxattr" "$at" 2>/dev/null && continue
  { mount --bind "$at" "$at" && mount -o remount,bind,ro "$at"; } 2>/dev/null || { echo "usher: cannot cover $at" >&2; exit 71; }
done; } || exit 71
mount --bind "$upper/hold" "$scratch" || exit 71
printf '%s\\n' "$locked" | while IFS= read -r at; do
  [ -n "$at" ] || continue
  mount -o remount,bind,ro "$at" 2>/dev/null || { echo "usher: cannot make $at read-only" >&2; exit 71; }
done || exit 71
for at in /run /dev/shm; do [ -d "$at" ] && [ ! -L "$at" ] && mount -t tmpfs tmpfs "$at"; done
cd /
exec "$@"`

/** What stands before a command so that it runs behind the namespaces, over a copy of the disk. */
function covered(upper: string, scratch: string): readonly string[] {
  const { overlay, readOnly } = diskPlan()
  return [...UNSHARE, '/bin/sh', '-c', COVER, 'usher-audit', upper, scratch, overlay.join('\n'), readOnly.join('\n')]
}

/** The command that carries out the order whose file USHER_AUDIT_ORDER names, behind the namespaces. */
export function insideCommand(upper: string, scratch: string): readonly string[] {
  return [...covered(upper, scratch), process.execPath, fileURLToPath(builtFile(import.meta.url, './inside.js'))]
}

/** Which real folder each numbered upper folder stands for. */
export function upperFolders(upper: string): readonly { readonly at: string, readonly folder: string }[] {
  return diskPlan().overlay.map((at, index) => ({ at, folder: join(upper, 'up', String(index + 1)) }))
}

export function straced(command: readonly string[], file: string): readonly string[] {
  return [...straceArgs(file).map(word => word.startsWith('trace=') ? [word, ...WRITE_CALLS.map(name => `?${name}`)].join(',') : word), ...command]
}
