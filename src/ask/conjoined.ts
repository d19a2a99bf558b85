/**
 * "Switch on the light in the hall and take a note": two asks in one sentence. A part is read alone only where every part before it is an ask of its own, so that a report, a
 * condition or a "don't" at the beginning holds for all that follows it.
 */
import type { AskReader, BegunReading } from '../ports.ts'
import type { Ask, AskReading, Candidate, NotAsk, Span } from '../types.ts'
import { findMasks, inside } from './mask.ts'

const LINK = /(?:\s*[,;])?\s+(?:and\s+then|and\s+also|and|then|plus|und|et|y|e|en)\s+/giu
/** Links looked at in one text: an order has few, a report may have hundreds. */
const MAX_LINKS = 6
/** Longer texts are no orders in one breath. */
const MAX_LENGTH = 600
/** What was read in the whole sentence and holds for its parts too. */
const HOLDS: ReadonlySet<string> = new Set(['negation', 'undo', 'later', 'condition', 'question', 'report', 'other-person', 'quotation', 'code'].map(name => `abstain:${name}`))

/** A reader of one sentence, in two steps. */
interface Whole extends AskReader { begin(text: string): BegunReading & { readonly notAsks: readonly NotAsk[] } }

export function conjoined(reader: Whole): AskReader {
  const begin = (text: string): BegunReading => {
    const whole = reader.begin(text)
    // None of the reasons that hold comes from the candidates.
    if (text.length > MAX_LENGTH || whole.notAsks.some(not => HOLDS.has(not.reason))) return whole
    const barred = new Set(whole.notAsks.filter(not => not.reason === 'abstain:not-phrase').map(not => not.route))
    const asks = split(text, reader, MAX_LINKS)?.filter(ask => !barred.has(ask.route))
    if (!asks || asks.length <= whole.asks.length) return whole
    const routes = new Set(asks.map(ask => ask.route))
    return { asks, finish: candidates => ({ asks, notAsks: whole.finish(candidates).notAsks.filter(not => !routes.has(not.route)) }) }
  }
  return { begin, read: (text, candidates) => begin(text).finish(candidates) }
}

const NONE: readonly Candidate[] = []

/** The asks of a text that is a chain of asks, or undefined. */
function split(text: string, reader: AskReader, links: number): readonly Ask[] | undefined {
  if (links === 0) return undefined
  const masks = findMasks(text)
  for (const found of [...text.matchAll(LINK)].slice(0, links)) {
    const end = found.index + found[0].length
    if (inside(masks.quotes, found.index, end) || inside(masks.code, found.index, end)) continue
    const left = reader.read(text.slice(0, found.index), NONE)
    if (!endsInAsk(left, text.slice(0, found.index))) continue
    const rest = text.slice(end)
    const right = split(rest, reader, links - 1) ?? beginsWithAsk(reader.read(rest, NONE), rest)
    if (right) return [...left.asks, ...right.map(ask => moved(ask, end))]
  }
  return undefined
}

/** A free text at the end takes in all that follows: "take a note that we need bread and milk". */
function endsInAsk(reading: AskReading, text: string): boolean {
  const last = reading.asks.at(-1)
  if (!last || reading.asks.length > 1) return false
  const final = last.captures.find(capture => capture.span.end >= text.trimEnd().length - 1)
  return !final || (final.slot.type !== 'rest' && !/^(?:message|text|msg|note|body|content|caption|announcement|comment|reply|reason|question|sentence|entry)$/.test(final.slot.name))
}

function beginsWithAsk(reading: AskReading, text: string): readonly Ask[] | undefined {
  const first = reading.asks[0]
  return first && !/[.!?;\n]/.test(text.slice(0, first.span.start)) ? reading.asks : undefined
}

function moved(ask: Ask, by: number): Ask {
  const shift = (span: Span): Span => ({ start: span.start + by, end: span.end + by })
  return { ...ask, span: shift(ask.span), captures: ask.captures.map(capture => ({ ...capture, span: shift(capture.span) })) }
}
