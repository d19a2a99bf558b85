/**
 * The filler: values for the visible parameters from the event's own words, each with the characters it came from (`fill:evidence`).
 * It sees the visible schema and the text and nothing else (`fill:blind`), and never gives a value that could arm a side effect (`fill:never-arms`).
 */
import type { EmptyValue, Filled, FilledValue, Json, JsonObject } from '../types.ts'
import { armedPairs, isArming } from '../schema/arming.ts'
import { pointerTokens } from '../schema/refs.ts'
import { compileValidator, type Check, type Validator } from '../schema/validate.ts'
import { wordsOf } from '../schema/words.ts'
import { contextOf, type FillInput } from './context.ts'
import { assemble } from './assemble.ts'
import { extractAll, type Extracted } from './extract.ts'
import { questionFor, whichOf } from './questions.ts'
import { capturesFor, readSlot } from './slots.ts'
import { targetsOf, type Target } from './targets.ts'
import { variantsOf, withoutPreset } from './variants.ts'

export type { FillInput } from './context.ts'

export function fill(input: FillInput): Filled {
  const root = withoutPreset(input.visible, input.presetKeys ?? new Set())
  const variants = variantsOf(root)
  if (!variants) return { kind: 'unfilled', filled: [], empty: [], question: 'There are too many ways to say this; which one?' }
  const tries = variants.map(variant => fillPlain(input, variant))
  const [first] = tries
  if (first && tries.length === 1) return first
  return oneBranch(tries)
}

/** Filled only where the evidence satisfies exactly one branch: a second one would make it a guess. */
function oneBranch(tries: readonly Filled[]): Filled {
  const ready = tries.filter(one => one.kind === 'filled')
  const [only] = ready
  if (only && ready.length === 1) return only
  const empty = ready.length > 1 ? ready.map((one, index): EmptyValue => ({ path: '', reason: 'two-candidates', question: `branch ${index + 1}: ${one.filled.map(({ path }) => path).join(', ')}` })) : tries.flatMap(one => one.empty)
  const question = ready.length > 1 ? `Which of these: ${[...new Set(ready.flatMap(one => one.filled.map(({ path }) => path.slice(1))))].join(' or ')}?` : tries.flatMap(one => one.kind === 'unfilled' ? [one.question] : [])[0] ?? 'What exactly?'
  return { kind: 'unfilled', filled: [], empty, question }
}

interface Gap { readonly target: Target, /** Required, or asked for in a slot's words: to go on without it would do something else than was said. */ readonly blocks: boolean, readonly reason: 'missing' | 'two-candidates' | 'invalid' | 'arming', readonly question: string }

function fillPlain(input: FillInput, root: JsonObject): Filled {
  const context = contextOf(input, root)
  const targets = targetsOf(root)
  const values: { readonly target: Target, readonly value: FilledValue }[] = []
  const gaps: Gap[] = []
  const settle = (target: Target, result: Extracted, asked: boolean) => {
    if (result.kind !== 'value') return gaps.push({ ...gapFor(target, result, root), blocks: asked || target.required })
    const { value, start, end, how } = result.found
    if (armsAnything(root, target, value)) return gaps.push({ target, blocks: asked || target.required, reason: 'arming', question: personOnly(target) })
    return values.push({ target, value: { path: target.path, value, start, end, how } })
  }
  const slotted = targets.filter(target => capturesFor(target, input.captures, targets).length > 0)
  for (const target of slotted) settle(target, readSlot(target, capturesFor(target, input.captures, targets), context), true)
  const rest = targets.filter(target => !slotted.includes(target))
  const extracted = extractAll(rest, input.captures.map(({ span }) => span), context)
  for (const target of rest) settle(target, extracted.get(target) ?? { kind: 'none' }, false)
  return conclude(root, values, gaps)
}

/** No boolean at all, whatever its name; and a list is armed when one of its items is. */
function armsAnything(root: JsonObject, target: Target, value: Json): boolean {
  const items = Array.isArray(value) ? value as readonly Json[] : []
  return [value, ...items].some(one => typeof one === 'boolean') || isArming(root, target.path, value) !== undefined || items.some((item, index) => isArming(root, `${target.path}/${index}`, item) !== undefined)
}

const personOnly = (target: Target) => `"${target.words.join(' ')}" could set off an effect, so only a route's preset or a person may give it`

function gapFor(target: Target, result: Exclude<Extracted, { kind: 'value' }>, root: JsonObject): Omit<Gap, 'blocks'> {
  if (result.kind === 'two') return { target, reason: 'two-candidates', question: whichOf(target, result.candidates) }
  if (result.kind === 'invalid') return { target, reason: 'invalid', question: questionFor(target) }
  const arms = target.required && armedPairs(root).some(({ path }) => path === target.path)
  return arms ? { target, reason: 'arming', question: personOnly(target) } : { target, reason: 'missing', question: questionFor(target) }
}

const validators = new WeakMap<JsonObject, Validator>()

function validatorOf(root: JsonObject): Validator {
  let validator = validators.get(root)
  if (!validator) validators.set(root, validator = compileValidator(root))
  return validator
}

/** The schema's own validator has the last word: a value that fails it is taken out, and a required one that is then missing means no call. */
function conclude(root: JsonObject, found: readonly { readonly target: Target, readonly value: FilledValue }[], gaps: readonly Gap[]): Filled {
  const open = [...gaps]
  let kept = [...found]
  const validator = validatorOf(root)
  if (validator.kind === 'refused') return unfilled([], open, `this tool's schema cannot be used: ${validator.reason}`)
  for (;;) {
    const blocking = open.filter(({ blocks }) => blocks)
    if (blocking.length > 0) return unfilled(kept.map(({ value }) => value), [...blocking, ...open.filter(({ blocks }) => !blocks)], blocking[0]?.question ?? '')
    const args = assemble(kept.map(({ value }) => value))
    const check = validator.check(args)
    if (check.ok) return { kind: 'filled', args, filled: kept.map(({ value }) => value), empty: open.map(toEmpty) }
    const bad = kept.find(({ value }) => check.path === value.path || check.path.startsWith(`${value.path}/`)) ?? kept.find(({ value }) => check.path !== '' && value.path.startsWith(`${check.path}/`))
    if (!bad) return refusedBySchema(kept.map(({ value }) => value), open, check)
    kept = kept.filter(one => one !== bad)
    open.push({ target: bad.target, blocks: bad.target.required, reason: 'invalid', question: questionFor(bad.target) })
  }
}

/** Not the fault of a value: a condition or a branch wants something that no word gave. */
function refusedBySchema(filled: readonly FilledValue[], open: readonly Gap[], check: Extract<Check, { ok: false }>): Filled {
  const question = check.missing === undefined ? check.problems[0] ?? 'What exactly?' : `Which ${wordsOf(pointerTokens(check.missing).at(-1) ?? '').join(' ') || 'value'}?`
  const first: EmptyValue = { path: check.missing ?? check.path, reason: check.arming ? 'arming' : check.missing === undefined ? 'invalid' : 'missing', question }
  return { kind: 'unfilled', filled, empty: [first, ...open.filter(({ target }) => target.path !== first.path).map(toEmpty)], question }
}

const toEmpty = ({ target, reason, question }: Gap): EmptyValue => ({ path: target.path, reason, question })

function unfilled(filled: readonly FilledValue[], gaps: readonly Gap[], question: string): Filled {
  return { kind: 'unfilled', filled, empty: gaps.map(toEmpty), question }
}
