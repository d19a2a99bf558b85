/** The table on the terminal and the results page. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { short } from './stats.mjs'
import { bars } from './svg.mjs'

const here = name => fileURLToPath(new URL(`../${name}`, import.meta.url))
const figure = ({ value, unit }) => value === undefined ? '-' : `${short(value)}${unit ? ` ${unit}` : ''}`
const verdict = ({ met, missing }) => missing !== undefined ? 'not measured' : met === undefined ? '' : met ? 'met' : 'missed'

export function print(context) {
  const width = Math.max(...context.rows.map(({ work }) => work.length))
  for (const row of context.rows) {
    console.log(`${row.work.padEnd(width)}  ${figure(row).padStart(9)}  ${row.target.padEnd(13)}  ${verdict(row)}`)
    if (row.detail) console.log(`  ${row.detail}`)
  }
  for (const note of context.notes) console.log(note)
  for (const missing of context.missing) console.log(`not measured: ${missing}`)
}

/** One line that sums up. */
export function summary(context) {
  const judged = context.rows.filter(({ met }) => met !== undefined)
  const missed = judged.filter(({ met }) => !met)
  const ratios = judged.filter(row => row.unit === '' && row.value !== undefined).map(row => `${short(row.value)} (${row.target})`)
  return `${judged.length - missed.length} of ${judged.length} targets met; ratios: ${ratios.join(', ')}`
}

const CHARTS = {
  latency: list => ({ title: 'One event, 1,500 phrases', unit: 'ms', series: ['encoder alone', 'hit', 'miss'], groups: list.map(({ name, encode, hit, miss }) => ({ name, values: [encode, hit, miss] })) }),
  throughput: list => ({ title: 'Distinct texts a second', unit: '/s', series: ['texts a second'], groups: list.map(({ name, value }) => ({ name, values: [value] })) }),
  curve: list => ({ title: 'Match time by number of phrases', unit: 'ms', series: ['plain scan', 'scan by bytes', 'graph'], groups: list.map(({ size, plain, native, graph }) => ({ name: `${size} phrases`, values: [plain, native, graph] })) }),
  recall: list => ({ title: 'Time of the graph by width (ef), 100,000 phrases', unit: 'ms', series: ['median', 'p99'], groups: list.map(({ ef, recall, median, p99 }) => ({ name: `ef ${ef}: ${(recall * 100).toFixed(2)} %`, values: [median, p99] })) }),
}

export function write(context, notes) {
  const pictures = [...context.pictures].map(([name, list]) => {
    const file = `speed-${name}.svg`
    writeFileSync(here(file), bars(CHARTS[name](list)))
    return `![${CHARTS[name](list).title}](${file})`
  })
  const table = context.rows.map(row => `| ${row.work} | ${figure(row)} | ${row.target} | ${verdict(row)} | ${row.detail} |`)
  writeFileSync(here('RESULTS-speed.md'), [
    '# Speed', '', `Written by \`npm run bench\`${context.quick ? ' (`--quick`: few rounds, no table of 100,000 phrases)' : ''} on ${context.machine}.`,
    'Every ratio is of two things measured in the same run, in interleaved rounds; medians. Peers use the same model file, one text a run, with one BLAS thread.', '',
    '| work | figure | target | | detail |', '|---|---|---|---|---|', ...table, '', ...context.notes.map(note => `- ${note}`), ...context.missing.map(missing => `- Not measured: ${missing}`), '',
    ...pictures, '', notes, '',
  ].join('\n'))
}
