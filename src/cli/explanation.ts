import type { DecisionRow } from '../ports.ts'
import type { HeadReading, JsonObject } from '../types.ts'
import { nextStep, OUTCOMES } from '../vocabulary/outcomes.ts'
import type { Io } from './io.ts'
import { table } from './table.ts'

/** The evidence of one decision, for people. */
export function explanation(io: Io, row: DecisionRow): string {
  const figure = (value: number | undefined) => value === undefined ? '' : value.toFixed(3)
  const facts: [string, string][] = [
    ['why', row.why],
    ['reason', `${row.reason}: ${(OUTCOMES[row.kind].reasons as Record<string, string>)[row.reason] ?? ''}`],
    ...(row.route ? [['route', row.route] as [string, string]] : []),
    ...(row.phrase === undefined ? [] : [['phrase', `"${row.phrase}"${row.score === undefined ? '' : `  score ${figure(row.score)}`}`] as [string, string]]),
    ...(row.runnerUp ? [['runner-up', `"${row.runnerUp.phrase}" of ${row.runnerUp.route}  score ${figure(row.runnerUp.score)}  margin ${figure(row.margin)}`] as [string, string]] : []),
    ...(row.head ? [['head', headText(row.head)] as [string, string]] : []),
    ...(row.reading.length > 0 ? [['reading', row.reading.join('; ')] as [string, string]] : []),
    ...row.gate.map(step => [`gate ${step.rule}`, `${step.passed ? 'passed' : 'held'}: ${step.detail}`] as [string, string]),
    ...(row.args ? [['arguments', JSON.stringify(row.args)] as [string, string]] : []),
    ...Object.entries(row.origins).map(([path, origin]) => [`  ${path}`, originText(origin)] as [string, string]),
    ...(row.presetBytes === undefined ? [] : [['preset', row.presetBytes] as [string, string]]),
    ...(row.question ? [['question', row.question] as [string, string]] : []),
    ...row.nearMisses.map(near => ['near miss', `"${near.phrase}" of ${near.route}  score ${figure(near.score)} (threshold ${Number(near.threshold.toFixed(3))})  ${near.reason}`] as [string, string]),
    ['next', nextStep(row.kind, row.reason)],
  ]
  return table(io, ['', ''], facts, [14, 'rest'])
}

function originText(origin: unknown): string {
  const { kind, span, how } = origin as { kind: string, span?: { start: number, end: number }, how?: string }
  return kind === 'event' && span ? `from the event, characters ${span.start} to ${span.end}${how ? ` (${how})` : ''}` : kind === 'preset' ? 'preset of the route' : `from the ${kind}`
}

/** How sure the head was, what the route needs, and what that rests on. */
function headText(head: JsonObject): string {
  const { hash, probability, threshold, by, phrases, hits, budget, neutral, fired, bound, thin, runnerUp } = head as unknown as HeadReading & { readonly runnerUp?: number }
  const percent = (share: number) => `${Number((share * 100).toPrecision(2))} %`
  const why = { budget: `from the budget of ${percent(budget)} false fires`, never: 'kept above a sentence that must not fire', calibrated: 'calibrated', kept: 'calibrated before the phrases changed' }[by]
  return `probability ${probability.toFixed(3)}${runnerUp === undefined ? '' : ` (next route ${runnerUp.toFixed(3)})`}; needs ${threshold.toFixed(3)}, ${why}; ${hits} of ${phrases} phrases reach it when judged by the others; ${fired} of ${neutral} neutral texts would fire a route (at most ${percent(bound)})${thin ? '; too few texts to show so small a budget' : ''}; head ${hash.slice(0, 12)}`
}
