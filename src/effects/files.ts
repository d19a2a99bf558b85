/** Files: every builtin that writes, deletes, renames or changes rights, in its three styles (sync, callback, promise). */
import fs from 'node:fs'
import { refuseCallback, refusePromise, refuseSync, guard, type Look, type Surgery } from './guard.ts'
import type { SeenEffect } from '../vocabulary/effects.ts'
import { pathOf, read } from './text.ts'

const WRITING = fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_TRUNC | fs.constants.O_APPEND
/** Nothing is changed by writing there, or it is a standard stream. */
const NOWHERE = /^\/dev\/(null|zero|full|tty|stdout|stderr|fd\/[12])$|^\/proc\/self\/fd\/[12]$/

/** Flags of `open`: `w`, `a`, `r+`, `wx`, a number; nothing stands for `fallback`. */
export function opensForWrite(flags: unknown, fallback = 'r'): boolean {
  const given = flags ?? fallback
  return typeof given === 'number' ? (given & WRITING) !== 0 : /[wa+]/.test(String(given))
}

function at(kind: SeenEffect, api: string, value: unknown, more: { also?: readonly string[], detail?: { readonly [key: string]: string } } = {}): ReturnType<Look> {
  const target = pathOf(value)
  if (target === undefined || NOWHERE.test(target)) return undefined
  return { kind, target, detail: { api, ...more.detail }, ...more.also ? { also: more.also } : {} }
}

const first = (kind: SeenEffect) => (api: string): Look => args => at(kind, api, args[0])
const second = (kind: SeenEffect) => (api: string): Look => args => at(kind, api, args[1])
const rename = (api: string): Look => args => {
  const from = pathOf(args[0])
  return from === undefined ? undefined : at('fs.rename', api, args[1], { also: [from], detail: { from } })
}
const open = (api: string): Look => args => opensForWrite(typeof args[1] === 'function' ? undefined : args[1]) ? at('fs.write', api, args[0]) : undefined
const writeWhole = (fallback: string) => (api: string): Look => args => {
  const options = args[2]
  return opensForWrite(read(options, 'flag'), fallback) ? at('fs.write', api, args[0]) : undefined
}
const makeTemporary = (api: string): Look => args => typeof args[0] === 'string' ? at('fs.write', api, `${args[0]}XXXXXX`) : undefined

/** Base name -> what it does; each stands for `name`, `nameSync` and `promises.name` where Node has them. */
const FUNCTIONS: { readonly [name: string]: (api: string) => Look } = {
  open, writeFile: writeWhole('w'), appendFile: writeWhole('a'),
  mkdir: first('fs.write'), mkdtemp: makeTemporary, truncate: first('fs.write'), symlink: second('fs.write'), link: second('fs.write'), copyFile: second('fs.write'), cp: second('fs.write'),
  unlink: first('fs.delete'), rm: first('fs.delete'), rmdir: first('fs.delete'),
  rename,
  chmod: first('fs.chmod'), lchmod: first('fs.chmod'), chown: first('fs.chmod'), lchown: first('fs.chmod'), utimes: first('fs.chmod'), lutimes: first('fs.chmod'),
}

export function watchFiles(surgery: Surgery): void {
  for (const [name, look] of Object.entries(FUNCTIONS)) {
    guard(surgery, fs, name, look(`fs.${name}`), refuseCallback)
    guard(surgery, fs, `${name}Sync`, look(`fs.${name}Sync`), refuseSync)
    guard(surgery, fs.promises, name, look(`fs.promises.${name}`), refusePromise)
  }
}
