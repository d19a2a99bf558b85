/** Process starts and signals: every asynchronous start ends in `ChildProcess.prototype.spawn`; the synchronous ones have no common point that can be reached. */
import childProcess from 'node:child_process'
import { constants } from 'node:os'
import { changedBy, fromPairs, type Environment } from './environment.ts'
import { findProgram, isSystemShell, looksElsewhere, realFile } from './find-program.ts'
import { guard, hush, refuseSync, type Look, type Surgery } from './guard.ts'
import type { Fn } from './patches.ts'
import type { Seen } from './judge.ts'
import type { Recorder } from './recorder.ts'
import { programOf } from './shell.ts'
import { pathOf, read } from './text.ts'

/** What a start is given besides its words. `env` undefined: what the process has itself. */
interface Given { readonly options: unknown, readonly env: Environment | undefined }
type Start = (api: string, file: string, argv: readonly unknown[], given: Given) => Seen

/**
 * The program that really runs: found as the child would find it. One that the tool's own PATH leads to is named by its path; and environment
 * that changes what runs has to be allowed too, as `process.start:env:NAME` or by a plain `process.start`.
 */
const starting = (recorder: Recorder): Start => (api, file, argv, { options, env = process.env }) => {
  const before = recorder.env
  const cwd = pathOf(read(options, 'cwd')) ?? process.cwd()
  const program = programOf(file, argv.map(String), findProgram(file, env, cwd) ?? file)
  const found = findProgram(program.target, env, cwd)
  const strange = !program.target.includes('/') && found !== undefined && found !== findProgram(program.target, before, cwd) && !isSystemShell(found)
  const changed = [...changedBy(env, before), ...strange || looksElsewhere(env, before) ? ['PATH'] : []].sort()
  const path = found === undefined ? undefined : realFile(found)
  return {
    kind: 'process.start', target: strange ? found : program.target,
    detail: {
      api, args: program.args.slice(0, 20), ...program.shell ? { shell: program.shell } : {}, ...read(options, 'detached') === true ? { detached: true } : {},
      ...path === undefined || path === program.target ? {} : { path }, ...changed.length > 0 ? { env: changed } : {},
    },
    ...changed.length > 0 ? { also: changed.map(name => `env:${name}`) } : {},
  }
}

const given = (options: unknown): Given => ({ options, env: envOf(read(options, 'env')) })
const envOf = (value: unknown): Environment | undefined => typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).flatMap(([name, one]: [string, unknown]) => one === undefined ? [] : [[name, String(one)]])) : undefined

/** `(file, args?, options?)`, where `shell: true` makes the whole a command line. */
const startSync = (start: Start, api: string): Look => args => {
  const file = args[0]
  if (typeof file !== 'string') return undefined
  const words = Array.isArray(args[1]) ? args[1] as unknown[] : []
  const options = Array.isArray(args[1]) || args[1] === undefined || args[1] === null ? args[2] : args[1]
  const shell = read(options, 'shell')
  if (shell === undefined || shell === false) return start(api, file, [file, ...words], given(options))
  return start(api, typeof shell === 'string' ? shell : '/bin/sh', ['/bin/sh', '-c', [file, ...words].join(' ')], given(options))
}

const execSync = (start: Start): Look => args => typeof args[0] === 'string'
  ? start('child_process.execSync', typeof read(args[1], 'shell') === 'string' ? read(args[1], 'shell') as string : '/bin/sh', ['/bin/sh', '-c', args[0]], given(args[1]))
  : undefined

/** `process.execve` (Node 23.11): this program ends, and the other goes on in its place. */
const execve = (start: Start): Look => args => typeof args[0] === 'string'
  ? start('process.execve', args[0], Array.isArray(args[1]) ? args[1] as unknown[] : [args[0]], { options: undefined, env: envOf(args[2]) })
  : undefined

/** Node opens its inspector at SIGUSR1: to itself that is no signal but an open port. */
const signal = (api: string, pid: unknown, name: unknown): Seen | undefined => Number(pid) === process.pid && (name === 'SIGUSR1' || name === constants.signals.SIGUSR1)
  ? { kind: 'inspector.open', target: `127.0.0.1:${process.debugPort}`, detail: { api } }
  : (typeof pid !== 'number' && typeof pid !== 'string') || Number(pid) === process.pid || name === 0
    ? undefined
    : { kind: 'process.signal', target: String(pid), detail: { api, signal: String(name ?? 'SIGTERM') } }

export function watchProcesses(surgery: Surgery): void {
  const start = starting(surgery.recorder)
  watchSpawn(surgery, start)
  guard(surgery, childProcess, 'spawnSync', startSync(start, 'child_process.spawnSync'), refuseSync)
  guard(surgery, childProcess, 'execFileSync', startSync(start, 'child_process.execFileSync'), refuseSync)
  guard(surgery, childProcess, 'execSync', execSync(start), refuseSync)
  guard(surgery, process, 'execve', execve(start), refuseSync)
  guard(surgery, process, 'kill', args => signal('process.kill', args[0], args[1]), refuseSync)
  guard(surgery, process, '_debugProcess', args => signal('process._debugProcess', args[0], 'SIGUSR1'), refuseSync)
}

/** Starts, and signals to children: whoever may start a child may end it. */
function watchSpawn(surgery: Surgery, start: Start): void {
  const { patches, recorder } = surgery
  const starters = new WeakMap<object, string | undefined>()
  guard(surgery, childProcess.ChildProcess.prototype, 'kill', (args, self) => {
    const child = self as childProcess.ChildProcess
    const seen = child.exitCode === null && child.signalCode === null ? signal('child_process.kill', child.pid, args[0]) : undefined
    return seen && { ...seen, ...starters.get(child) === recorder.scope?.callId ? { follows: 'process.start' as const } : {} }
  }, refuseSync)
  patches.replace(childProcess.ChildProcess.prototype, 'spawn', original => ({
    spawn(this: childProcess.ChildProcess, options: unknown): unknown {
      const file = read(options, 'file')
      if (!recorder.watching || typeof file !== 'string') return Reflect.apply(original, this, [options])
      const words = read(options, 'args')
      const seen = start('child_process.spawn', file, Array.isArray(words) ? words : [file], { options, env: fromPairs(read(options, 'envPairs')) })
      const stop = recorder.see(seen)
      starters.set(this, recorder.scope?.callId)
      if (!stop) return recorder.doing(seen, () => Reflect.apply(original, this, [options]))
      // A start that fails with ENOENT leaves streams, `error` and callbacks just as callers expect; only the error is ours.
      const result = Reflect.apply(original, this, [{ ...options as object, file: '' }])
      Object.defineProperty(this, 'spawnfile', { value: file, writable: true, enumerable: true, configurable: true })
      failWith(this, stop)
      for (const stream of this.stdio ?? []) hush(stream)
      return result
    },
  }).spawn as Fn)
}

/**
 * Makes the coming `error` event carry our error. Without a listener none is emitted, since Node would end the process: neither this one nor
 * those that follow from it, such as that of a message to a child that never was.
 */
function failWith(child: childProcess.ChildProcess, stop: Error): void {
  const emit = child.emit.bind(child) as (...args: unknown[]) => boolean
  let told = false
  Object.defineProperty(child, 'emit', {
    configurable: true, writable: true, enumerable: false,
    value(...args: unknown[]): boolean {
      if (args[0] !== 'error') return emit(...args)
      const error = told ? args[1] : stop
      told = true
      return child.listenerCount('error') > 0 && emit('error', error)
    },
  })
}
