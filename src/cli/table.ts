/** Tables for people. The only file that names the library. */
import Table from 'cli-table3'
import { visible } from '../util/mask.ts'
import type { Io } from './io.ts'

const PLAIN = { 'top': '', 'top-mid': '', 'top-left': '', 'top-right': '', 'bottom': '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '', 'left': '', 'left-mid': '', 'mid': '', 'mid-mid': '', 'right': '', 'right-mid': '', 'middle': '  ' }

/**
 * @param widths of each column; undefined: as wide as it needs; one column may be 'rest'
 * @param rows text from outside is made visible here, whatever it holds
 */
export function table(io: Io, head: readonly string[], rows: readonly (readonly string[])[], widths: readonly (number | 'rest' | undefined)[] = [], style: (row: number, column: number, cell: string) => string = (_row, _column, cell) => cell): string {
  const wanted = head.map((title, column) => {
    const width = widths[column]
    return typeof width === 'number' ? width : Math.min(60, Math.max(title.length, ...rows.map(row => (row[column] ?? '').length)))
  })
  const rest = widths.indexOf('rest')
  if (rest >= 0) wanted[rest] = Math.max(20, Math.max(80, io.columns) - 2 * head.length - wanted.reduce((sum, width, column) => column === rest ? sum : sum + width, 0))
  const drawn = new Table({ chars: PLAIN, head: head.map(title => io.paint('bold', title)), style: { 'head': [], 'border': [], 'padding-left': 0, 'padding-right': 0 }, wordWrap: true, colWidths: wanted })
  rows.forEach((row, index) => drawn.push(row.map((cell, column) => style(index, column, visible(cell)))))
  return drawn.toString().split('\n').map(line => line.trimEnd()).filter(line => line !== '').join('\n')
}
