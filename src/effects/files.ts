/** Files: every builtin that writes, deletes, renames or changes rights, in its three styles (sync, callback, promise). */
import fs from 'node:fs'
import type { SeenEffect } from '../vocabulary/effects.ts'
import { guard, refuseCallback, refusePromise, refuseSync, type Look, type Surgery } from './guard.ts'
import type { Seen } from './judge.ts'
import { isNowhere } from './nowhere.ts'
import { realTarget } from './realpath.ts'
import { pathOf, read } from './text.ts'

const WRITING = fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_TRUNC | fs.constants.O_APPEND

/** Flags of `open`: `w`, `a`, `r+`, `wx`, a number; nothing stands for `fallback`. */
export function opensForWrite(flags: unknown, fallback = 'r'): boolean {
  const given = flags ?? fallback
  return typeof given === 'number' ? (given & WRITING) !== 0 : /[wa+]/.test(String(given))
}

interface FileLook { readonly look: (args: readonly unknown[]) => Omit<Seen, 'detail'> & { readonly from?: string } | undefined, readonly follows: boolean }

function at(kind: SeenEffect, value: unknown): Seen | undefined {
  const target = pathOf(value)
  return target === undefined || isNowhere(target) ? undefined : { kind, target }
}
const path = (kind: SeenEffect, nth: 0 | 1, follows: boolean): FileLook => ({ follows, look: args => at(kind, args[nth]) })

/** Both names: what a rename takes away has to be allowed as well, and so has a file that a hard link makes writable. */
const pair = (kind: SeenEffect): FileLook => ({
  follows: false,
  look(args) {
    const from = pathOf(args[0])
    const seen = from === undefined ? undefined : at(kind, args[1])
    return seen && from !== undefined ? { ...seen, also: [from], from } : undefined
  },
})
const open: FileLook = { follows: true, look: args => opensForWrite(typeof args[1] === 'function' ? undefined : args[1]) ? at('fs.write', args[0]) : undefined }
const whole = (flag: string): FileLook => ({ follows: true, look: args => opensForWrite(read(args[2], 'flag'), flag) ? at('fs.write', args[0]) : undefined })
const temporary: FileLook = { follows: false, look: args => typeof args[0] === 'string' ? at('fs.write', `${args[0]}XXXXXX`) : undefined }

/** Base name -> what it does; each stands for `name`, `nameSync` and `promises.name` where Node has them. */
const FUNCTIONS: { readonly [name: string]: FileLook } = {
  open, writeFile: whole('w'), appendFile: whole('a'), truncate: path('fs.write', 0, true), copyFile: path('fs.write', 1, true), cp: path('fs.write', 1, true),
  mkdir: path('fs.write', 0, false), mkdtemp: temporary, symlink: path('fs.write', 1, false), link: pair('fs.write'),
  unlink: path('fs.delete', 0, false), rm: path('fs.delete', 0, false), rmdir: path('fs.delete', 0, false),
  rename: pair('fs.rename'),
  chmod: path('fs.chmod', 0, true), lchmod: path('fs.chmod', 0, false), chown: path('fs.chmod', 0, true), lchown: path('fs.chmod', 0, false),
  utimes: path('fs.chmod', 0, true), lutimes: path('fs.chmod', 0, false),
}

export function watchFiles(surgery: Surgery): void {
  for (const [name, { look, follows }] of Object.entries(FUNCTIONS)) {
    const named = (api: string): Look => args => {
      const found = look(args)
      if (!found) return undefined
      const { from, ...seen } = found
      const detail = { api, ...from === undefined ? {} : { from } }
      return { ...seen, detail, ...surgery.recorder.scope?.mode === 'enforce' ? { real: elsewhere(seen, follows) } : {} }
    }
    guard(surgery, fs, name, named(`fs.${name}`), refuseCallback)
    guard(surgery, fs, `${name}Sync`, named(`fs.${name}Sync`), refuseSync)
    guard(surgery, fs.promises, name, named(`fs.promises.${name}`), refusePromise)
  }
}

/** Where an effect's paths really lead, as far as that is elsewhere: asked only where something may be stopped. */
function elsewhere({ target, also = [] }: Seen, follows: boolean): string[] {
  return [target, ...also].flatMap(name => {
    const real = realTarget(name, follows)
    return real === name ? [] : [real]
  })
}
