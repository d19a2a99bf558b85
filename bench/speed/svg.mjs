/** Plain bar charts as SVG, for the results page. */
const COLOURS = ['#3b6ea8', '#c8743c', '#5c9e6b', '#8a6fb0']
const escape = text => String(text).replace(/[&<>"]/g, char => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char])

/**
 * @param {{ title: string, unit: string, series: string[], groups: { name: string, values: number[] }[] }} chart
 * @returns {string} an SVG document
 */
export function bars({ title, unit, series, groups }) {
  const [left, top, width, row] = [190, 50, 420, 16]
  const most = Math.max(...groups.flatMap(group => group.values))
  let y = top
  const out = []
  for (const { name, values } of groups) {
    out.push(`<text x="${left - 8}" y="${y + row * values.length / 2 + 4}" text-anchor="end">${escape(name)}</text>`)
    values.forEach((value, i) => {
      out.push(`<rect x="${left}" y="${y}" width="${(value / most * width).toFixed(1)}" height="${row - 3}" fill="${COLOURS[i % COLOURS.length]}"/>`)
      out.push(`<text x="${(left + value / most * width + 6).toFixed(1)}" y="${y + 11}">${escape(value >= 100 ? Math.round(value) : value.toFixed(2))} ${escape(unit)}</text>`)
      y += row
    })
    y += 10
  }
  const legend = series.length < 2 ? [] : series.map((name, i) => `<rect x="${left + i * 150}" y="26" width="10" height="10" fill="${COLOURS[i]}"/><text x="${left + i * 150 + 15}" y="35">${escape(name)}</text>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="${y + 10}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/><text x="10" y="18" font-size="14" font-weight="bold">${escape(title)}</text>${legend.join('')}${out.join('')}</svg>\n`
}
