/** The files that decide over a command that runs for long: who may write them is said, and a change behind its back halts auto-invocation (`control:human`). */
import { resolve } from 'node:path'
import { ControlFiles } from '../contract/control-files.ts'
import { findRouteFiles } from '../routes/files.ts'
import type { Io } from './io.ts'

export interface ControlGuard {
  /** What is not as it was loaded, in words. */
  readonly changed: () => readonly string[]
  /** Who else may write them, in words: links, modes, folders above. Owning them is the running user's own business here. */
  readonly breaches: readonly string[]
}

/** Call it right before the files are loaded. */
export function controlGuard(routes: readonly string[], tools: string | undefined): ControlGuard {
  const files = new ControlFiles([...findRouteFiles(routes), ...tools === undefined ? [] : [resolve(tools)]], { ownMachine: true })
  return {
    changed: () => files.changed().map(problem => problem.message),
    // A route folder on a temporary file system is gone after a restart, and no danger.
    breaches: files.breaches().filter(problem => problem.code !== 'file-system').map(problem => problem.message),
  }
}

export function sayBreaches(io: Io, guard: ControlGuard): void {
  for (const words of guard.breaches) io.err(`${io.paint('yellow', 'control file')}  ${words}`)
}
