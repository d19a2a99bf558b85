/** A route as written (its form is right) -> a route with every default filled in. */
import type { JsonObject, Limits, ListValue, Phrase, Route, When } from '../types.ts'
import { canonicalJson } from '../util/canonical.ts'
import { quoted } from '../util/mask.ts'
import { frozen } from '../util/records.ts'
import { normalise } from '../util/text.ts'
import { EFFECT_KINDS, parseEffect } from '../vocabulary/effects.ts'
import { ROUTE_CAPS, ROUTE_DEFAULTS } from './defaults.ts'
import { expandWays, phraseKey, phrasesOf } from './expand.ts'
import type { SharedSource } from './format.ts'
import { listSentences } from './list-sentences.ts'
import { buildLists } from './lists.ts'
import { didYouMean } from './nearest.ts'
import { placeText, type Place, type Problem } from './problem.ts'
import type { MergedRoute } from './shared.ts'
import { parseTemplate } from './template.ts'
import { parseDays, parseDuration, parseHours } from './units.ts'

/** A built route, with the key and place of each of its sentences (for finding the same sentence in two routes). */
export interface BuiltRoute { readonly route: Route, readonly merged: MergedRoute, readonly keys: readonly { readonly key: string, readonly text: string, readonly place: Place }[] }

type Report = (problem: Problem) => void

/** Reports every problem; what it gives then is not for use. */
export function buildRoute(merged: MergedRoute, report: Report): BuiltRoute {
  const { source } = merged
  const lists = buildLists(merged, report)
  const { phrases, keys } = buildPhrases(merged, lists, report)
  checkAllow(merged, report)
  checkTexts(merged, report)
  const preset = frozen(source.preset as JsonObject ?? {})
  const presetBytes = buildPresetBytes(preset, merged, report)
  const not = buildNot(merged, phrases, report)
  const when = buildWhen(source.when, merged, report)
  const { file, line } = merged.at(['name'])
  const route: Route = {
    name: source.name, tool: source.tool, triggers: source.triggers, phrases,
    not,
    from: [...new Set(source.from ?? ROUTE_DEFAULTS.from)],
    preset, presetBytes,
    allow: source.allow ?? [],
    mode: source.mode ?? ROUTE_DEFAULTS.mode,
    ask: source.ask ?? ROUTE_DEFAULTS.ask,
    approve: source.approve ?? ROUTE_DEFAULTS.approve,
    ...(source.approveWithin === undefined ? {} : { approveWithin: milliseconds(source.approveWithin) }),
    reader: source.reader ?? ROUTE_DEFAULTS.reader,
    ...(typeof source.threshold === 'number' ? { threshold: source.threshold, thresholdSet: true } : { threshold: ROUTE_DEFAULTS.threshold }),
    margin: source.margin ?? ROUTE_DEFAULTS.margin,
    limits: buildLimits(source.limits),
    maxAge: milliseconds(source.maxAge ?? ROUTE_DEFAULTS.maxAge),
    ...(when ? { when } : {}),
    lists, synonyms: buildSynonyms(merged, lists, report),
    mustFire: source.must_fire ?? [], mustNotFire: source.must_not_fire ?? [],
    file, line,
  }
  return { route, merged, keys }
}

/** Every sentence of the route once; the first template that has it keeps it. */
function buildPhrases(merged: MergedRoute, lists: ReadonlyMap<string, readonly ListValue[]>, report: Report): { phrases: Phrase[], keys: BuiltRoute['keys'] } {
  const listNames = new Set(lists.keys())
  const listKeys = new Map([...lists].map(([name, values]) => [name, canonicalJson(values)]))
  const phrases: Phrase[] = []
  const keys = new Map<string, { key: string, text: string, place: Place }>()
  const filled = new Map<string, { key: string, text: string, place: Place }>()
  let full = false
  for (const [at, trigger] of merged.source.triggers.entries()) {
    const place = merged.at(['triggers', at])
    const expanded = expandWays(parseTemplate(trigger, listNames))
    if (expanded.kind === 'bad') {
      report({ ...merged.within(['triggers', at], expanded.at), message: `trigger ${quoted(trigger)}: ${expanded.message}` })
      continue
    }
    for (const phrase of phrasesOf(expanded.ways, trigger, place.line)) {
      const key = phraseKey(phrase.parts, list => listKeys.get(list) ?? list)
      if (keys.has(key)) continue
      keys.set(key, { key, text: phrase.text, place })
      phrases.push(phrase)
      for (const text of listSentences(phrase, lists)) {
        const whole = phraseKey([{ kind: 'text', text }], list => list)
        if (!filled.has(whole)) filled.set(whole, { key: whole, text, place })
      }
    }
    if (phrases.length > ROUTE_CAPS.perRoute && !full) {
      full = true
      report({ ...place, message: `with this trigger the route stands for ${phrases.length} sentences, and ${ROUTE_CAPS.perRoute} are the most; drop alternatives, or split the route` })
    }
  }
  return { phrases, keys: [...keys.values(), ...[...filled.values()].filter(({ key }) => !keys.has(key))] }
}

function checkAllow({ source, at }: MergedRoute, report: Report): void {
  for (const [nth, pattern] of (source.allow ?? []).entries()) {
    const parsed = parseEffect(pattern)
    const kind = pattern.split(':', 1)[0] ?? ''
    if (parsed?.kind === 'unknown') report({ ...at(['allow', nth]), message: '"unknown" cannot be allowed, since nobody knows what it covers; declare the tool\'s effects and allow those' })
    else if (!parsed) report({ ...at(['allow', nth]), message: `${quoted(pattern)} is no effect${didYouMean(kind, EFFECT_KINDS)}; write kind or kind:target with one of ${EFFECT_KINDS.filter(known => known !== 'unknown').join(', ')}` })
  }
}

/** Sentences that contradict each other, or hold no word at all. */
function checkTexts({ source, at }: MergedRoute, report: Report): void {
  const fire = new Set((source.must_fire ?? []).map(normalise))
  for (const [nth, text] of (source.must_not_fire ?? []).entries()) {
    if (fire.has(normalise(text))) report({ ...at(['must_not_fire', nth]), message: `${quoted(text)} is also in must_fire; keep it in one of the two` })
  }
}

function buildPresetBytes(preset: JsonObject, { at }: MergedRoute, report: Report): string {
  const text = canonicalJson(preset)
  if (text.length > ROUTE_CAPS.presetLength) report({ ...at(['preset']), message: `the preset is ${text.length} characters of JSON, and ${ROUTE_CAPS.presetLength} are the most; let it name a file, and the tool read it` })
  return text
}

/** Near misses are templates too, since a `(a|b)` that is taken literally would exclude nothing; a slot would exclude too much. */
function buildNot({ source, at }: MergedRoute, phrases: readonly Phrase[], report: Report): readonly string[] {
  const sentences = new Set(phrases.map(({ text }) => normalise(text)))
  return (source.not ?? []).flatMap((template, nth) => {
    const expanded = expandWays(parseTemplate(template))
    const bad = (message: string) => {
      report({ ...at(['not', nth]), message: `${quoted(template)} under \`not\`: ${message}` })
      return []
    }
    if (expanded.kind === 'bad') return bad(expanded.message)
    const texts = phrasesOf(expanded.ways, template)
    if (texts.some(({ parts }) => parts.some(part => part.kind === 'slot'))) return bad('a near miss has no slots; write the words, or \\{ for the character')
    const own = texts.find(({ text }) => sentences.has(normalise(text)))
    return own ? bad(`${quoted(own.text)} is a sentence of the route itself, so it could never fire; keep one`) : texts.map(({ text }) => text)
  })
}

function buildSynonyms({ source, at }: MergedRoute, lists: ReadonlyMap<string, readonly ListValue[]>, report: Report): ReadonlyMap<string, string> {
  const synonyms = new Map(Object.entries(source.synonyms ?? {}))
  for (const [property, list] of synonyms) {
    if (!lists.has(list)) report({ ...at(['synonyms', property]), message: `${JSON.stringify(list)} is none of the route's lists${didYouMean(list, lists.keys())}; lists: ${[...lists.keys()].join(', ') || 'none (write them under `lists:`)'}` })
  }
  return synonyms
}

function buildLimits(limits: SharedSource['limits']): Limits {
  if (!limits) return {}
  const { cooldown, ...counts } = limits
  return { ...defined(counts), ...(cooldown === undefined ? {} : { cooldown: milliseconds(cooldown) }) }
}

function buildWhen(when: SharedSource['when'], { at }: MergedRoute, report: Report): When | undefined {
  if (!when) return undefined
  const hours = asList(when.hours).flatMap((text, nth) => {
    const ranges = parseHours(text)
    if (!ranges) report({ ...at(['when', 'hours', ...(Array.isArray(when.hours) ? [nth] : [])]), message: `${quoted(text)} begins and ends at the same time; write hours like "08:00-22:00", or leave them out` })
    return ranges ?? []
  })
  const days = [...new Set(asList(when.days).flatMap(text => parseDays(text) ?? []))].sort((a, b) => a - b)
  return { ...(when.hours === undefined ? {} : { hours }), ...(when.days === undefined ? {} : { days }), ...(when.state ? { state: when.state } : {}) }
}

function asList<T>(value: T | readonly T[] | undefined): readonly T[] {
  return value === undefined ? [] : Array.isArray(value) ? value as readonly T[] : [value as T]
}

function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as { [K in keyof T]: Exclude<T[K], undefined> }
}

/** The form was checked before; a form that slips through must not become an endless age. */
function milliseconds(text: string): number {
  return parseDuration(text) ?? 0
}

/** The message of a sentence that two routes have. */
export function sameSentence(text: string, first: { readonly route: string, readonly place: Place }, second: string): string {
  return `the sentence ${quoted(text)} is in two routes, ${JSON.stringify(second)} here and ${JSON.stringify(first.route)} at ${placeText(first.place)}; keep it in one`
}
