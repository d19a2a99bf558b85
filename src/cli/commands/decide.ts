/** `usher decide`: what would happen, and nothing happens. */
import type { Command } from 'commander'
import { isSource } from '../../ingest/source.ts'
import { UsherError } from '../../errors.ts'
import { OUTCOMES } from '../../vocabulary/outcomes.ts'
import type { Io } from '../io.ts'
import { outcomeStyle } from '../outcome-style.ts'
import { withScratchUsher } from '../open.ts'
import { table } from '../table.ts'
import type { DecisionRow } from '../../ports.ts'

export function registerDecide(program: Command, io: Io): void {
  program.command('decide <text...>')
    .description('Say what an event would do, and why; call nothing, log nothing.')
    .option('--source <name>', 'where the event would come from', 'user')
    .option('--routes <path...>', 'route files or folders')
    .option('--tools <module>', 'a tools module')
    .option('--json', 'the decisions as JSON')
    .addHelpText('after', `
Examples:
  $ usher decide "please open the console"
  $ usher decide --source notification "open the console"

Exit code: 0 it would call something, 1 it would not, 2 used wrongly.`)
    .action(async (words: string[], options: { source: string, routes?: string[], tools?: string, json?: true }) => {
      if (!isSource(options.source)) throw new UsherError('BAD_OPTION', `--source must be a name like "user" or "chat:alice", got ${JSON.stringify(options.source)}`)
      const decisions = await withScratchUsher(options, usher => usher.decide({ source: options.source, text: words.join(' ') }))
      if (!decisions.some(decision => decision.ready)) io.exit(1)
      if (options.json) { io.out(JSON.stringify(decisions.map(({ row, ready }) => ({ wouldCall: ready !== undefined, ...row })), null, 2)); return }
      for (const { row, ready } of decisions) io.out(`${ready ? io.paint('green', 'would call') : io.paint(outcomeStyle(row.kind), row.kind)}${row.tool ? `  ${row.tool}` : ''}\n${explanation(io, row)}\n`)
    })
}

/** The evidence of one decision, for people. */
export function explanation(io: Io, row: DecisionRow): string {
  const figure = (value: number | undefined) => value === undefined ? '' : value.toFixed(3)
  const facts: [string, string][] = [
    ['why', row.why],
    ['reason', `${row.reason}: ${(OUTCOMES[row.kind].reasons as Record<string, string>)[row.reason] ?? ''}`],
    ...(row.route ? [['route', row.route] as [string, string]] : []),
    ...(row.phrase === undefined ? [] : [['phrase', `"${row.phrase}"${row.score === undefined ? '' : `  score ${figure(row.score)}`}`] as [string, string]]),
    ...(row.runnerUp ? [['runner-up', `"${row.runnerUp.phrase}" of ${row.runnerUp.route}  score ${figure(row.runnerUp.score)}  margin ${figure(row.margin)}`] as [string, string]] : []),
    ...(row.reading.length > 0 ? [['reading', row.reading.join('; ')] as [string, string]] : []),
    ...row.gate.map(step => [`gate ${step.rule}`, `${step.passed ? 'passed' : 'held'}: ${step.detail}`] as [string, string]),
    ...(row.args ? [['arguments', JSON.stringify(row.args)] as [string, string]] : []),
    ...Object.entries(row.origins).map(([path, origin]) => [`  ${path}`, originText(origin)] as [string, string]),
    ...(row.presetBytes === undefined ? [] : [['preset', row.presetBytes] as [string, string]]),
    ...(row.question ? [['question', row.question] as [string, string]] : []),
    ...row.nearMisses.map(near => ['near miss', `"${near.phrase}" of ${near.route}  score ${figure(near.score)} (threshold ${near.threshold})  ${near.reason}`] as [string, string]),
    ['next', OUTCOMES[row.kind].next],
  ]
  return table(io, ['', ''], facts, [14, 'rest'])
}

function originText(origin: unknown): string {
  const { kind, span, how } = origin as { kind: string, span?: { start: number, end: number }, how?: string }
  return kind === 'event' && span ? `from the event, characters ${span.start} to ${span.end}${how ? ` (${how})` : ''}` : kind === 'preset' ? 'preset of the route' : `from the ${kind}`
}
