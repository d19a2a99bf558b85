/** Where a path really leads: a symbolic link inside an allowed folder must not open a door out of it. */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { EffectPattern } from '../types.ts'
import { parseEffect } from '../vocabulary/effects.ts'

/** As Linux: more links in a row than this is a loop, and the builtin will refuse it itself. */
const MAX_LINKS = 40

/**
 * The path with every link in its folders resolved, also where it does not exist yet.
 * @param follows the last part may be a link that is written through, dangling or not
 */
export function realTarget(path: string, follows: boolean, links = 0): string {
  const parent = realFolder(dirname(path))
  const here = join(parent, basename(path))
  if (!follows || links >= MAX_LINKS) return here
  const link = linkAt(here)
  return link === undefined ? here : realTarget(resolve(parent, link), true, links + 1)
}

/** What a symbolic link says; undefined for anything else. */
function linkAt(path: string): string | undefined {
  try {
    // Asked first: an exception for every plain file would cost more than all else here.
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined
  } catch {
    // No right to look, or too long a name: the builtin will say so.
    return undefined
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    const above = dirname(folder)
    return above === folder ? folder : join(realFolder(above), basename(folder))
  }
}

/** A pattern whose fixed folders are named through a link (macOS: /tmp) means the place that the link leads to as well. */
export function realPattern(pattern: EffectPattern): EffectPattern {
  const target = parseEffect(pattern)?.target
  if (target === undefined || !target.startsWith('/')) return pattern
  const star = target.indexOf('*')
  const fixed = (star < 0 ? target : target.slice(0, star)).lastIndexOf('/')
  if (fixed <= 0) return pattern
  return `${pattern.slice(0, pattern.indexOf(':') + 1)}${realFolder(target.slice(0, fixed))}${target.slice(fixed)}`
}
