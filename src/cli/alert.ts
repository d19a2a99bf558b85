/** Runs the owner's command at once for an effect that was stopped or that nobody asked for: a notification, a mail. */
import { spawn } from 'node:child_process'
import { installObserver } from '../effects/observer.ts'
import type { Effect } from '../types.ts'
import { Lru } from '../util/lru.ts'
import type { Io } from './io.ts'

/** Ms in which the same effect is told once: a loop that writes a file must not become a loop of mails. */
const QUIET_MS = 60_000
/** Commands that run at the same time; what comes above that is counted, and told with the next one. */
const AT_ONCE = 8
const KEPT = 1000

/**
 * @param command run by the shell, as its owner typed it; the effect comes as JSON on its standard input and as USHER_EFFECT, one word of its
 * kind. `repeated`: how often the same was held back since it was told last. `untold`: others that were not told, since too many commands ran
 */
export function alertCommand(command: string, io: Io, now: () => number = Date.now): (effect: Effect) => void {
  const told = new Lru<{ readonly at: number, repeated: number }>(KEPT)
  let running = 0
  let untold = 0
  return effect => {
    const key = JSON.stringify([effect.kind, effect.target, effect.blocked])
    const before = told.get(key)
    if (before && now() - before.at < QUIET_MS && now() >= before.at) { before.repeated++; return }
    if (running >= AT_ONCE) { untold++; return }
    const body = { ...effect, ...before?.repeated ? { repeated: before.repeated } : {}, ...untold > 0 ? { untold } : {} }
    told.set(key, { at: now(), repeated: 0 })
    untold = 0
    running++
    const observer = installObserver()
    observer.background('usher:alert', () => {
      const child = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'inherit'], env: { ...process.env, USHER_EFFECT: effect.kind } })
      child.once('close', () => { running-- })
      child.on('error', error => io.err(`the alert command could not be run: ${error.message}`))
      child.stdin.on('error', error => io.err(`the alert command did not read its input: ${error.message}`))
      child.stdin.end(`${JSON.stringify(body)}\n`)
    })
    observer.uninstall()
  }
}
