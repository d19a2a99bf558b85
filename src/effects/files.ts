/** Files: every builtin that writes, deletes, renames or changes rights, in its three styles (sync, callback, promise). */
import fs from 'node:fs'
import type { SeenEffect } from '../vocabulary/effects.ts'
import { watchDescriptors } from './descriptors.ts'
import { guard, refuseCallback, refusePromise, refuseSync, type Look, type Surgery } from './guard.ts'
import type { Seen } from './judge.ts'
import type { Recorder } from './recorder.ts'
import { realTarget } from './realpath.ts'
import { pathOf, read } from './text.ts'
import { isNowhere, opensForWrite } from './writing.ts'

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

/** These also take a descriptor or a handle instead of a path. */
const ALSO_DESCRIPTORS = ['writeFile', 'appendFile']

export function watchFiles(surgery: Surgery): void {
  const throughDescriptor = watchDescriptors(surgery)
  for (const [name, what] of Object.entries(FUNCTIONS)) {
    const look = (api: string): Look => {
      const byPath = lookByPath(surgery.recorder, api, what)
      if (!ALSO_DESCRIPTORS.includes(name)) return byPath
      const byDescriptor = throughDescriptor(api)
      return (args, self) => typeof args[0] === 'string' ? byPath(args, self) : byPath(args, self) ?? byDescriptor(args, self)
    }
    guard(surgery, fs, name, look(`fs.${name}`), refuseCallback)
    guard(surgery, fs, `${name}Sync`, look(`fs.${name}Sync`), refuseSync)
    guard(surgery, fs.promises, name, look(`fs.promises.${name}`), refusePromise)
  }
}

function lookByPath(recorder: Recorder, api: string, { look, follows }: FileLook): Look {
  const plain = Object.freeze({ api })
  return args => {
    const found = look(args)
    if (!found) return undefined
    const { kind, target, also, from } = found
    const real = recorder.scope?.mode === 'enforce' ? elsewhere(found, follows) : undefined
    if (!also && !real) return { kind, target, detail: plain }
    return { kind, target, detail: from === undefined ? plain : { api, from }, ...also && { also }, ...real && { real } }
  }
}

/** Where an effect's paths really lead, as far as that is elsewhere: asked only where something may be stopped. */
function elsewhere({ target, also = [] }: Pick<Seen, 'target' | 'also'>, follows: boolean): string[] {
  return [target, ...also].flatMap(name => {
    const real = realTarget(name, follows)
    return real === name ? [] : [real]
  })
}
