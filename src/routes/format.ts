/**
 * The format of a route file, once: checked while loading, and published as a JSON Schema (routes/route.schema.json) that editors complete
 * from. Every part has a description for people and, as its error, what to write instead. The only file here that names the library.
 */
import * as z from 'zod'
import { ROUTE_CAPS } from './defaults.ts'
import { DAYS_FORM, DURATION_FORM, HOURS_FORM } from './units.ts'

/** A name of a route, of shared settings or of a list. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
/** `tool` or `server/tool`; the MCP specification allows these characters. */
const TOOL = /^[A-Za-z0-9_.-]{1,128}(?:\/[A-Za-z0-9_.-]{1,128})?$/
const SOURCE = /^[a-z][a-z0-9_-]*(?::[^\s*]+)?$/

const hint = (error: string) => ({ error })
const word = (form: RegExp, error: string) => z.string(hint(error)).regex(form, hint(error))
const phrase = (error: string) => z.string(hint(error)).min(1, hint(error)).max(ROUTE_CAPS.triggerLength, hint(`a phrase of at most ${ROUTE_CAPS.triggerLength} characters`))
const phrases = (error: string) => z.array(phrase('a phrase in quotation marks, like "open the console"'), hint(error))
const names = (error: string) => z.union([word(NAME, error), z.array(word(NAME, error)).min(1)], hint(error))
const duration = (error: string) => word(DURATION_FORM, error)
const count = (error: string) => z.int(hint(error)).min(1, hint(error)).max(1_000_000, hint(error))
const oneOf = <const T extends readonly [string, ...string[]]>(values: T) => z.enum(values, hint(`one of ${values.join(', ')}`))

const listValue = z.union([
  phrase('a text'),
  z.strictObject({
    in: z.union([phrase('a text'), z.array(phrase('a text')).min(1)], hint('a text, or a list of texts that mean the same')).describe('The words people say'),
    out: z.union([z.string(), z.number(), z.boolean()], hint('a text, a number, or true or false')).describe('The value that the tool gets'),
  }),
], hint('a text, or { in: [words people say], out: value }'))

const lists = z.record(
  word(NAME, 'a name of letters, digits, _ and -'),
  z.array(listValue, hint('a list of values, like [kitchen, { in: [living room, lounge], out: living_room }]')).min(1, hint('at least one value')),
  hint('a map of list names to lists of values'),
).describe('Lists of values for slots: {slot:list_name}')

const limits = z.strictObject({
  cooldown: duration('a duration like 10s').optional().describe('Least time between two calls of the route'),
  perMinute: count('a whole number of 1 or more').optional().describe('Most calls a minute'),
  perHour: count('a whole number of 1 or more').optional().describe('Most calls an hour'),
  perDay: count('a whole number of 1 or more').optional().describe('Most calls a day'),
  burst: count('a whole number of 1 or more').optional().describe('Most calls within ten seconds'),
  concurrent: count('a whole number of 1 or more').optional().describe('Most calls in flight at once'),
  depth: count('a whole number of 1 or more').optional().describe('How many calls may lie behind an event'),
}, hint('a map like { cooldown: 10s, perHour: 6 }')).describe('How often the route may call its tool')

const hoursText = word(HOURS_FORM, 'hours like "08:00-22:00"')
const daysText = word(DAYS_FORM, 'a day or a range of days like mon or mon-fri')
const when = z.strictObject({
  hours: z.union([hoursText, z.array(hoursText).min(1)], hint('hours like "08:00-22:00", or a list of them')).optional().describe('Local hours [from, to); may pass midnight'),
  days: z.union([daysText, z.array(daysText).min(1)], hint('a day like mon, a range like mon-fri, or a list of them')).optional().describe('Days on which it may fire'),
  state: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()], hint('a text, a number, or true or false')), hint('a map of state names to values')).optional().describe('State of the host that must be equal'),
}, hint('a map of hours, days and state')).describe('When the route may fire')

/** Settings that routes may share. A route's name, tool, triggers and tests are its own. */
const settings = {
  extends: names('the name of shared settings, or a list of names').optional().describe('Shared settings to start from; later names and the route itself win'),
  not: phrases('a list of phrases').optional().describe('Near misses that must never fire'),
  from: z.array(word(SOURCE, 'an event source like user, voice or chat:alice'), hint('a list of event sources, like [user]')).min(1, hint('at least one source; to switch a route off, write `mode: shadow`')).optional().describe('Event sources that may fire it; default [user]'),
  preset: z.record(z.string(), z.json(), hint('a map of arguments, like { open: true }')).optional().describe('Arguments given to the tool verbatim; no model and no filler ever sees or sets them'),
  allow: z.array(z.string(hint('an effect like browser.open')), hint('a list of effects, like [browser.open]')).optional().describe('Effects that the call may cause, as kind or kind:target'),
  mode: oneOf(['shadow', 'ask', 'fire']).optional().describe('shadow: only log what it would have done; ask: wait for approval; fire (default)'),
  ask: z.boolean(hint('true or false')).optional().describe('true: a near miss is offered to the owner'),
  reader: oneOf(['offer', 'fire']).optional().describe('fire: the trained second reader alone may fire it; offer (default): what it is sure of is only offered'),
  approve: oneOf(['never', 'always']).optional().describe('always: every call waits for approval'),
  approveWithin: duration('a duration like 10m').optional().describe('How long a call waits for a person before it expires; default 10m'),
  threshold: z.union([z.literal('auto'), z.number().gt(0, hint('a number above 0, like 0.6, or auto')).max(1, hint('a number of at most 1, like 0.6, or auto'))], hint('a number above 0 and at most 1, like 0.6, or auto')).optional().describe('Least similarity, or auto (default): a route without effects and with five triggers or more is fitted from them, any other needs 0.6'),
  margin: z.number(hint('a number from 0 to 1, like 0.05')).min(0, hint('a number from 0 to 1, like 0.05')).max(1, hint('a number from 0 to 1, like 0.05')).optional().describe('Least distance to the next route; default 0.05'),
  limits: limits.optional(),
  maxAge: duration('a duration like 60s').optional().describe('Older events do not fire a route with effects; default 60s'),
  when: when.optional(),
  lists: lists.optional(),
  synonyms: z.record(z.string(), word(NAME, 'the name of one of the lists'), hint('a map of tool parameters to list names')).optional().describe('Lists whose words stand for the values of an enum parameter'),
}

export const sharedSchema = z.strictObject(settings, hint('a map of settings')).describe('Settings that routes take over with `extends`')

export const routeSchema = z.strictObject({
  name: word(NAME, 'a name of letters, digits, _ and -, that begins with a letter, like open-console').describe('Unique among all routes'),
  tool: word(TOOL, 'the name of a tool, or server/tool').describe('The tool it calls: name, or server/name'),
  triggers: z.array(phrase('a phrase in quotation marks, like "open the console"'), hint('a list of phrases, like ["open (the|my) console"]')).min(1, hint('at least one phrase')).describe('Phrases that ask for it: [optional], (a|b), {slot}, {slot:type}, {slot:list}, {slot:rest}'),
  ...settings,
  must_fire: phrases('a list of sentences').optional().describe('Sentences that must fire it; checked while loading'),
  must_not_fire: phrases('a list of sentences').optional().describe('Sentences that must not fire it; checked while loading'),
}, hint('a map with name, tool and triggers')).describe('A route: what people say, and the call it stands for')

export const fileSchema = z.strictObject({
  version: z.literal(1, hint('1')).describe('Version of the format'),
  shared: z.record(word(NAME, 'a name of letters, digits, _ and -'), sharedSchema, hint('a map of names to settings')).optional().describe('Named settings for `extends`'),
  routes: z.array(routeSchema, hint('a list of routes')).optional().describe('The routes'),
}, hint('a map with version and routes')).describe('A route file of Usher')

export type SharedSource = z.infer<typeof sharedSchema>
export type RouteSource = z.infer<typeof routeSchema>
export type FileSource = z.infer<typeof fileSchema>

export const SHARED_KEYS: readonly string[] = Object.keys(sharedSchema.shape)
export const ROUTE_KEYS: readonly string[] = Object.keys(routeSchema.shape)
const FILE_KEYS: readonly string[] = Object.keys(fileSchema.shape)

/** Keys known at a path of a route file, or none where any key may stand. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  const last = path[path.length - 1]
  if (path.length === 0) return FILE_KEYS
  if (path.length === 2) return path[0] === 'routes' ? ROUTE_KEYS : SHARED_KEYS
  if (last === 'limits') return Object.keys(limits.shape)
  if (last === 'when') return Object.keys(when.shape)
  return path[2] === 'lists' ? ['in', 'out'] : []
}

/** One thing wrong with the form of a file. `keys`: names that are not known at the path. */
export interface FormIssue { readonly path: readonly (string | number)[], readonly wanted: string, readonly keys?: readonly string[] }

export function formIssues(value: unknown): readonly FormIssue[] {
  const read = fileSchema.safeParse(value)
  return read.success ? [] : read.error.issues.flatMap(issue => issuesOf(issue, []))
}

/** A union's own message is enough unless one arm was clearly meant: then its issues say more. */
function issuesOf(issue: z.core.$ZodIssue, before: readonly PropertyKey[]): FormIssue[] {
  const path = [...before, ...issue.path].filter(step => typeof step !== 'symbol')
  if (issue.code === 'unrecognized_keys') return [{ path, wanted: '', keys: issue.keys }]
  if (issue.code === 'invalid_union') {
    const deeper = issue.errors.find(arm => arm.length > 0 && arm.every(inner => inner.path.length > 0 || inner.code === 'unrecognized_keys'))
    if (deeper) return deeper.flatMap(inner => issuesOf(inner, path))
  }
  return [{ path, wanted: issue.message }]
}

/** The format as a JSON Schema of draft 2020-12, for editors. */
export function routeFileSchema(): unknown {
  return { ...z.toJSONSchema(fileSchema, { target: 'draft-2020-12', io: 'input' }), title: 'Usher route file' }
}
