/**
 * Writes through a descriptor that the call did not open itself. One that it opened was judged when it was; so each descriptor is told once for
 * each call. Outside any call nothing is done: whoever opened it was seen.
 */
import fs from 'node:fs'
import type { SeenEffect } from '../vocabulary/effects.ts'
import { guard, refuseCallback, refusePromise, refuseSync, type Look, type Sight, type Surgery } from './guard.ts'
import type { Fn } from './patches.ts'
import type { Recorder } from './recorder.ts'
import { read } from './text.ts'
import { isNowhere, opensForWrite } from './writing.ts'

const STANDARD = [1, 2]
/** Functions of a descriptor, with what they do; each stands for `name` and `nameSync`. */
const OF_NUMBER: { readonly [name: string]: SeenEffect } = { write: 'fs.write', writev: 'fs.write', ftruncate: 'fs.write', fchmod: 'fs.chmod', fchown: 'fs.chmod', futimes: 'fs.chmod' }
const OF_HANDLE: { readonly [name: string]: SeenEffect } = { write: 'fs.write', writev: 'fs.write', writeFile: 'fs.write', appendFile: 'fs.write', truncate: 'fs.write', chmod: 'fs.chmod', chown: 'fs.chmod', utimes: 'fs.chmod' }

/** The file behind a descriptor; undefined for pipes, sockets and terminals. Without /proc only the number is known. */
function fileOf(fd: number): string | undefined {
  if (process.platform !== 'linux') return `fd:${fd}`
  try {
    const path = fs.readlinkSync(`/proc/self/fd/${fd}`).replace(/ \(deleted\)$/, '')
    return path.startsWith('/') && !isNowhere(path) ? path : undefined
  } catch {
    // Not open: the builtin will say so.
    return undefined
  }
}

/** Which calls know which descriptors (numbers) and handles (objects). */
class Told {
  readonly #numbers = new Map<number, Set<string>>()
  readonly #handles = new WeakMap<object, Set<string>>()
  calls(of: number | object): Set<string> | undefined {
    return typeof of === 'number' ? this.#numbers.get(of) : this.#handles.get(of)
  }
  tell(of: number | object, callId: string): void {
    const calls = this.calls(of)
    if (calls) calls.add(callId)
    else if (typeof of === 'number') this.#numbers.set(of, new Set([callId]))
    else this.#handles.set(of, new Set([callId]))
  }
  forget(fd: number): void {
    this.#numbers.delete(fd)
  }
}

/** Gives the look for functions that take a descriptor, a handle or a path, when they get no path: files.ts guards those. */
export function watchDescriptors(surgery: Surgery): (api: string) => Look {
  const told = new Told()
  watchOpening(surgery, told)
  for (const [name, kind] of Object.entries(OF_NUMBER)) {
    const look = (api: string): Look => args => typeof args[0] === 'number' ? sight(surgery.recorder, told, kind, api, args[0], args[0]) : undefined
    guard(surgery, fs, name, look(`fs.${name}`), refuseCallback)
    guard(surgery, fs, `${name}Sync`, look(`fs.${name}Sync`), refuseSync)
  }
  watchHandles(surgery, told)
  return api => ([file]) => typeof file === 'number' ? sight(surgery.recorder, told, 'fs.write', api, file, file) : handleSight(surgery.recorder, told, 'fs.write', api, file)
}

function sight(recorder: Recorder, told: Told, kind: SeenEffect, api: string, fd: number, key: number | object): Sight | undefined {
  const callId = recorder.scope?.callId
  if (callId === undefined || STANDARD.includes(fd)) return undefined
  if (kind === 'fs.write' && told.calls(key)?.has(callId)) return undefined
  const target = fileOf(fd)
  if (target === undefined) return undefined
  return { kind, target, detail: { api, opened: 'before' }, told: () => { if (kind === 'fs.write') told.tell(key, callId) } }
}

function handleSight(recorder: Recorder, told: Told, kind: SeenEffect, api: string, handle: unknown): Sight | undefined {
  const fd = read(handle, 'fd')
  return typeof fd === 'number' && typeof handle === 'object' && handle !== null ? sight(recorder, told, kind, api, fd, handle) : undefined
}

/** A descriptor that a call opens for writing is known to it; a closed number means another file next time. */
function watchOpening({ patches, recorder }: Surgery, told: Told): void {
  const opened = (fd: unknown, callId: string): void => { if (typeof fd === 'number') told.tell(fd, callId) }
  patches.replace(fs, 'openSync', original => ({
    open(this: unknown, ...args: unknown[]): unknown {
      const fd = Reflect.apply(original, this, args)
      const callId = recorder.active ? recorder.scope?.callId : undefined
      if (callId !== undefined && opensForWrite(args[1])) opened(fd, callId)
      return fd
    },
  }).open)
  patches.replace(fs, 'open', original => ({
    open(this: unknown, ...args: unknown[]): unknown {
      const callId = recorder.active ? recorder.scope?.callId : undefined
      const last = args.findLastIndex(arg => typeof arg === 'function')
      if (callId === undefined || last < 1 || !opensForWrite(last === 1 ? undefined : args[1])) return Reflect.apply(original, this, args)
      const callback = args[last] as Fn
      return Reflect.apply(original, this, args.with(last, (error: unknown, fd: unknown) => { opened(fd, callId); callback(error, fd) }))
    },
  }).open)
  for (const name of ['close', 'closeSync']) {
    patches.replace(fs, name, original => ({
      close(this: unknown, ...args: unknown[]): unknown {
        if (typeof args[0] === 'number') told.forget(args[0])
        return Reflect.apply(original, this, args)
      },
    }).close)
  }
}

/** The class of file handles is reached through the first one. */
function watchHandles(surgery: Surgery, told: Told): void {
  const { patches, recorder } = surgery
  let reached = false
  const reach = (handle: object): void => {
    if (reached || !recorder.active) return
    reached = true
    for (const [name, kind] of Object.entries(OF_HANDLE)) {
      guard(surgery, Object.getPrototypeOf(handle) as object, name, (_args, self) => handleSight(recorder, told, kind, `FileHandle.${name}`, self), refusePromise)
    }
  }
  patches.replace(fs.promises, 'open', original => ({
    open(this: unknown, ...args: unknown[]): unknown {
      const callId = recorder.active ? recorder.scope?.callId : undefined
      const handle = Reflect.apply(original, this, args) as Promise<object>
      if (reached && callId === undefined) return handle
      return handle.then(opened => {
        reach(opened)
        if (callId !== undefined && opensForWrite(args[1])) told.tell(opened, callId)
        return opened
      })
    },
  }).open)
}
