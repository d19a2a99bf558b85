/** A file of figures that may only get better: worse fails, and better fails too until the file is lowered. */
import { UsherError } from '../errors.ts'
import { isRecord } from '../util/records.ts'
import { own } from '../util/own.ts'
import type { SchemaBudget } from './budget.ts'

/** Counts and percentages only. */
export interface Ratchet { readonly version: 1, readonly largest: number, readonly total: number, readonly percent: number }
export type RatchetVerdict = { readonly kind: 'equal' } | { readonly kind: 'worse' | 'better', readonly lines: readonly string[] }

export const ratchetOf = ({ largest, total, percent }: Pick<SchemaBudget, 'largest' | 'total' | 'percent'>): Ratchet => ({ version: 1, largest, total, percent })
export const ratchetText = (ratchet: Ratchet) => `${JSON.stringify(ratchet, undefined, 2)}\n`

/** Throws BAD_OPTION for anything but a ratchet file. */
export function parseRatchet(text: string, file: string): Ratchet {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new UsherError('BAD_OPTION', 'the ratchet file is not JSON; write it anew with --write', { cause, where: file })
  }
  const figure = (name: string) => {
    const found = isRecord(value) ? own(value, name) : undefined
    if (typeof found !== 'number' || !(found >= 0)) throw new UsherError('BAD_OPTION', `"${name}" in the ratchet file is ${JSON.stringify(found) ?? 'missing'}, not a figure; write it anew with --write`, { where: file })
    return found
  }
  if (figure('version') !== 1) throw new UsherError('BAD_OPTION', 'this ratchet file is of another version; write it anew with --write', { where: file })
  return { version: 1, largest: figure('largest'), total: figure('total'), percent: figure('percent') }
}

export function compareRatchet(now: Ratchet, kept: Ratchet): RatchetVerdict {
  const changes = [
    { name: 'largest schema', better: kept.largest - now.largest, text: `${kept.largest} -> ${now.largest} UTF-16 units` },
    { name: 'all schemas', better: kept.total - now.total, text: `${kept.total} -> ${now.total} UTF-16 units` },
    { name: 'described', better: now.percent - kept.percent, text: `${kept.percent} % -> ${now.percent} %` },
  ]
  const worse = changes.filter(({ better }) => better < 0)
  if (worse.length > 0) return { kind: 'worse', lines: worse.map(({ name, text }) => `worse: ${name} ${text}`) }
  const better = changes.filter(({ better }) => better > 0)
  return better.length > 0 ? { kind: 'better', lines: better.map(({ name, text }) => `better: ${name} ${text}; keep it with --write`) } : { kind: 'equal' }
}

/** What --write may put into the file: the figures now, unless they are worse than what it holds. Throws BAD_OPTION. */
export function tightened(now: Ratchet, kept: Ratchet | undefined): Ratchet {
  const verdict = kept ? compareRatchet(now, kept) : undefined
  if (verdict?.kind === 'worse') throw new UsherError('BAD_OPTION', `the ratchet only tightens (${verdict.lines.join('; ')}); mend the schemas, or remove the file by hand`)
  return now
}
