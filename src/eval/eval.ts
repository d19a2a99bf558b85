/** Scores the explicit-ask reader on labelled events: hits, wrong route, false fires, offers; all of them and by kind. */
import { createAskReader, type AskRoute } from '../ask/reader.ts'
import { secondReading } from '../reader/second.ts'
import type { AskReader, AskScorer, Embedder, Matcher } from '../ports.ts'
import { UsherError } from '../errors.ts'
import { expandTemplate } from '../routes/expand.ts'
import type { Ask, AskReading, Candidate, ListValue, Phrase } from '../types.ts'
import { evalData, type EvalCase, type EvalRoute } from './data.ts'
import type { EvalError, EvalReport, KindFigures } from './report.ts'
import { slotErrors, type SlotError } from './slots.ts'

/** What an evaluation may be run with. Without an embedder the reader works on the words alone. */
export interface EvalParts {
  readonly embedder?: Embedder
  readonly buildMatcher?: (phrases: readonly { readonly route: string, readonly text: string }[], embedder: Embedder) => Promise<Matcher>
  /** Another reader, to compare; default: the project's own. */
  readonly createReader?: (routes: readonly AskRoute[]) => AskReader
  /** The trained second reader: it may object and offer, never fire, since every route counts as effectful. */
  readonly scorer?: AskScorer
  /** Name of the file, for messages. */
  readonly where?: string
}

const DEFAULT_FROM: readonly string[] = ['user', 'voice']

/**
 * Every route of an evaluation file, its triggers expanded as in a route file.
 * @param onBad told of a trigger that is wrong; the route is left out then, as a route file would be refused. Default: throws ROUTES_INVALID
 */
export function evalRoutes(routes: readonly EvalRoute[], onBad?: (route: EvalRoute, trigger: string, error: UsherError) => void): AskRoute[] {
  return routes.flatMap(route => {
    const lists = listsOf(route)
    const phrases: Phrase[] = []
    let whole = true
    for (const trigger of route.triggers) {
      try {
        phrases.push(...expandTemplate(trigger, { lists }))
      } catch (error) {
        if (!onBad || !(error instanceof UsherError)) throw error
        onBad(route, trigger, error)
        whole = false
      }
    }
    return whole ? [{ name: route.name, phrases, not: route.not ?? [], lists }] : []
  })
}

function listsOf(route: EvalRoute): ReadonlyMap<string, readonly ListValue[]> {
  return new Map(Object.entries(route.lists ?? {}).map(([name, values]) => [name, values.map((value): ListValue => typeof value === 'string' ? { in: [value], out: value } : { in: typeof value.in === 'string' ? [value.in] : value.in, out: value.out })]))
}

/** A route fires from its sources only, and not where another route asks for the same words. */
export function firing(reading: AskReading, source: string, from: ReadonlyMap<string, readonly string[]>): readonly Ask[] {
  const kind = source.split(':')[0] ?? source
  const tied = (ask: Ask): boolean => reading.asks.some(other => other.route !== ask.route && other.span.start < ask.span.end && ask.span.start < other.span.end)
  return reading.asks.filter(ask => {
    const sources = from.get(ask.route) ?? DEFAULT_FROM
    return (sources.includes(source) || sources.includes(kind)) && !tied(ask)
  })
}

const isAllowed = (source: string, from: readonly string[] = DEFAULT_FROM): boolean => from.includes(source) || from.includes(source.split(':')[0] ?? source)

interface Scored { readonly hit: boolean, readonly wrong: boolean, readonly offered: boolean, readonly falseFire: boolean, readonly falseOffer: boolean, readonly slots: readonly SlotError[], readonly error: EvalError | undefined }

function score(item: EvalCase, reading: AskReading, from: ReadonlyMap<string, readonly string[]>): Scored {
  const fired = firing(reading, item.source, from)
  const routes = [...new Set(fired.map(ask => ask.route))]
  const allowed = (route: string): boolean => [item.source, item.source.split(':')[0] ?? ''].some(name => (from.get(route) ?? DEFAULT_FROM).includes(name))
  const offers = [...new Set(reading.notAsks.filter(not => not.offer && allowed(not.route)).map(not => not.route))]
  const positive = item.route !== null
  const wrong = positive && routes.some(route => route !== item.route)
  const hit = positive && !wrong && routes.length === 1
  const offered = positive && !hit && !wrong && offers.includes(item.route ?? '')
  const falseFire = !positive && routes.length > 0
  const falseOffer = !positive && !falseFire && offers.length > 0
  const slots = hit ? slotErrors(item.slots, fired.find(ask => ask.route === item.route)?.captures ?? []) : []
  const name = wrong ? 'wrong-route' : falseFire ? 'false-fire' : positive && !hit ? 'missed' : slots.length > 0 ? 'slot' : falseOffer ? 'false-offer' : undefined
  if (!name) return { hit, wrong, offered, falseFire, falseOffer, slots, error: undefined }
  const near = reading.notAsks.find(not => not.route === item.route) ?? reading.notAsks.find(not => not.offer) ?? reading.notAsks[0]
  const ask = fired.find(one => one.route !== item.route) ?? fired[0]
  const [reason, why] = ask ? ['ask', ask.steps.join('; ') || 'as written'] : heldBack(reading, item, from) ?? [near?.reason ?? 'no-match', near?.why ?? 'no route comes near']
  return { hit, wrong, offered, falseFire, falseOffer, slots, error: { error: name, text: item.text, source: item.source, kind: item.kind, route: item.route, fired: routes, offered: offers, reason, why, ...(slots.length > 0 ? { slots } : {}) } }
}

/** Why an ask that was read does not fire: its source, or another route that the same words ask for. */
function heldBack(reading: AskReading, { route, source }: EvalCase, from: ReadonlyMap<string, readonly string[]>): readonly [reason: string, why: string] | undefined {
  const read = reading.asks.find(ask => ask.route === route) ?? reading.asks[0]
  if (!read) return undefined
  const sources = from.get(read.route) ?? DEFAULT_FROM
  if (!isAllowed(source, sources)) return ['source', `the words ask for ${read.route}, and it hears only ${sources.join(', ')}`]
  const other = reading.asks.find(ask => ask.route !== read.route && ask.span.start < read.span.end && read.span.start < ask.span.end)
  return other && ['ambiguous', `the same words ask for ${read.route} ("${read.phrase.text}") and ${other.route} ("${other.phrase.text}")`]
}

const count = (rows: readonly Scored[], test: (row: Scored) => boolean): number => rows.filter(test).length

/**
 * Runs every case of an evaluation file. Every route counts as effectful. A route with a bad trigger is an error of the report, and its cases are misses.
 * @param data the parsed JSON; throws BAD_OPTION where its form is wrong
 */
export async function runEval(data: unknown, parts: EvalParts = {}): Promise<EvalReport> {
  const { routes, cases } = evalData(data, parts.where)
  const bad: EvalError[] = []
  const table = evalRoutes(routes, (route, trigger, error) => bad.push({ error: 'bad-trigger', text: trigger, source: '', kind: 'trigger', route: route.name, fired: [], offered: [], reason: error.code, why: error.message }))
  const reader = (parts.createReader ?? createAskReader)(table)
  const phrases = table.flatMap(route => route.phrases.map(phrase => ({ route: route.name, text: phrase.text })))
  const { embedder } = parts
  const matcher = embedder && parts.buildMatcher ? await parts.buildMatcher(phrases, embedder) : undefined
  const named = new Map(table.map(route => [route.name, route]))
  const from = new Map(routes.flatMap(route => route.from ? [[route.name, route.from] as const] : []))
  const groups = new Map<string, { kind: string, positive: boolean, rows: Scored[] }>()
  for (const item of cases) {
    const candidates: readonly Candidate[] = embedder && matcher ? matcher.match(item.text, (await embedder.embed(item.text)).vector) : []
    const first = reader.read(item.text, candidates)
    const reading = parts.scorer ? (await secondReading(item.text, first, candidates, { scorer: parts.scorer, routes: named, allowed: route => isAllowed(item.source, from.get(route)), mayFire: () => false })).reading : first
    const row = score(item, reading, from)
    const positive = item.route !== null
    const key = `${String(positive)} ${item.kind}`
    const group = groups.get(key) ?? { kind: item.kind, positive, rows: [] }
    group.rows.push(row)
    groups.set(key, group)
  }
  const byKind: KindFigures[] = [...groups.values()].map(({ kind, positive, rows }) => ({
    kind, positive, cases: rows.length, hits: count(rows, row => row.hit), wrongRoute: count(rows, row => row.wrong), offered: count(rows, row => row.offered),
    falseFires: count(rows, row => row.falseFire), falseOffers: count(rows, row => row.falseOffer),
  })).sort((a, b) => Number(b.positive) - Number(a.positive) || a.kind.localeCompare(b.kind))
  const all = [...groups.values()].flatMap(group => group.rows)
  return {
    positives: cases.filter(item => item.route !== null).length, hits: count(all, row => row.hit), wrongRoute: count(all, row => row.wrong), offered: count(all, row => row.offered),
    slotErrors: count(all, row => row.slots.length > 0), negatives: cases.filter(item => item.route === null).length, falseFires: count(all, row => row.falseFire), falseOffers: count(all, row => row.falseOffer),
    byKind, errors: [...bad, ...all.flatMap(row => row.error ?? [])],
  }
}
