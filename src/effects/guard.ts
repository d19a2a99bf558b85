/** Turns one builtin function into a guarded one. How a stopped effect reaches the caller depends on the function's style. */
import { nextTick } from 'node:process'
import type { UsherError } from '../errors.ts'
import type { Seen } from './judge.ts'
import type { Fn, Holder, Patches } from './patches.ts'
import type { Recorder } from './recorder.ts'

export interface Surgery { readonly patches: Patches, readonly recorder: Recorder }

/** Reads from the arguments what is about to happen; undefined: no effect, or arguments that the builtin itself will refuse. */
export type Look = (args: readonly unknown[], self: unknown) => Seen | undefined

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

export function guard({ patches, recorder }: Surgery, holder: Holder, key: string, look: Look, refuse: Refuse): void {
  patches.replace(holder, key, original => ({
    guarded(this: unknown, ...args: unknown[]): unknown {
      const seen = recorder.watching ? look(args, this) : undefined
      if (seen === undefined) return Reflect.apply(original, this, args)
      const stop = recorder.see(seen)
      if (stop) return refuse(stop, args, this)
      return recorder.doing(seen, () => Reflect.apply(original, this, args))
    },
  }).guarded)
}

/** Ends an emitter with an error. Without a listener Node would end the process: a stopped effect must not. */
export function emitLater(emitter: NodeJS.EventEmitter, stop: UsherError): void {
  nextTick(() => { if (emitter.listenerCount('error') > 0) emitter.emit('error', stop) })
}
