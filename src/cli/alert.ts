/** Runs the owner's command at once for an effect that was stopped or that nobody asked for: a notification, a mail. */
import { spawn } from 'node:child_process'
import { installObserver } from '../effects/observer.ts'
import type { Effect } from '../types.ts'
import type { Io } from './io.ts'

/** @param command run by the shell, as its owner typed it; the effect comes as JSON on its standard input and as USHER_EFFECT, one word of its kind */
export function alertCommand(command: string, io: Io): (effect: Effect) => void {
  return effect => {
    const observer = installObserver()
    observer.background('usher:alert', () => {
      const child = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'inherit'], env: { ...process.env, USHER_EFFECT: effect.kind } })
      child.on('error', error => io.err(`the alert command could not be run: ${error.message}`))
      child.stdin.on('error', error => io.err(`the alert command did not read its input: ${error.message}`))
      child.stdin.end(`${JSON.stringify(effect)}\n`)
    })
    observer.uninstall()
  }
}
