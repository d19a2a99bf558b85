/** Any schema, any text, any captures: what the filler's properties are tried with. */
import fc from 'fast-check'
import type { Capture, Json, JsonObject, Slot } from '../../src/types.ts'

const NAMES = [
  'title', 'note', 'count', 'limit', 'minutes', 'duration', 'when', 'start', 'end', 'due_date', 'to', 'email', 'url', 'path', 'phone', 'amount', 'currency', 'priority', 'state', 'query', 'items', 'tags', 'postal_code', 'deployment_id', 'sender', 'page', 'options', 'filter', 'width', 'height',
  'send', 'shouldSend', 'auto_commit', 'isForced', 'dry_run', 'dryRun', 'skip_confirmation', 'notify', 'open', 'delete', 'purge', 'confirm', 'publish', 'draft', 'preview', 'public', 'no_email', 'action', 'mode', 'method', 'enabled', 'overwrite',
  '__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'a/b', 'a~b', '*', '0', 'Ｓend', 'naïve', '\u{1F600}',
]
const WORDS = [
  'send', 'it', 'all', 'everyone', '*', 'delete', 'true', 'yes', 'no', 'on', 'off', 'false', 'null', '5', '-1', '1,200', '3.5', '20', 'twenty five', 'a hundred', 'minus three', '25 minutes', 'an hour and a half', '1h30m', 'tomorrow', 'tomorrow at 9', 'next friday', 'from 3 december to 7 december', 'at 7:30',
  'bob@example.org', 'al@x.example', 'https://example.org/a', '~/notes/todo.md', 'report.pdf', '+49 30 1234567', '$20', '20 euros', 'EUR', 'milk, eggs and bread', 'and', 'or', 'high', 'low', 'open', 'closed', 'keep', 'read', 'in progress', 'purge', 'minutes', 'count', 'limit', 'width', 'title', '"quoted words"',
  '50%', '123e4567-e89b-12d3-a456-426614174000', '\u{1F600}', '\u202E', '\u2028', '\n', 'é', 'ﬁ', '.', ',', '?', 'please', '__proto__', 'constructor', 'go', 'no, ten',
]
const ENUM_WORDS = ['low', 'high', 'open', 'closed', 'send', 'delete', 'keep', 'read', 'all', 'in_progress', 'on', 'off', 'EUR', 'draft', 'purge', 'go', 'yes', '']

export const nameArb = fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) })

const scalarArb: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ type: fc.constant('string'), minLength: fc.integer({ min: 0, max: 3 }), maxLength: fc.integer({ min: 3, max: 60 }), default: fc.constantFrom('all', 'x', 'team@example.org') }, { requiredKeys: ['type'] }),
  fc.record({ type: fc.constant('string'), format: fc.constantFrom('email', 'uri', 'date', 'time', 'date-time', 'duration', 'uuid', 'hostname', 'made-up') }),
  fc.record({ type: fc.constant('string'), pattern: fc.constantFrom('^[a-z]+$', '^(a+)+$', '(?i)x', '(?=a)b', '\\d') }),
  fc.record({ type: fc.constantFrom('integer', 'number'), minimum: fc.integer({ min: -2, max: 10 }), maximum: fc.integer({ min: 10, max: 2000 }), default: fc.integer({ min: -1, max: 5 }) }, { requiredKeys: ['type'] }),
  fc.record({ type: fc.constant('boolean'), default: fc.boolean() }, { requiredKeys: ['type'] }),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom<Json>(...ENUM_WORDS, 1, 0, 5, true, null), { minLength: 1, maxLength: 4 }) }),
  fc.record({ type: fc.constant('string'), enum: fc.uniqueArray(fc.constantFrom(...ENUM_WORDS), { minLength: 1, maxLength: 4 }), default: fc.constantFrom('send', 'low') }, { requiredKeys: ['type', 'enum'] }),
  fc.record({ const: fc.constantFrom<Json>(true, 'go', 5, 'all') }),
  fc.record({ type: fc.constantFrom(['string', 'null'], ['integer', 'null'], ['boolean', 'null']), default: fc.constant(null) }, { requiredKeys: ['type'] }),
  fc.constant<JsonObject>({}),
)

const described = (schema: fc.Arbitrary<JsonObject>) => fc.record({ schema, description: fc.option(fc.constantFrom('Set to true to delete it', 'Filter by state', 'The new state', 'in seconds', 'YYYY-MM-DD', 'HH:MM', 'Defaults to true', 'Optional note'), { nil: undefined, freq: 4 }) })
  .map(({ schema, description }): JsonObject => description === undefined ? schema : { ...schema, description })

function valueArb(depth: number): fc.Arbitrary<JsonObject> {
  const scalar = described(scalarArb)
  if (depth === 0) return scalar
  const inner = valueArb(depth - 1)
  return fc.oneof(
    { weight: 12, arbitrary: scalar },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('array'), items: inner, minItems: fc.integer({ min: 0, max: 2 }), maxItems: fc.integer({ min: 2, max: 5 }) }, { requiredKeys: ['type', 'items'] }) },
    { weight: 1, arbitrary: fc.array(inner, { minLength: 1, maxLength: 3 }).map((anyOf): JsonObject => ({ anyOf: [...anyOf, { type: 'null' }] })) },
    { weight: 1, arbitrary: inner.map((one): JsonObject => ({ allOf: [one] })) },
    { weight: 1, arbitrary: fc.constant<JsonObject>({ $ref: '#/$defs/D' }) },
    { weight: 2, arbitrary: objectArb(depth - 1) },
  )
}

function objectArb(depth: number): fc.Arbitrary<JsonObject> {
  return fc.tuple(fc.dictionary(nameArb, valueArb(depth), { maxKeys: 4 }), fc.float({ min: 0, max: 1, noNaN: true }), fc.constantFrom(undefined, true, false)).map(([properties, share, rest]): JsonObject => {
    const names = Object.keys(properties)
    const required = names.slice(0, Math.round(names.length * share))
    return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), ...(rest === undefined ? {} : { additionalProperties: rest }) }
  })
}

/** A schema of an object, of any draft and shape; some cannot be used at all, and that too must be answered. */
export const schemaArb: fc.Arbitrary<JsonObject> = fc.tuple(
  objectArb(2), described(scalarArb),
  fc.option(fc.tuple(fc.constantFrom('anyOf', 'oneOf', 'allOf'), fc.array(objectArb(0), { minLength: 1, maxLength: 2 })), { nil: undefined, freq: 5 }),
  fc.option(fc.constantFrom('http://json-schema.org/draft-07/schema#', 'http://json-schema.org/draft-04/schema#', 'https://json-schema.org/draft/2019-09/schema'), { nil: undefined, freq: 6 }),
).map(([root, definition, choice, $schema]): JsonObject => ({ ...($schema === undefined ? {} : { $schema }), ...root, ...(choice ? { [choice[0]]: choice[1] } : {}), $defs: { D: definition } }))

export const textArb = fc.oneof(
  { weight: 12, arbitrary: fc.array(fc.constantFrom(...WORDS), { maxLength: 10 }).map(words => words.join(' ')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
)

export interface Said { readonly text: string, readonly captures: readonly Capture[] }

/** A text with captures of runs of its characters, for names of the schema and others. */
export function saidArb(names: readonly string[]): fc.Arbitrary<Said> {
  const slot: fc.Arbitrary<Slot> = fc.record({ name: names.length > 0 ? fc.oneof(fc.constantFrom(...names), nameArb) : nameArb, type: fc.constantFrom(undefined, undefined, 'number', 'duration', 'email', 'datetime', 'rest', 'word' as const), list: fc.constantFrom(undefined, undefined, undefined, 'rooms', 'none') })
  return fc.tuple(textArb, fc.array(fc.tuple(slot, fc.nat(), fc.nat()), { maxLength: 3 })).map(([text, cuts]): Said => ({
    text,
    captures: text === '' ? [] : cuts.map(([slot, from, length]): Capture => {
      const start = wordStart(text, from % text.length)
      const end = wordEnd(text, Math.min(text.length, start + 1 + length % 24))
      return { slot, text: text.slice(start, end), span: { start, end } }
    }),
  }))
}

const wordStart = (text: string, at: number) => text.lastIndexOf(' ', at) + 1
function wordEnd(text: string, at: number): number {
  const end = text.indexOf(' ', at)
  return end < 0 ? text.length : end
}

/** Every property name in a schema, at any depth. */
export function namesIn(schema: Json): readonly string[] {
  if (Array.isArray(schema)) return (schema as readonly Json[]).flatMap(namesIn)
  if (typeof schema !== 'object' || schema === null) return []
  const { properties } = schema as { readonly properties?: JsonObject }
  return [...(typeof properties === 'object' ? Object.keys(properties) : []), ...Object.values(schema).flatMap(value => namesIn(value as Json))]
}
