/** `usher stats`, `usher blame`, `usher report`: is each route worth having, and who is behind an effect? */
import type { Command } from 'commander'
import { reportWrong } from '../../approvals/false-fire.ts'
import { UsherError } from '../../errors.ts'
import { blame } from '../../log/blame.ts'
import { explainById } from '../../log/explain.ts'
import { openLogReader } from '../../log/reader.ts'
import { defaultStateDir } from '../../log/state.ts'
import { stats } from '../../log/stats.ts'
import { readRoutes } from '../../routes/load.ts'
import type { Route } from '../../types.ts'
import { writableLog } from '../fleet-log.ts'
import type { Io } from '../io.ts'
import { existingLog, routesFolder } from '../setup.ts'
import { sinceOption } from '../since.ts'
import { table } from '../table.ts'

export function registerStats(program: Command, io: Io): void {
  program.command('stats')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--since <when>', 'a duration (90m, 7d), a date, or "today"')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  $ usher stats --since 7d')
    .action((options: { log?: string, since?: string, json?: true }) => {
      const reader = openLogReader(existingLog(options.log))
      try {
        const found = stats(reader, options.since === undefined ? 0 : sinceOption(options.since))
        if (options.json) { io.out(JSON.stringify(found.map(one => ({ ...one, held: Object.fromEntries(one.held) })), null, 2)); return }
        const rows = found.map(one => [one.route, String(one.fired), [...one.held].map(([kind, count]) => `${count} ${kind}`).join(', '), String(one.nearMisses), String(one.falseFires), String(one.failed), String(one.unknown), one.latency ? `${one.latency.p50} / ${one.latency.p95}` : ''])
        io.out(rows.length === 0 ? 'no route in the log' : table(io, ['route', 'fired', 'held', 'near misses', 'reported false', 'failed', 'unknown', 'ms p50 / p95'], rows, [undefined, 5, 'rest', 11, 14, 6, 7, 12]))
      } finally {
        reader.close()
      }
    })
}

export function registerBlame(program: Command, io: Io): void {
  program.command('blame <effect>')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  $ usher blame effect-41\n\nExit code: 0 somebody asked, 1 nobody did or no such effect.')
    .action((effect: string, options: { log?: string, json?: true }) => {
      const reader = openLogReader(existingLog(options.log))
      try {
        const found = blame(reader, effect)
        if (found.kind === 'none') { io.exit(1); io.err(`no effect ${JSON.stringify(effect)} in the log; "usher explain CALL" shows the effects of a call`); return }
        if (!found.asker) io.exit(1)
        if (options.json) { io.out(JSON.stringify(found, null, 2)); return }
        io.out(`${found.effect.kind} ${found.effect.target}${found.effect.blocked ? ' (stopped)' : ''}`)
        for (const step of found.steps) io.out(`  <- ${step.call.callId} ${step.call.tool} by ${step.call.by}${step.event ? `  <- ${step.event.source}: "${step.event.text ?? ''}"` : ''}`)
        io.out(`${found.asker ? io.paint('green', 'asked') : io.paint('red', 'not asked')}: ${found.why}`)
      } finally {
        reader.close()
      }
    })
}

export function registerReport(program: Command, io: Io): void {
  program.command('report <call>')
    .requiredOption('--wrong <why>', 'why it was wrong, in your words')
    .option('--who <name>', 'who says so', process.env['USER'] ?? 'owner')
    .option('--routes <path...>', 'route files or folders').option('--state <folder>', 'the state folder, which holds the review folder')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .addHelpText('after', '\nExample:\n  $ usher report c-5f1c --wrong "I was only quoting it"')
    .action((id: string, options: ReportOptions) => report(io, id, options))
}

interface ReportOptions { readonly wrong: string, readonly who: string, readonly routes?: readonly string[], readonly state?: string, readonly log?: string }

async function report(io: Io, id: string, options: ReportOptions): Promise<void> {
  const file = existingLog(options.log)
  const reader = openLogReader(file)
  const found = explainById(reader, id)
  reader.close()
  const call = found.kind === 'found' ? found.explanation.calls[0]?.call : undefined
  if (found.kind !== 'found' || !call) throw new UsherError('BAD_OPTION', `no single call in the log has the id ${JSON.stringify(id)}; "usher log --outcome called" shows them`)
  const route = call.route === undefined ? undefined : routeNow(routesFolder(options.routes), call.route)
  const text = found.explanation.event?.text
  const log = await writableLog(file)
  try {
    const fire = { callId: call.callId, tool: call.tool, who: options.who, wrong: options.wrong, ...call.route === undefined ? {} : { route: call.route }, ...text === undefined ? {} : { text } }
    const made = await reportWrong(fire, { log, clock: { now: () => Date.now() }, stateFolder: options.state ?? defaultStateDir(), ...route ? { route } : {} })
    const breaker = `the breaker of ${call.route ?? `tool:${call.tool}`} is open until: usher breaker close ${call.route ?? `tool:${call.tool}`}`
    io.out(made.kind === 'patch' ? `kept; ${breaker}\nA patch for must_not_fire of ${call.route} is in ${made.file}; read it, then apply it:\n\n${made.patch}` : `kept; ${breaker}\n${made.why}`)
  } finally {
    await log.close()
  }
}

/** Routes that do not load now give no patch; the report is kept all the same. */
function routeNow(paths: readonly string[], name: string): Route | undefined {
  try {
    const read = readRoutes(paths)
    return read.kind === 'table' ? read.table.routes.get(name) : undefined
  } catch (error) {
    if (!UsherError.is(error)) throw error
    return undefined
  }
}
