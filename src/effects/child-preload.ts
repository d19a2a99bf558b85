/**
 * Runs inside a Node child (`NODE_OPTIONS=--import`) before its own code, and reports its effects to the file that USHER_EFFECTS_REPORT names.
 * Where USHER_EFFECTS_SCOPE names a file, the call that it tells of holds this child back as it would hold back the parent. For the rest the
 * child must not notice: its streams, its exit and its errors stay its own.
 */
import { appendFileSync } from 'node:fs'
import { threadId } from 'node:worker_threads'
import { readScope } from './child-scope.ts'
import { installObserver } from './observer.ts'

const report = process.env['USHER_EFFECTS_REPORT']
const scopeFile = process.env['USHER_EFFECTS_SCOPE']
/** A path or a name longer than this is cut. */
const MAX_TARGET = 4096

function append(file: string, line: object): void {
  try {
    // Opened for each line: a program that closes every descriptor, or reuses the number, must not be hit.
    appendFileSync(file, `${JSON.stringify(line)}\n`, { flag: 'a', mode: 0o600 })
  } catch {
    // The child must not notice. Without its first line it counts as not reporting, and that is shown.
  }
}

if (report !== undefined && report !== '') {
  const observer = installObserver()
  append(report, { pid: process.pid, ppid: process.ppid, watcher: 'node-child', hello: 1, argv: [...process.argv].slice(0, 20), at: Date.now(), ...threadId === 0 ? {} : { thread: threadId } })
  if (scopeFile !== undefined && scopeFile !== '') observer.bound(() => readScope(scopeFile))
  observer.attach(({ kind, target, at, detail, blocked }) => {
    append(report, { pid: process.pid, watcher: 'node-child', kind, target: target.slice(0, MAX_TARGET), at, detail, ...blocked ? { blocked: true } : {} })
  })
}
