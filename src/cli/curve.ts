/** Hits against false fires: as characters for a terminal, and as an SVG picture. */
import type { CurvePoint } from '../heads/calibrate.ts'

const WIDTH = 60
const HEIGHT = 12

/** Left to right: false fires on a scale of powers of ten from 0.1 % to 100 %; upwards: hits from 0 to 100 %. */
export function curveText(points: readonly CurvePoint[], chosen: CurvePoint): string {
  const rows = Array.from({ length: HEIGHT + 1 }, () => Array.from({ length: WIDTH + 1 }, () => ' '))
  const put = (point: CurvePoint, mark: string): void => {
    const row = rows[HEIGHT - Math.round(point.hits * HEIGHT)]
    if (row) row[Math.round(across(point.falseFires) * WIDTH)] = mark
  }
  for (const point of points) put(point, '·')
  put(chosen, '#')
  const lines = rows.map((row, at) => `${at % 3 === 0 ? `${Math.round((1 - at / HEIGHT) * 100)} %`.padStart(6) : ' '.repeat(6)} |${row.join('').trimEnd()}`)
  const axis = `       +${'-'.repeat(WIDTH)}`
  return ['  hits', ...lines, axis, `        0.1 %${'1 %'.padStart(WIDTH / 3 - 2)}${'10 %'.padStart(WIDTH / 3)}${'100 %'.padStart(WIDTH / 3)}  false fires`, '        # at the chosen threshold'].join('\n')
}

/** 0 at 0.1 % or fewer, 1 at 100 %. */
function across(share: number): number {
  return Math.max(0, 1 + Math.log10(Math.max(share, 1e-3)) / 3)
}

export function curveSvg(points: readonly CurvePoint[], chosen: CurvePoint, title: string): string {
  const [left, top, width, height] = [60, 40, 480, 300]
  const x = (point: CurvePoint): string => (left + across(point.falseFires) * width).toFixed(1)
  const y = (point: CurvePoint): string => (top + (1 - point.hits) * height).toFixed(1)
  const ticks = [0.001, 0.01, 0.1, 1].map(share => `<text x="${left + across(share) * width}" y="${top + height + 18}" text-anchor="middle">${share * 100} %</text>`)
  const levels = [0, 0.25, 0.5, 0.75, 1].map(hits => `<line x1="${left}" x2="${left + width}" y1="${top + (1 - hits) * height}" y2="${top + (1 - hits) * height}" stroke="#ddd"/><text x="${left - 6}" y="${top + (1 - hits) * height + 4}" text-anchor="end">${hits * 100} %</text>`)
  const line = `<polyline fill="none" stroke="#3b6ea8" stroke-width="2" points="${points.map(point => `${x(point)},${y(point)}`).join(' ')}"/>`
  const mark = `<circle cx="${x(chosen)}" cy="${y(chosen)}" r="5" fill="#c8743c"/><text x="${Number(x(chosen)) + 8}" y="${Number(y(chosen)) + 16}">chosen: ${(chosen.hits * 100).toFixed(1)} % hits, ${(chosen.falseFires * 100).toFixed(2)} % false fires</text>`
  const names = `<text x="${left + width / 2}" y="${top + height + 38}" text-anchor="middle">false fires on texts for no route (0.1 % or fewer at the left)</text><text x="10" y="20" font-size="14" font-weight="bold">${escape(title)}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="${top + height + 50}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>${levels.join('')}${ticks.join('')}${line}${mark}${names}</svg>\n`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
