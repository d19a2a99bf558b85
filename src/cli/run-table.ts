/** One line an outcome, as it happens: widths are fixed beforehand, since the next row is not known yet. */
import type { Handled } from './events.ts'
import type { Io } from './io.ts'
import { outcomeStyle } from './outcome-style.ts'
import { table } from './table.ts'

const HEAD = ['time', 'source', 'text', 'outcome', 'tool', 'why']

export function runTable(io: Io, timeZone: string) {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit' })
  const wide = Math.max(120, io.columns)
  const widths = [8, 12, Math.floor((wide - 62) * 0.45), 15, 15, 'rest' as const]
  const draw = (head: readonly string[], rows: readonly (readonly string[])[], style?: Parameters<typeof table>[4]) => table({ ...io, columns: wide, paint: (name, text) => io.paint(name, text) }, head, rows, widths, style)
  const rowsOf = (handled: Handled) => handled.outcomes.map((outcome, nth) => [nth === 0 ? clock.format(handled.event.at) : '', nth === 0 ? handled.event.source : '', nth === 0 ? shorten(handled.event.text) : '', outcome.kind, outcome.tool ?? '', outcome.why])
  return {
    head: () => { io.out(draw(HEAD, [])) },
    row: (handled: Handled) => {
      const lines = draw(HEAD, rowsOf(handled), (row, column, cell) => column === 3 ? io.paint(outcomeStyle(handled.outcomes[row]?.kind ?? 'no-match'), cell) : cell)
      io.out(lines.split('\n').slice(1).join('\n'))
    },
  }
}

const shorten = (text: string) => text.length > 160 ? `${text.slice(0, 157)}...` : text
