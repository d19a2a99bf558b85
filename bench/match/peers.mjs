/** The measured part of `src/peers.md`, between its two markers: from the same results as the results page, so that they cannot say different things. */
import { readFileSync, writeFileSync } from 'node:fs'
import { sum } from './score.mjs'

const MARKERS = ['<!-- measured: written by npm run bench:match -->', '<!-- /measured -->']
const percent = (part, whole) => whole === 0 ? '-' : `${(100 * part / whole).toFixed(1)} %`
/** Kinds that say most about who is built for what, with what to remark about them. */
const KINDS = [['ask: exact', 'exact words'], ['ask: slot', 'slots'], ['ask: polite', 'polite'], ['ask: typo', 'typos'], ['ask: paraphrase', 'paraphrases']]

/** @param {Map<string, { all: object, kinds: Map<string, object> }[]>} results contender -> its sets */
export function measured(results) {
  const head = `| | right route | wrong route | false fires | ${KINDS.map(([, title]) => title).join(' | ')} |\n|---|---|---|---|${KINDS.map(() => '---|').join('')}`
  const rows = [...results].map(([name, sets]) => {
    const all = sum(sets.map(set => set.all))
    const kinds = KINDS.map(([kind]) => sum(sets.flatMap(set => set.kinds.get(kind) ?? [])))
    return `| ${name} | ${percent(all.hits, all.positives)} | ${all.wrong} | ${percent(all.falseFires, all.negatives)} | ${kinds.map(({ hits, positives }) => `${hits}/${positives}`).join(' | ')} |`
  })
  return [head, ...rows].join('\n')
}

/** Puts `block` between the markers of `file`.
 * @throws Error when the page has lost its markers */
export function writeMeasured(file, block) {
  const page = readFileSync(file, 'utf8')
  const [from, to] = MARKERS.map(marker => page.indexOf(marker))
  if (from < 0 || to < from) throw new Error(`${file}: no "${MARKERS[0]}" before "${MARKERS[1]}"; put both lines back where the table goes`)
  writeFileSync(file, `${page.slice(0, from + MARKERS[0].length)}\n${block}\n${page.slice(to)}`)
}
