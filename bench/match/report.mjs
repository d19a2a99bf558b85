/** The tables on the terminal and the results page. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bars } from '../speed/svg.mjs'
import { percentile, short } from '../speed/stats.mjs'
import { measured, writeMeasured } from './peers.mjs'
import { sum } from './score.mjs'

const here = name => fileURLToPath(new URL(`../${name}`, import.meta.url))
const percent = (part, whole) => whole === 0 ? '-' : `${(100 * part / whole).toFixed(1)} %`
const of = (part, whole) => `${part}/${whole}`

/** @param {Map<string, { set: string, all: object, kinds: Map<string, object> }[]>} results contender -> its sets */
function totals(results) {
  const head = '| contender | asks that fire the right route | of these with a wrong slot value | wrong route | offered | false fires, allowed sources | fires on other sources, were they not checked |\n|---|---|---|---|---|---|---|'
  const rows = [...results].map(([name, sets]) => {
    const all = sum(sets.map(set => set.all))
    return `| ${name} | ${all.hits} of ${all.positives} (${percent(all.hits, all.positives)}) | ${name.startsWith('Usher') ? all.slotsWrong : 'not asked'} | ${all.wrong} | ${all.offered} | ${all.falseFires} of ${all.negatives} (${percent(all.falseFires, all.negatives)}) | ${of(all.foreignFires, all.foreign)} |`
  })
  return [head, ...rows].join('\n')
}

function only(results, held) {
  return new Map([...results].map(([name, sets]) => [name, sets.filter(({ set }) => held.includes(set))]))
}

/** @param groups { name, trained, developed, results: [contender, sets][] }[]: what the second reader was trained on, and what it had never seen */
function unseen(groups) {
  const rows = groups.flatMap(({ name, trained, developed, results }) => results.filter(([, sets]) => sets.length > 0).map(([contender, sets]) => {
    const all = sum(sets.map(set => set.all))
    const plain = all.positives - all.paraphrases
    const [hit, offered] = [all.hits - all.paraphrasesHit, all.offered - all.paraphrasesOffered]
    const heard = all.paraphrasesHit + all.paraphrasesOffered
    return `| ${name} | ${trained} | ${developed} | ${contender.replace('Usher, ', '')} | ${of(hit, plain)} (${percent(hit, plain)}) | ${of(hit + offered, plain)} (${percent(hit + offered, plain)}) | ${of(heard, all.paraphrases)} (${percent(heard, all.paraphrases)}) | ${of(all.falseFires, all.negatives)} (${percent(all.falseFires, all.negatives)}) | ${of(all.falseOffers, all.negatives)} (${percent(all.falseOffers, all.negatives)}) |`
  }))
  return ['| measured on | second reader trained on them | rules written with them | by | asks that are no paraphrase: fired | fired or offered | paraphrases fired or offered | false fires | offers on no-asks |', '|---|---|---|---|---|---|---|---|---|', ...rows].join('\n')
}

function bySet(results) {
  const names = [...results.keys()]
  const head = `| set | ${names.join(' | ')} |\n|---|${names.map(() => '---|').join('')}`
  const rows = [...results.values()][0].map(({ set }, i) => `| ${set} | ${names.map(name => {
    const { all } = results.get(name)[i]
    return `${of(all.hits, all.positives)} hits, ${all.wrong} wrong, ${all.falseFires} false`
  }).join(' | ')} |`)
  return [head, ...rows].join('\n')
}

function byKind(results) {
  const names = [...results.keys()]
  const kinds = new Map(names.map(name => {
    const merged = new Map()
    for (const { kinds: each } of results.get(name)) for (const [kind, figures] of each) merged.set(kind, sum([figures, ...merged.has(kind) ? [merged.get(kind)] : []]))
    return [name, merged]
  }))
  const all = [...kinds.get(names[0]).keys()].sort()
  const asks = all.filter(kind => kind.startsWith('ask')).map(kind => `| ${kind.slice(5)} | ${names.map(name => {
    const { hits, positives, offered, wrong } = kinds.get(name).get(kind)
    return `${of(hits, positives)}${offered > 0 ? `, ${offered} offered` : ''}${wrong > 0 ? `, ${wrong} wrong` : ''}`
  }).join(' | ')} |`)
  const others = all.filter(kind => kind.startsWith('no ask') && kinds.get(names[0]).get(kind).negatives > 0).map(kind => `| ${kind.slice(8)} | ${names.map(name => {
    const { falseFires, negatives, falseOffers } = kinds.get(name).get(kind)
    return `${of(falseFires, negatives)}${falseOffers > 0 ? `, ${falseOffers} offered` : ''}`
  }).join(' | ')} |`)
  const head = title => `| ${title} | ${names.join(' | ')} |\n|---|${names.map(() => '---|').join('')}`
  return `${head('asks, by kind: right route')}\n${asks.join('\n')}\n\n${head('no asks of allowed sources, by kind: false fires')}\n${others.join('\n')}`
}

/** Usher's own rows, by what was seen of the sets. */
function groupsOf(results, held, leftOut) {
  const own = [...results].filter(([name]) => name.startsWith('Usher'))
  const pick = test => own.map(([name, sets]) => [name, sets.filter(({ set }) => test(set))])
  return [
    { name: 'the sets that are developed on', trained: 'yes', developed: 'yes', results: pick(set => !held.includes(set)) },
    ...held.length === 0 ? [] : [{ name: `kept: ${held.join(', ')}`, trained: 'no', developed: 'no', results: pick(set => held.includes(set)) }],
    { name: 'left out: `models/ask-reader/recipe/left-out`', trained: 'no, its thresholds were chosen there', developed: 'no', results: [...leftOut] },
  ]
}

/** @param found { title, lines, routes, rules: fires, both: fires }: which lines would fire, by the rules alone and with the second reader after them */
function talk({ title, lines, routes, rules, both }) {
  const still = new Set(both.map(({ route, text }) => `${route} ${text}`))
  const shown = rules.slice(0, 40).map(({ set, route, text }) => `- \`${route}\` (${set})${still.has(`${route} ${text}`) ? '' : ', held back by the second reader'}: ${JSON.stringify(text.slice(0, 160))}`)
  return [`${title}: ${lines} lines of logs, chats, commits and issues, read as if a person had typed them, against ${routes} routes: ${rules.length} would fire by the rules, ${both.length} with the second reader${rules.length > 0 ? ':' : '.'}`, '', ...shown, '']
}

export function write({ results, held, leftOut, ms, chatter, missing, machine }) {
  const groups = [...results].map(([name, sets]) => {
    const all = sum(sets.map(set => set.all))
    return { name: name.length > 30 ? `${name.slice(0, 29)}…` : name, values: [100 * all.hits / all.positives, 100 * all.falseFires / all.negatives] }
  })
  writeFileSync(here('match-totals.svg'), bars({ title: 'Labelled asks of all sets', unit: '%', series: ['asks fired', 'no asks fired'], groups }))
  const lines = ['# Matching', '', `Written by \`npm run bench:match\` on ${machine}. The sets are labelled events of routes with effects; their cases are not part of this project.`,
    'Every contender gets the same routes; semantic-router runs the same model file. The source of an event is checked for all of them alike, and what would fire without that check is in the last column.', '',
    totals(results), '', ...held.length === 0 ? [] : [`Of these, the sets that nobody looked at while rules were written (${held.join(', ')}). They were run for totals only: none of their cases was opened, printed or trained on:`, '', totals(only(results, held)), ''], '![Labelled asks of all sets](match-totals.svg)', '', '## Seen and unseen', '', unseen(groupsOf(results, held, leftOut)), '', '## By kind', '', byKind(results), '', '## By set', '', bySet(results), '',
    `A decision beyond the encoder took, in the process's CPU time, ${short(percentile(ms, 0.5))} ms in the middle and ${short(percentile(ms, 0.99))} ms at p99 (${ms.length} decisions by the rules, the sets' own tables).`, '']
  if (chatter) lines.push('## Chatter', '', ...chatter.flatMap(talk))
  for (const each of missing) lines.push(`- Not measured: ${each}`)
  writeFileSync(here('RESULTS-match.md'), `${lines.join('\n')}\n`)
  writeMeasured(here('../src/peers.md'), measured(results))
  return lines.join('\n')
}
