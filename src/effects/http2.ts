/** HTTP/2 requests. Their connection is a socket like any other; a session's class is reached through the first session. */
import { createRequire } from 'node:module'
import { guard, hush, refuseSync, type Look, type Surgery } from './guard.ts'
import type { Fn } from './patches.ts'
import { read } from './text.ts'

/** Absent where Node was built without crypto. */
const http2 = (): object | undefined => process.versions.openssl === undefined ? undefined : createRequire(import.meta.url)('node:http2') as object

export function watchHttp2(surgery: Surgery): void {
  const { patches, recorder } = surgery
  const origins = new WeakMap<object, string>()
  const request: Look = (args, self) => ({
    kind: 'http.request',
    target: `${String(read(args[0], ':method') ?? 'GET')} ${origins.get(self as object) ?? String(read(args[0], ':authority') ?? 'unknown')}`,
    detail: { api: 'http2.request' },
  })
  let reached = false
  const module = http2()
  if (!module) return
  patches.replace(module, 'connect', original => ({
    connect(this: unknown, ...args: unknown[]): unknown {
      if (!recorder.active) return Reflect.apply(original, this, args)
      // A stopped connection ends the session with our error, and nobody may be listening yet.
      const session = recorder.doing(undefined, () => Reflect.apply(original, this, args), hush) as object
      const authority = args[0]
      if (authority instanceof URL || (typeof authority === 'string' && URL.canParse(authority))) origins.set(session, new URL(authority).origin)
      if (!reached) {
        reached = true
        guard(surgery, Object.getPrototypeOf(session) as object, 'request', request, refuseSync)
      }
      return session
    },
  }).connect as Fn)
}
