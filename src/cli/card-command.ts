/** Runs the owner's command for each call that waits for a person: a desktop notification, a message. */
import { spawn } from 'node:child_process'
import type { Card } from '../approvals/card.ts'
import { installObserver } from '../effects/observer.ts'
import { visible } from '../util/mask.ts'
import type { Io } from './io.ts'

/**
 * @param command run by the shell, as its owner typed it, e.g. `notify-send "Usher" "$USHER_CARD"`; a line for people comes as USHER_CARD, and the
 * card as JSON on its standard input, without its arguments: a notification is seen by whoever looks at the screen
 */
export function cardCommand(command: string, io: Io): (card: Card) => void {
  return card => {
    const observer = installObserver()
    observer.background('usher:card', () => {
      const child = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'inherit'], env: { ...process.env, USHER_CARD: visible(`${card.tool} waits for you: usher approve ${card.id}`) } })
      child.on('error', error => io.err(`the card command could not be run: ${error.message}`))
      child.stdin.on('error', error => io.err(`the card command did not read its input: ${error.message}`))
      child.stdin.end(`${JSON.stringify({ id: card.id, tool: card.tool, route: card.route ?? null, source: card.event.source, effects: card.effects, why: card.why, expiresAt: card.expiresAt })}\n`)
    })
    observer.uninstall()
  }
}
