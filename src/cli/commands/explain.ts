/** `usher explain ID`: everything the log knows about one event, decision, call or effect. */
import type { Command } from 'commander'
import { explainById, type ExplainedCall, type Explanation } from '../../log/explain.ts'
import { openLogReader } from '../../log/reader.ts'
import type { Io } from '../io.ts'
import { existingLog } from '../setup.ts'
import { table } from '../table.ts'
import { explanation } from '../explanation.ts'

export function registerExplain(program: Command, io: Io): void {
  program.command('explain <id>')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--json', 'as JSON')
    .addHelpText('after', `
Examples:
  $ usher explain c-5f1c          a unique beginning of an id is enough
  $ usher explain effect-41 --json

Exit code: 0 found, 1 not in the log, 2 used wrongly.`)
    .action((id: string, options: { log?: string, json?: true }) => {
      const reader = openLogReader(existingLog(options.log))
      try {
        const found = explainById(reader, id)
        if (found.kind !== 'found') {
          io.exit(1)
          io.err(found.kind === 'none' ? `nothing in the log has the id ${JSON.stringify(id)}; "usher log" shows ids` : `${JSON.stringify(id)} begins several ids: ${found.found.map(one => one.id).join(', ')}`)
          return
        }
        io.out(options.json ? JSON.stringify(found.explanation, null, 2) : explained(io, found.explanation))
      } finally {
        reader.close()
      }
    })
}

function explained(io: Io, { event, decisions, calls, causes, effect }: Explanation): string {
  const part = (title: string, body: string) => `${io.paint('bold', title)}\n${body}`
  const parts: string[] = []
  if (effect) parts.push(part('effect', `${effect.kind} ${effect.target}${effect.blocked ? ' (stopped before it happened)' : ''}, seen by ${effect.watcher}`))
  if (event) {
    parts.push(part(`event ${event.eventId}`, table(io, ['', ''], [
      ['source', event.source], ['text', event.text ?? '(dropped by retention)'], ['received', new Date(event.at).toISOString()], ['sender\'s id', event.senderId],
      ...(event.causedBy ? [['caused by', event.causedBy]] : []), ...(event.notReplayable ? [['not replayable', event.notReplayable]] : []), ...(event.malformed ? [['malformed', event.malformed]] : []),
    ], [14, 'rest'])))
  }
  for (const decision of decisions) {
    const words = Object.entries(decision.origins).flatMap(([path, origin]) => {
      const { span, eventId } = origin as { span?: { start: number, end: number }, eventId?: string }
      return span && eventId === undefined && event?.text ? [`${path} = "${event.text.slice(span.start, span.end)}"`] : []
    })
    parts.push(part(`decision ${decision.decisionId}: ${decision.unbegun ? 'its call has not begun' : decision.kind}${decision.announced ? ` (it would have been ${decision.announced.kind}: ${decision.announced.why})` : ''}`, `${explanation(io, decision)}${words.length > 0 ? `\nwords         ${words.join(', ')}` : ''}`))
  }
  for (const call of calls) parts.push(part(`call ${call.call.callId}: ${call.outcome?.kind ?? 'in flight'}`, callTable(io, call)))
  if (causes.length > 0) parts.push(part('caused by', causes.map(step => `${step.call.callId} ${step.call.tool}${step.event ? ` <- ${step.event.source}: "${step.event.text ?? ''}"` : ''}`).join('\n')))
  return parts.join('\n\n')
}

function callTable(io: Io, { call, outcome, effects }: ExplainedCall): string {
  return table(io, ['', ''], [
    ['tool', call.tool], ['by', `${call.by}${call.who ? ` (${call.who})` : ''}`], ['asked', call.askedBy === 'reader' ? 'yes, by the second reader alone' : call.explicit ? 'yes, in words' : 'no'], ['arguments', JSON.stringify(call.args)],
    ['may cause', call.allowed === null ? 'undeclared' : call.allowed.join(', ') || 'nothing'],
    ...(call.ignoredKeys ? [['ignored keys', call.ignoredKeys.join(', ')]] : []),
    ...effects.map(effect => ['effect', `${effect.kind} ${effect.target}${effect.times === undefined ? '' : ` ${effect.times} times more`}${effect.blocked ? ' (stopped)' : ''}`]),
    ...(outcome ? [['outcome', `${outcome.kind}: ${outcome.why} (${outcome.ms} ms)`]] : []),
    ...(outcome?.result === undefined ? [] : [['result', JSON.stringify(outcome.result).slice(0, 500)]]),
  ], [14, 'rest'])
}
