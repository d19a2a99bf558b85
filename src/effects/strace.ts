/** `strace -f`: sees every program in any language, also static ones. Here: how to start it, and what its lines mean as effects. */
import { posix } from 'node:path'
import type { Effect, JsonObject } from '../types.ts'
import type { SeenEffect } from '../vocabulary/effects.ts'
import { programOf } from './shell.ts'
import { addressesOf, dnsNames } from './strace-network.ts'
import { behind, StraceLines, stringOf, type TracedCall } from './strace-lines.ts'
import { isNowhere } from './writing.ts'

const FORKS = ['clone', 'clone3', 'fork', 'vfork']
const TRACED = [
  'execve', 'execveat', 'connect', 'sendto', 'sendmsg', 'sendmmsg', 'bind', 'open', 'openat', 'openat2', 'creat', 'unlink', 'unlinkat', 'rmdir', 'rename', 'renameat', 'renameat2',
  'mkdir', 'mkdirat', 'link', 'linkat', 'symlink', 'symlinkat', 'truncate', 'ftruncate', 'chmod', 'fchmod', 'fchmodat', 'fchmodat2', 'chown', 'lchown', 'fchown', 'fchownat', 'utimensat',
  'kill', 'pidfd_send_signal', 'chdir', 'fchdir', ...FORKS,
]

/**
 * What to put before a command so that it runs under strace, which writes to `file`. Names that this machine's kernel does not have are
 * passed over (`?name`).
 */
export function straceArgs(file: string): string[] {
  return ['strace', '-f', '-qq', '-ttt', '-yy', '-s', '512', '-e', 'signal=none', '-e', `trace=${TRACED.map(name => `?${name}`).join(',')}`, '-o', file, '--']
}

interface Found { readonly kind: SeenEffect, readonly target: string | undefined, readonly detail?: JsonObject }

/** Gives the effects line by line, in the order in which the calls ended. */
export class StraceReader {
  readonly #lines = new StraceLines()
  readonly #folders = new Map<number, string>()
  readonly #start: string
  #rest = ''

  /** @param cwd the traced command's working folder */
  constructor(cwd: string) {
    this.#start = cwd
  }

  get malformed(): number { return this.#lines.malformed }

  /** Any piece of the output; a last line without its end waits for the next piece. */
  push(text: string, callId: string | null): Effect[] {
    const lines = `${this.#rest}${text}`.split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.flatMap(line => this.#line(line, callId))
  }

  #line(line: string, callId: string | null): Effect[] {
    const call = this.#lines.line(line)
    if (!call) return []
    const folder = this.#folderOf(call)
    return effectsOf(call, folder).flatMap(({ kind, target, detail }) => target === undefined || target === '' ? [] : [{
      kind, target, blocked: false, callId, at: call.at, watcher: 'strace',
      detail: { ...detail, pid: call.pid, syscall: call.name, ...call.result.startsWith('-1') ? { error: /^-1 (\w+)/.exec(call.result)?.[1] ?? 'unknown' } : {} },
    }])
  }

  /** Keeps every process's working folder: not all calls name it. A child starts in its parent's. */
  #folderOf(call: TracedCall): string {
    const written = call.args.find(arg => arg.startsWith('AT_FDCWD<'))
    const [parent] = this.#lines.forking()
    const known = (written === undefined ? undefined : behind(written)) ?? this.#folders.get(call.pid) ?? (parent === undefined ? undefined : this.#folders.get(parent)) ?? this.#start
    this.#folders.set(call.pid, known)
    if (FORKS.includes(call.name) && /^\d+$/.test(call.result)) this.#folders.set(Number(call.result), this.#folders.get(Number(call.result)) ?? known)
    if (call.result === '0' && call.name === 'chdir') this.#folders.set(call.pid, posix.resolve(known, stringOf(call.args[0]) ?? '.'))
    if (call.result === '0' && call.name === 'fchdir') this.#folders.set(call.pid, behind(call.args[0]) ?? known)
    return known
  }
}

/** All effects of a whole trace. */
export function parseStrace(lines: Iterable<string>, cwd: string, callId: string | null = null): Effect[] {
  const reader = new StraceReader(cwd)
  return [...lines].flatMap(line => reader.push(`${line}\n`, callId))
}

function effectsOf(call: TracedCall, folder: string): Found[] {
  const { name, args } = call
  const network = networkOf(call, folder)
  if (network) return network
  // What failed has changed nothing.
  if (call.result.startsWith('-1') || call.result.startsWith('?')) return []
  const path = (nth: number): string | undefined => absolute(folder, undefined, args[nth])
  const pathAt = (nth: number): string | undefined => absolute(folder, args[nth], args[nth + 1])
  switch (name) {
    case 'execve': return [started(path(0), args[1])]
    case 'execveat': return [started(pathAt(0), args[2])]
    case 'open': return opened(path(0), args[1], call.result)
    case 'creat': return opened(path(0), 'O_WRONLY', call.result)
    case 'openat': case 'openat2': return opened(pathAt(0), args[2], call.result)
    case 'unlink': case 'rmdir': return [{ kind: 'fs.delete', target: path(0) }]
    case 'unlinkat': return [{ kind: 'fs.delete', target: pathAt(0) }]
    case 'rename': return [renamed(path(0), path(1))]
    case 'renameat': case 'renameat2': return [renamed(pathAt(0), pathAt(2))]
    case 'mkdir': case 'truncate': return [{ kind: 'fs.write', target: path(0) }]
    case 'mkdirat': return [{ kind: 'fs.write', target: pathAt(0) }]
    case 'link': case 'symlink': return [{ kind: 'fs.write', target: path(1) }]
    case 'linkat': return [{ kind: 'fs.write', target: pathAt(2) }]
    case 'symlinkat': return [{ kind: 'fs.write', target: pathAt(1) }]
    case 'ftruncate': return opened(behind(args[0]), 'O_WRONLY', '')
    case 'chmod': case 'chown': case 'lchown': return [{ kind: 'fs.chmod', target: path(0) }]
    case 'fchmod': case 'fchown': return [{ kind: 'fs.chmod', target: behind(args[0]) }]
    case 'fchmodat': case 'fchmodat2': case 'fchownat': return [{ kind: 'fs.chmod', target: pathAt(0) }]
    case 'utimensat': return [{ kind: 'fs.chmod', target: pathAt(0) ?? behind(args[0]) }]
    case 'kill': return signalled(call.pid, args[0], args[1])
    case 'pidfd_send_signal': return signalled(call.pid, /pid:(\d+)/.exec(args[0] ?? '')?.[1], args[1])
    default: return []
  }
}

/** An attempt counts also where it failed: the sandbox may be what made it fail. A local socket that is not there is no attempt at anything. */
function networkOf({ name, args, result }: TracedCall, folder: string): Found[] | undefined {
  if (!['connect', 'sendto', 'sendmsg', 'sendmmsg', 'bind'].includes(name)) return undefined
  const failed = result.startsWith('-1') && !result.includes('EINPROGRESS')
  const datagram = /<UDP/.test(args[0] ?? '')
  const places = addressesOf(name, args).flatMap(place => place.startsWith('unix:') ? localPlace(place, folder, failed) : [place])
  const kind = name === 'bind' ? 'net.listen' : datagram ? 'udp.send' : 'net.connect'
  if (name === 'bind') return failed || (datagram && places.every(place => place.endsWith(':0'))) ? [] : places.map(target => ({ kind, target }))
  if (name !== 'connect' && !datagram) return []
  // Connecting a datagram socket sends nothing (the C library does it to compare routes); where it fails for a name server, a look-up was meant.
  if (name === 'connect' && datagram) return failed ? places.filter(place => place.endsWith(':53')).map(target => ({ kind, target })) : []
  return [...places.map(target => ({ kind, target } as const)), ...dnsNames(name, args).map(target => ({ kind: 'dns.lookup', target } as const))]
}

const localPlace = (place: string, folder: string, failed: boolean): string[] =>
  failed ? [] : [place.startsWith('unix:@') ? place : `unix:${posix.resolve(folder, place.slice('unix:'.length))}`]

/** A path argument made absolute by the folder argument before it, where there is one. */
function absolute(folder: string, at: string | undefined, path: string | undefined): string | undefined {
  const name = stringOf(path)
  if (name === undefined) return undefined
  const base = at === undefined ? folder : behind(at) ?? folder
  return name === '' ? base : posix.resolve(base, name)
}

function started(program: string | undefined, argv: string | undefined): Found {
  const words = argv?.startsWith('[') ? [...argv.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([word]) => stringOf(word) ?? '') : []
  const { target, args, shell } = programOf(program ?? '', words)
  return { kind: 'process.start', target, detail: { args: args.slice(0, 20), ...shell ? { shell } : {} } }
}

/** strace says where an opened descriptor really leads, which is better than the name that was asked for. */
function opened(path: string | undefined, flags: string | undefined, result: string): Found[] {
  const target = behind(result) ?? path
  return target === undefined || !target.startsWith('/') || isNowhere(target) || !/O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)/.test(flags ?? '') ? [] : [{ kind: 'fs.write', target }]
}

const renamed = (from: string | undefined, target: string | undefined): Found => ({ kind: 'fs.rename', target, ...from === undefined ? {} : { detail: { from } } })

function signalled(self: number, pid: string | undefined, signal: string | undefined): Found[] {
  return pid === undefined || pid === String(self) || signal === '0' ? [] : [{ kind: 'process.signal', target: pid, detail: { signal: signal ?? '' } }]
}
