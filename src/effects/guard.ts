/** Turns one builtin function into a guarded one. How a stopped effect reaches the caller depends on the function's style. */
import { EventEmitter } from 'node:events'
import { nextTick } from 'node:process'
import type { UsherError } from '../errors.ts'
import type { Seen } from './judge.ts'
import type { Fn, Holder, Patches } from './patches.ts'
import type { Recorder } from './recorder.ts'

export interface Surgery { readonly patches: Patches, readonly recorder: Recorder }

/** What is about to happen; `told` runs once it is recorded and may go on. */
export interface Sight extends Seen { readonly told?: () => void }

/** Reads it from the arguments; undefined: no effect, one that is told already, or arguments that the builtin itself will refuse. */
export type Look = (args: readonly unknown[], self: unknown) => Sight | undefined

/** How a stopped effect is told: the value to give back, or a throw. */
export type Refuse = (stop: UsherError, args: readonly unknown[], self: unknown) => unknown

export const refuseSync: Refuse = stop => { throw stop }
export const refusePromise: Refuse = stop => Promise.reject(stop)
/** To the callback, later, as Node does; without one the caller gets a throw, as Node's own argument check gives. */
export const refuseCallback: Refuse = (stop, args) => {
  const callback = args.findLast(arg => typeof arg === 'function') as Fn | undefined
  if (!callback) throw stop
  nextTick(callback, stop)
  return undefined
}

/** What to do if a part of the effect was stopped on the way: whoever will emit the error must not end the process with it. */
export type OnStop = (args: readonly unknown[], result: unknown) => void

export function guard({ patches, recorder }: Surgery, holder: Holder, key: string, look: Look, refuse: Refuse, onStop?: OnStop): void {
  patches.replace(holder, key, original => ({
    guarded(this: unknown, ...args: unknown[]): unknown {
      const seen = recorder.watching ? look(args, this) : undefined
      if (seen === undefined) return Reflect.apply(original, this, args)
      const stop = recorder.see(seen)
      if (stop) return refuse(stop, args, this)
      seen.told?.()
      const doing = recorder.enter(seen)
      try {
        const result = Reflect.apply(original, this, args)
        if (doing.stopped) onStop?.(args, result)
        return result
      } finally { recorder.leave() }
    },
  }).guarded)
}

/** To the `error` event, later. Without a listener Node would end the process: a stopped effect must not. */
export const refuseEmitter: Refuse = (stop, _args, self) => {
  const emitter = self as EventEmitter
  nextTick(() => { if (emitter.listenerCount('error') > 0) emitter.emit('error', stop) })
  return self
}

/** For emitters that will emit our error by themselves, and others after it: whatever is written to what never came to be fails too. */
export function hush(emitter: unknown): void {
  if (emitter instanceof EventEmitter) emitter.on('error', () => undefined)
}
