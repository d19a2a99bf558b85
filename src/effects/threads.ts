/** What takes work out of the observer's sight: worker threads, native code, an inspector port. Each is an effect itself. */
import module, { createRequire } from 'node:module'
import { resolve } from 'node:path'
import workers from 'node:worker_threads'
import { guard, refuseSync, type Look, type Surgery } from './guard.ts'
import type { Fn } from './patches.ts'
import type { Seen } from './judge.ts'
import { isUrl, pathOf, place, read } from './text.ts'

function workerFile(file: unknown, options: unknown): string | undefined {
  if (read(options, 'eval') === true) return '[eval]'
  if (isUrl(file) && file.protocol !== 'file:') return `${file.protocol}[inline]`
  return pathOf(file)
}

const dlopen: Look = args => typeof args[1] === 'string' ? { kind: 'native.load', target: resolve(args[1]), detail: { api: 'process.dlopen' } } : undefined
/** A specifier that is no file of its own (a package) is named as it stands. */
const hooks: Look = ([file]) => typeof file === 'string' || isUrl(file) ? { kind: 'worker.start', target: loaderOf(String(file)), detail: { api: 'module.register' } } : undefined
const loaderOf = (file: string): string => !URL.canParse(file) ? file : new URL(file).protocol === 'file:' ? pathOf(new URL(file)) ?? file : `${new URL(file).protocol}[inline]`
const binding: Look = args => typeof args[0] === 'string' ? { kind: 'native.load', target: `binding:${args[0]}`, detail: { api: 'process.binding' } } : undefined
const inspect: Look = args => ({ kind: 'inspector.open', target: place(typeof args[1] === 'string' ? args[1] : '127.0.0.1', args[0] ?? 9229), detail: { api: 'inspector.open' } })

export function watchThreads(surgery: Surgery): void {
  watchWorker(surgery)
  guard(surgery, process, 'dlopen', dlopen, refuseSync)
  guard(surgery, process, 'binding', binding, refuseSync)
  // Loader hooks run in a thread of Node's own, which the observer is not in.
  guard(surgery, module, 'register', hooks, refuseSync)
  // Absent where Node was built without it.
  const inspector = process.features.inspector ? createRequire(import.meta.url)('node:inspector') as object : undefined
  if (!inspector) return
  guard(surgery, inspector, 'open', inspect, refuseSync)
  // The promise form inherits from this one. Whoever holds a session reaches every function underneath the observer.
  const session = (Reflect.get(inspector, 'Session') as { readonly prototype: object }).prototype
  for (const name of ['connect', 'connectToMainThread']) guard(surgery, session, name, () => ({ kind: 'inspector.open', target: 'session', detail: { api: `inspector.Session.${name}` } }), refuseSync)
}

/** A class: only `new` has an effect, and subclasses, `instanceof` and statics have to go on working. */
function watchWorker({ patches, recorder }: Surgery): void {
  patches.replaceClass(workers, 'Worker', original => new Proxy(original, {
    construct(target, args: unknown[], newTarget: Fn): object {
      const file = recorder.watching ? workerFile(args[0], args[1]) : undefined
      const to = newTarget === workers.Worker as unknown ? target : newTarget
      if (file === undefined) return Reflect.construct(target, args, to) as object
      const seen: Seen = { kind: 'worker.start', target: file, detail: { api: 'worker_threads.Worker' } }
      const stop = recorder.see(seen)
      if (stop) throw stop
      return recorder.doing(seen, () => Reflect.construct(target, args, to) as object)
    },
  }))
}
