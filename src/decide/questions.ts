/**
 * A question about a missing value, and its answer: the next utterance of the same source within a minute completes the first one. Kept in
 * memory: a restart takes the question back, and nothing is called.
 */
import { RETRACTIONS } from '../ask/words/retractions.ts'
import { assemble } from '../fill/assemble.ts'
import { fill, type FillInput } from '../fill/fill.ts'
import type { Pursuit } from '../gate/rule.ts'
import { pointerTokens } from '../schema/refs.ts'
import { wordsOf } from '../schema/words.ts'
import type { EmptyValue, Event, Filled, FilledValue, Json, JsonObject } from '../types.ts'
import { isRecord } from '../util/records.ts'
import { normalise } from '../util/text.ts'
import { isReason } from '../vocabulary/outcomes.ts'

/** ms within which an answer counts. */
export const ANSWER_WINDOW = 60_000

/** A value and the event whose words it came from. */
export interface HeardValue { readonly value: FilledValue, readonly eventId: string }

export interface Question {
  /** The decision that asked. */
  readonly decisionId: string
  readonly source: string
  /** An explicit ask: nothing else may be completed. */
  readonly pursuit: Pursuit
  readonly values: readonly HeardValue[]
  readonly empty: readonly EmptyValue[]
  /** The path that the question asks for. */
  readonly asked: string
  readonly until: number
}

export class Questions {
  readonly #open = new Map<string, Question>()

  ask(question: Question): void { this.#open.set(question.source, question) }

  /** The question that this source may answer now; it is taken: one utterance, one chance. */
  take(source: string, now: number): Question | undefined {
    const question = this.#open.get(source)
    this.#open.delete(source)
    return question && now <= question.until ? question : undefined
  }
}

/** The question of an unfilled ask; undefined where no words could answer it (a nested value, two branches, an arming one) or nobody asked in words. */
export function questionOf(pursuit: Pursuit, event: Event, eventId: string, decisionId: string, filled: { readonly filled: readonly FilledValue[], readonly empty: readonly EmptyValue[] }, now: number): Question | undefined {
  const first = filled.empty.find(value => value.question !== undefined) ?? filled.empty[0]
  if (!pursuit.ask || !first || first.reason === 'arming' || pointerTokens(first.path).length !== 1) return undefined
  return { decisionId, source: event.source, pursuit, values: filled.filled.map(value => ({ value, eventId })), empty: filled.empty, asked: first.path, until: now + ANSWER_WINDOW }
}

export type Answered =
  | { readonly kind: 'filled', readonly args: JsonObject, readonly values: readonly HeardValue[] }
  | { readonly kind: 'unfilled', readonly values: readonly HeardValue[], readonly empty: readonly EmptyValue[], readonly question: string }

const NO_ANSWERS: ReadonlySet<string> = new Set([...RETRACTIONS, 'no', 'nothing', 'none', 'no thanks', 'no thank you', 'skip', 'pass', 'yes', 'ok', 'okay', 'approved', 'i do not know', 'i don\'t know', 'dunno', 'no idea', 'what', 'why', 'huh', 'pardon', 'sorry'].map(normalise))
/** Does any clause begin with words that take the ask back, or say nothing? "15 minutes... actually no, never mind" is no answer. In doubt it is asked again. */
function takesBack(text: string): boolean {
  return text.split(/[.,;:!…\n\u2013\u2014-]+/u).map(normalise).some(clause => clause !== '' && (NO_ANSWERS.has(clause) || [...NO_ANSWERS].some(words => clause.startsWith(`${words} `))))
}

/** A free text longer than this is no answer to a question, but something of its own. */
const MAX_ANSWER = 300

/** Only the asked path is filled, by its type, from the answer's words alone; undefined: this is no answer. */
export function answer(question: Question, text: string, eventId: string, input: Pick<FillInput, 'at'> & Required<Pick<FillInput, 'lists' | 'synonyms' | 'timeZone'>>): Answered | undefined {
  const said = normalise(text)
  if (said === '' || text.length > MAX_ANSWER || /[?？]/u.test(text) || takesBack(text)) return undefined
  const { tool } = question.pursuit
  const name = pointerTokens(question.asked)[0] ?? ''
  const found = valueOf(tool.visible, name, text, input, question)
  if (!found) return undefined
  const values = [...question.values.filter(heard => heard.value.path !== question.asked), { value: found, eventId }]
  const args = assemble(values.map(heard => heard.value))
  const needed = Array.isArray(tool.visible['required']) ? tool.visible['required'] as readonly Json[] : []
  const empty = question.empty.filter(one => one.path !== question.asked)
  const open = empty.find(one => needed.includes(pointerTokens(one.path)[0] ?? '') || slotsOf(question).has(pointerTokens(one.path)[0] ?? ''))
  return open ? { kind: 'unfilled', values, empty: [open, ...empty.filter(one => one !== open)], question: open.question ?? 'What exactly?' } : { kind: 'filled', args, values }
}

const slotsOf = ({ pursuit }: Question): ReadonlySet<string> => new Set((pursuit.ask?.captures ?? []).map(({ slot }) => slot.name))

const FILLER: ReadonlySet<string> = new Set('a an the for in at on to of about around roughly please make it that is be say should let s lets i d like want take thanks thank you just well um uh er and'.split(' '))

/** A sentence that only mentions a value ("the meeting took 10 minutes") is no answer: beside the value nothing may stand but politeness and the value's own name. */
function onlyFiller(rest: string, name: string): boolean {
  const own = new Set(wordsOf(name).flatMap(word => [word, `${word}s`, word.replace(/s$/, '')]))
  return normalise(rest).split(/[^\p{L}\p{N}]+/u).every(word => word === '' || FILLER.has(word) || own.has(word))
}

/** The schema reduced to the one property: no other value can come from the answer. First the whole text as the value, then a value in it. */
function valueOf(visible: JsonObject, name: string, text: string, input: Parameters<typeof answer>[3], question: Question): FilledValue | undefined {
  const properties = isRecord(visible['properties']) ? visible['properties'] : {}
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (schema === undefined) return undefined
  const defs = Object.fromEntries(['$defs', 'definitions'].flatMap(key => visible[key] === undefined ? [] : [[key, visible[key]] as const]))
  const only = { ...defs, type: 'object', properties: Object.fromEntries([[name, schema]]), required: [name] } as JsonObject
  const start = text.length - text.trimStart().length
  const end = Math.max(start, text.trimEnd().replace(/[.!]+$/, '').length)
  const slot = question.pursuit.ask?.phrase.parts.flatMap(part => part.kind === 'slot' && part.slot.name === name ? [part.slot] : [])[0] ?? { name }
  for (const captures of [[{ slot, text: text.slice(start, end), span: { start, end } }], []]) {
    const filled = fill({ ...input, visible: only, text, captures })
    const value = filled.kind === 'filled' ? filled.filled.find(one => one.path === question.asked) : undefined
    if (value && (captures.length > 0 || onlyFiller(`${text.slice(0, value.start)} ${text.slice(value.end)}`, name))) return value
  }
  return undefined
}

export function unfilledReason(filled: Extract<Filled, { kind: 'unfilled' }>): { reason: string, why: string } {
  const first = filled.empty.find(value => value.question !== undefined) ?? filled.empty[0]
  return { reason: first && isReason('unfilled', first.reason) ? first.reason : 'missing', why: filled.question }
}
