/** The figures of an evaluation, and how people read them. */
import { visible } from '../util/mask.ts'
import type { SlotError } from './slots.ts'

export interface KindFigures {
  readonly kind: string
  /** Cases that must fire, or cases that must not. */
  readonly positive: boolean
  readonly cases: number
  readonly hits: number
  readonly wrongRoute: number
  readonly offered: number
  readonly falseFires: number
  readonly falseOffers: number
}

export interface EvalError {
  /** `bad-trigger`: the trigger in `text` is wrong, so that its route is left out. */
  readonly error: 'bad-trigger' | 'missed' | 'wrong-route' | 'slot' | 'false-fire' | 'false-offer'
  readonly text: string
  readonly source: string
  readonly kind: string
  readonly route: string | null
  readonly fired: readonly string[]
  readonly offered: readonly string[]
  readonly reason: string
  readonly why: string
  readonly slots?: readonly SlotError[]
}

export interface EvalReport {
  readonly positives: number
  readonly hits: number
  readonly wrongRoute: number
  /** Not fired, but the right route came back as the near miss to ask about. */
  readonly offered: number
  /** Hits whose slots hold another text than the acceptable ones. */
  readonly slotErrors: number
  readonly negatives: number
  readonly falseFires: number
  /** Negatives of an allowed source that would have been offered. */
  readonly falseOffers: number
  readonly byKind: readonly KindFigures[]
  readonly errors: readonly EvalError[]
}

const percent = (part: number, whole: number): string => whole === 0 ? '-' : `${(100 * part / whole).toFixed(1)} %`

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map(row => row[i]?.length ?? 0)))
  const line = (cells: readonly string[]) => cells.map((cell, i) => i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)).join('  ').trimEnd()
  return [line(head), ...rows.map(line)]
}

/** @param maxErrors most errors listed, default all */
export function formatEval(report: EvalReport, maxErrors = Infinity): string {
  const positive = report.byKind.filter(row => row.positive)
  const negative = report.byKind.filter(row => !row.positive)
  const lines = [
    `must fire      ${report.positives}: ${report.hits} fired the right route (${percent(report.hits, report.positives)}), ${report.offered} offered, ${report.wrongRoute} fired another route; ${report.slotErrors} of the hits with a wrong slot`,
    `must not fire  ${report.negatives}: ${report.falseFires} fired, ${report.falseOffers} would have been offered`,
    '',
    ...table(['must fire', 'cases', 'hits', '', 'offered', 'wrong route'], positive.map(row => [row.kind, String(row.cases), String(row.hits), percent(row.hits, row.cases), String(row.offered), String(row.wrongRoute)])),
    '',
    ...table(['must not fire', 'cases', 'fired', 'offered'], negative.map(row => [row.kind, String(row.cases), String(row.falseFires), String(row.falseOffers)])),
  ]
  const errors = report.errors.filter(error => error.error !== 'false-offer')
  if (errors.length > 0) lines.push('')
  for (const error of errors.slice(0, maxErrors)) {
    const slots = error.slots?.map(slot => `${slot.slot}: got ${slot.got === null ? 'nothing' : JSON.stringify(slot.got)}, expected ${slot.wanted.map(text => JSON.stringify(text)).join(' or ') || 'no such slot'}`).join('; ')
    if (error.error === 'bad-trigger') {
      lines.push(`bad trigger of ${error.route ?? ''}: ${visible(error.why)}; the route is left out, and its cases count as misses`)
      continue
    }
    lines.push(`${error.error} [${error.kind}, ${error.source}] ${visible(JSON.stringify(error.text))}`)
    lines.push(`  expected ${error.route ?? 'nothing'}, fired ${error.fired.join(', ') || 'nothing'}: ${error.reason}, ${visible(slots ?? error.why)}`)
  }
  if (errors.length > maxErrors) lines.push(`... and ${errors.length - maxErrors} more errors`)
  return `${lines.join('\n')}\n`
}
