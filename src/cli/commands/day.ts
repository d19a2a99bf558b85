/** `usher day`, which `npm start` runs: one day of a personal agent's events through the real router, and what came of it. */
import type { Command } from 'commander'
import { basename, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Usher } from '../../assemble.ts'
import { openLogReader } from '../../log/reader.ts'
import { unexplained } from '../../log/unexplained.ts'
import type { Effect, Outcome } from '../../types.ts'
import { eventBytes, runEvents, type Handled } from '../events.ts'
import type { Io } from '../io.ts'
import { withUsher } from '../open.ts'
import { DEFAULT_LOG } from '../setup.ts'
import { outcomeStyle } from '../outcome-style.ts'
import { runTable } from '../run-table.ts'
import { installObserver } from '../../effects/observer.ts'
import { jsonLine } from './run.ts'

const DAY_FILE = fileURLToPath(new URL('../../../src/example/day.jsonl', import.meta.url))

export function registerDay(program: Command, io: Io): void {
  program.command('day')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--real-opener', 'open the browser for real when the day asks for it; default: only write down what would have been opened')
    .option('--json', 'one JSON line for each event')
    .addHelpText('after', `
Examples:
  $ usher day
  $ usher day --log /tmp/day.sqlite --json`)
    .action(async (options: { log?: string, realOpener?: true, json?: true }) => {
      const clock = { at: 0, now(): number { return this.at } }
      const seen: Effect[] = []
      const observer = installObserver()
      const detach = observer.attach(effect => { if (effect.callId !== null) seen.push(effect) })
      try {
        await withUsher({ ...options, console: true }, { clock, timeZone: 'UTC' }, async (usher, log) => {
          const handled: Handled[] = []
          const shown = runTable(io, 'UTC')
          if (!options.json) shown.head()
          for await (const one of runEvents(eventBytes(DAY_FILE), { source: 'replay', trustBody: true, now: () => clock.now() }, usher, event => { clock.at = event.at })) {
            handled.push(one)
            if (options.json) io.out(JSON.stringify(jsonLine(one)))
            else shown.row(one)
          }
          if (!options.json) summary(io, usher, log, handled, seen)
        })
      } finally {
        detach()
        observer.uninstall()
      }
    })
}

function summary(io: Io, usher: Usher, log: string, handled: readonly Handled[], effects: readonly Effect[]): void {
  const outcomes = handled.flatMap(one => one.outcomes)
  const counts = new Map<Outcome['kind'], number>()
  for (const { kind } of outcomes) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const counted = [...counts].sort((a, b) => b[1] - a[1]).map(([kind, count]) => io.paint(outcomeStyle(kind), `${count} ${kind}`))
  io.out(`\n${io.paint('bold', 'Outcomes')}  ${counted.join(', ')}`)

  io.out(`\n${io.paint('bold', 'Effects observed')}  ${effects.length === 0 ? 'none' : ''}`)
  for (const effect of effects) {
    const outcome = outcomes.find(one => one.callId === effect.callId)
    io.out(`  ${effect.kind} ${basename(effect.target)}${effect.blocked ? ' (stopped)' : ''}  by ${outcome?.tool ?? effect.callId}, asked: "${handled.find(one => outcome && one.outcomes.includes(outcome))?.event.text ?? ''}"`)
  }

  const reader = openLogReader(log)
  const found = unexplained(reader)
  reader.close()
  io.out(`\n${io.paint('bold', 'Which side effects had no explicit ask behind them?')}  ${found.length === 0 ? io.paint('green', 'none') : io.paint('red', String(found.length))}`)
  for (const one of found) io.out(`  ${one.kind ?? one.reason} ${one.target ?? ''}  ${one.evidence}`)
  holdings(io, handled)

  const fired = outcomes.find(outcome => outcome.callId !== undefined && outcome.route === 'open-console')
  const where = relative(process.cwd(), usher.log.location) || usher.log.location
  io.out(`\n${io.paint('bold', 'The log')}  ${where}\n\nTry next:`)
  const elsewhere = resolve(DEFAULT_LOG) === resolve(log) ? '' : ` --log ${where}`
  if (fired?.callId) io.out(`  npx usher explain ${fired.callId}${elsewhere}`)
  io.out('  npx usher decide "why does the console keep opening?"')
  io.out(`  npx usher unexplained${elsewhere}`)
}

/** What a router that matches meaning alone would have done with the one tool that has no safe default. */
function holdings(io: Io, handled: readonly Handled[]): void {
  const near = handled.flatMap(one => one.outcomes.filter(outcome => outcome.tool === 'show_memory_map' && outcome.kind !== 'duplicate').map(outcome => ({ text: one.event.text, outcome })))
  if (near.length === 0) return
  const held = near.filter(({ outcome }) => outcome.kind !== 'source-blocked')
  io.out(`\n${io.paint('bold', 'Held')}  show_memory_map has no safe default: every call opens a tab. Its owner's own words came near it ${held.length} times without asking for it:`)
  for (const { text, outcome } of held) io.out(`  ${outcome.kind}  "${text}"  ${outcome.why}`)
  io.out(`  and ${near.length - held.length} times other sources did, which may not fire it whatever they say.`)
}
