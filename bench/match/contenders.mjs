/** Who is measured: each gives, for the cases of one set, the route that it would fire (or null), before any check of the source. */
import { createAskReader } from '../../dist/ask/reader.js'
import { evalRoutes, firing } from '../../dist/eval/eval.js'
import { buildMatcher } from '../../dist/match/matcher.js'
import { secondReading } from '../../dist/reader/second.js'
import { phraseWords } from '../../dist/match/phrase-words.js'
import { slotErrors } from '../../dist/eval/slots.js'
import { normalise } from '../../dist/util/text.js'

const utterances = set => evalRoutes(set.routes).map(({ name, phrases }) => ({ name, utterances: [...new Set(phrases.map(({ text }) => phraseWords(text)))] }))
const literal = set => evalRoutes(set.routes).flatMap(({ name, phrases }) => phrases.filter(({ parts }) => parts.every(part => part.kind === 'text')).map(({ text }) => ({ name, words: normalise(text) })))

/** The best route and its score for every text; a threshold is applied afterwards, so one run serves for each. */
async function scored(contender, set) {
  await contender.ask({ op: 'load', routes: utterances(set), threshold: 0 })
  return await contender.ask({ op: 'route', texts: set.cases.map(({ text }) => text) })
}

export async function semanticRouter(name, contender, set, thresholds = [0.5, 0.8]) {
  const { routes, scores } = await scored(contender, set)
  return thresholds.map(threshold => ({ name: `${name}, max, threshold ${threshold}`, fired: routes.map((route, i) => route !== null && scores[i] >= threshold ? route : null) }))
}

export async function hassil(contender, set) {
  await contender.ask({ op: 'load', routes: set.routes.map(({ name, triggers }) => ({ name, utterances: triggers })) })
  const { routes } = await contender.ask({ op: 'route', texts: set.cases.map(({ text }) => text) })
  return [{ name: 'hassil 3.13, skip words', fired: routes }]
}

/** The two rules that everybody thinks of first. */
export function plain(set) {
  const phrases = literal(set)
  const first = test => set.cases.map(({ text }) => phrases.find(({ words }) => test(normalise(text), words))?.name ?? null)
  return [
    { name: 'text contains a trigger', fired: first((text, words) => ` ${text} `.includes(` ${words} `)) },
    { name: 'text equals a trigger, case and punctuation aside', fired: first((text, words) => text === words) },
  ]
}

/** What Usher fires, and what it would offer: by its rules, and with the second reader after them. The encoder's candidates are given to the reader as the router gives them. */
export async function usher(set, embedder, scorer) {
  const table = evalRoutes(set.routes)
  const reader = createAskReader(table)
  const routes = new Map(table.map(route => [route.name, route]))
  const matcher = await buildMatcher(table.flatMap(({ name, phrases }) => phrases.map(({ text }) => ({ route: name, text }))), embedder)
  const alone = { name: 'Usher, rules', fired: [], offered: [], slotsWrong: [], ms: [] }
  const both = { name: 'Usher, rules and reader', fired: [], offered: [], slotsWrong: [] }
  for (const item of set.cases) {
    const { text } = item
    const { vector } = await embedder.embed(text)
    const start = process.cpuUsage()
    const candidates = matcher.match(text, vector)
    const reading = reader.read(text, candidates)
    const used = process.cpuUsage(start)
    alone.ms.push((used.user + used.system) / 1000)
    note(alone, reading, item)
    if (scorer) note(both, (await secondReading(text, reading, candidates, { scorer, routes, allowed: () => true, mayFire: () => false })).reading, item)
  }
  return scorer ? [alone, both] : [alone]
}

function note({ fired, offered, slotsWrong }, reading, { slots }) {
  const asks = firing(reading, 'user', new Map())
  const routes = [...new Set(asks.map(({ route }) => route))]
  slotsWrong.push(slotErrors(slots, asks[0]?.captures ?? []).length > 0)
  // More than one route is a case's error, not its hit: a name that is none of them.
  fired.push(routes.length === 0 ? null : routes.length === 1 ? routes[0] : routes.join(' and '))
  offered.push(reading.notAsks.filter(({ offer }) => offer).map(({ route }) => route))
}
