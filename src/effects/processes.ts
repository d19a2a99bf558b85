/** Process starts and signals: every asynchronous start ends in `ChildProcess.prototype.spawn`; the synchronous ones have no common point that can be reached. */
import childProcess from 'node:child_process'
import { guard, hush, refuseSync, type Look, type Surgery } from './guard.ts'
import type { Fn } from './patches.ts'
import type { Seen } from './judge.ts'
import { programOf } from './shell.ts'
import { read } from './text.ts'

/** @param argv as the program gets it, its own name first */
const start = (api: string, file: string, argv: readonly unknown[], options: unknown): Seen => {
  const program = programOf(file, argv.map(String))
  return { kind: 'process.start', target: program.target, detail: { api, args: program.args.slice(0, 20), ...program.shell ? { shell: program.shell } : {}, ...read(options, 'detached') === true ? { detached: true } : {} } }
}

/** `(file, args?, options?)`, where `shell: true` makes the whole a command line. */
const startSync = (api: string): Look => given => {
  const file = given[0]
  if (typeof file !== 'string') return undefined
  const args = Array.isArray(given[1]) ? given[1] as unknown[] : []
  const options = Array.isArray(given[1]) || given[1] === undefined || given[1] === null ? given[2] : given[1]
  const shell = read(options, 'shell')
  if (shell === undefined || shell === false) return start(api, file, [file, ...args], options)
  return start(api, typeof shell === 'string' ? shell : '/bin/sh', ['/bin/sh', '-c', [file, ...args].join(' ')], options)
}

const execSync: Look = given => typeof given[0] === 'string'
  ? start('child_process.execSync', typeof read(given[1], 'shell') === 'string' ? read(given[1], 'shell') as string : '/bin/sh', ['/bin/sh', '-c', given[0]], given[1])
  : undefined

const signal = (api: string, pid: unknown, name: unknown): Seen | undefined =>
  (typeof pid !== 'number' && typeof pid !== 'string') || Number(pid) === process.pid || name === 0
    ? undefined
    : { kind: 'process.signal', target: String(pid), detail: { api, signal: String(name ?? 'SIGTERM') } }

export function watchProcesses(surgery: Surgery): void {
  watchSpawn(surgery)
  guard(surgery, childProcess, 'spawnSync', startSync('child_process.spawnSync'), refuseSync)
  guard(surgery, childProcess, 'execFileSync', startSync('child_process.execFileSync'), refuseSync)
  guard(surgery, childProcess, 'execSync', execSync, refuseSync)
  guard(surgery, process, 'kill', args => signal('process.kill', args[0], args[1]), refuseSync)
  guard(surgery, process, '_debugProcess', args => signal('process._debugProcess', args[0], 'SIGUSR1'), refuseSync)
}

/** Starts, and signals to children: whoever may start a child may end it. */
function watchSpawn(surgery: Surgery): void {
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
      const given = read(options, 'args')
      const seen = start('child_process.spawn', file, Array.isArray(given) ? given : [file], options)
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
