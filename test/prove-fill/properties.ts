/**
 * What must hold for any schema, any text and any captures. Used by the tests (a fixed seed) and by `npm run prove` (as many cases as you like).
 * The checks here are written anew and plainly: they do not ask the code under test whether it was right.
 */
import fc from 'fast-check'
import { checkArguments } from '../../src/dispatch/arguments.ts'
import { fill, type FillInput } from '../../src/fill/fill.ts'
import { isArming } from '../../src/schema/arming.ts'
import { findIgnoredKeys } from '../../src/schema/dropped.ts'
import { noticeLine } from '../../src/schema/notice.ts'
import { visibleFromForeign } from '../../src/schema/visible.ts'
import type { Filled, FilledValue, Json, JsonObject, ListValue, Tool } from '../../src/types.ts'
import { canonicalJson } from '../../src/util/canonical.ts'
import { nameArb, namesIn, saidArb, schemaArb, type Said } from './arbitraries.ts'

export interface Property { readonly name: string, /** Cases in one run of the check. */ readonly perRun: number, readonly property: fc.IRawProperty<unknown> }

const AT = Date.parse('2026-11-30T15:00:00Z')
const ROOMS: readonly ListValue[] = [{ in: ['low', 'milk'], out: 'room-1' }, { in: ['high'], out: 5 }, { in: ['send', 'all'], out: 'all' }, { in: ['on'], out: true }]
const LISTS = new Map([['rooms', ROOMS]])

function input(visible: JsonObject, said: Said, more: Partial<FillInput> = {}): FillInput {
  return { visible, ...said, at: AT, timeZone: 'Europe/Berlin', lists: LISTS, synonyms: new Map([['priority', 'rooms'], ['state', 'rooms']]), ...more }
}

/** Each schema is tried with this many texts: compiling one costs more than filling it. */
const TEXTS = 20

const schemaAndTexts = schemaArb.chain(schema => fc.tuple(fc.constant(schema), fc.array(saidArb(namesIn(schema)), { minLength: TEXTS, maxLength: TEXTS })))

function check(holds: boolean, what: string, about: unknown): void {
  if (!holds) throw new Error(`${what}: ${JSON.stringify(about)}`)
}

/* ---------------------------------------------------------------- (a) nothing armed */

const EVERYTHING = /^\s*(?:\*+|%|all|any|every(?:thing|one|body)|any(?:one|body)|@all|@everyone|@here|unlimited)[\s.!?]*$/i
const ORDERS = new Set(['send', 'delete', 'purge'])

function nothingArmed(schema: JsonObject, { filled }: Filled): void {
  for (const { path, value } of filled) {
    for (const one of Array.isArray(value) ? value as readonly Json[] : [value]) {
      check(typeof one !== 'boolean' && one !== null, 'a boolean or null was filled', { path, value })
      check(!(typeof one === 'string' && EVERYTHING.test(one)), 'a value that means everything was filled', { path, value })
    }
    check(isArming(schema, path, value) === undefined, 'an armed value was filled', { path, value })
    const said = enumsAt(schema, path)
    check(!said.some(list => list.filter(one => one !== null).length === 1 && list.includes(value)), 'an only legal value was filled', { path, value })
    check(!(said.length > 0 && typeof value === 'string' && ORDERS.has(value)), 'a listed order was filled', { path, value })
  }
}

/** The lists of legal values at a path, read plainly: objects, references to the one definition, allOf. */
function enumsAt(root: JsonObject, path: string): readonly (readonly Json[])[] {
  let here: readonly JsonObject[] = spread(root, root)
  for (const name of path.split('/').slice(1).map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))) {
    here = here.flatMap(schema => {
      const properties = (schema as { readonly properties?: JsonObject }).properties
      return properties && Object.hasOwn(properties, name) ? spread(root, properties[name] as JsonObject) : []
    })
  }
  return here.flatMap(schema => Object.hasOwn(schema, 'const') ? [[schema['const'] as Json]] : Array.isArray(schema['enum']) ? [schema['enum'] as readonly Json[]] : [])
}

function spread(root: JsonObject, schema: JsonObject): readonly JsonObject[] {
  const parts = Array.isArray(schema['allOf']) ? schema['allOf'] as readonly JsonObject[] : []
  const target = schema['$ref'] === '#/$defs/D' ? [(root['$defs'] as JsonObject)['D'] as JsonObject] : []
  return [schema, ...[...parts, ...target].flatMap(part => spread(root, part))]
}

/* ---------------------------------------------------------------- (b) every value from its characters */

function everyValueFromItsCharacters(schema: JsonObject, said: Said, filled: Filled): void {
  for (const value of filled.filled) {
    const { start, end } = value
    check(Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= said.text.length, 'a value has no characters', value)
    check(yields(said.text.slice(start, end), value), 'its characters do not yield the value', { value, characters: said.text.slice(start, end), schema })
  }
  if (filled.kind === 'filled') check(leaves(filled.args) === filled.filled.reduce((sum, { value }) => sum + leaves(value), 0), 'an argument without a span', filled)
}

const leaves = (value: Json): number => typeof value === 'object' && value !== null ? (Array.isArray(value) ? value as readonly Json[] : Object.values(value)).reduce<number>((sum, inner) => sum + leaves(inner as Json), 0) : 1

/** Written plainly: the characters hold the value's words or digits, or are of the kind that the value was read as. */
function yields(characters: string, { value, how }: FilledValue): boolean {
  if (how.startsWith('list entry') || how.startsWith('synonym')) return characters.trim() !== ''
  if (how === 'slot') return characters === value
  if (Array.isArray(value)) return (value as readonly Json[]).every(item => typeof item !== 'string' || characters.includes(item) || /\d/.test(item) || squeezed(characters).includes(squeezed(item)))
  if (['date', 'time', 'clock', 'date-time'].includes(how)) return /[\p{L}\d]/u.test(characters)
  if (typeof value === 'number') return /\d|\p{L}/u.test(characters)
  if (how === 'currency of the money') return /\d|\p{L}/u.test(characters)
  if (how === 'duration') return /\d|\p{L}/u.test(characters)
  return squeezed(characters).includes(squeezed(String(value)))
}
const squeezed = (text: string) => text.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/* ---------------------------------------------------------------- the properties */

export const PROPERTIES: readonly Property[] = [
  {
    name: 'fill:never-arms fill:evidence: nothing armed, and every value has characters that yield it',
    perRun: TEXTS,
    property: fc.property(schemaAndTexts, ([schema, texts]) => {
      if (visibleFromForeign(schema).kind === 'refused') return
      for (const said of texts) {
        const filled = fill(input(schema, said))
        nothingArmed(schema, filled)
        everyValueFromItsCharacters(schema, said, filled)
      }
    }),
  },
  {
    name: 'fill:blind: the result is the same whatever the tool hides, and whether or not a preset key is in the schema',
    perRun: 5,
    property: fc.property(schemaArb, fc.dictionary(nameArb, fc.constantFrom<JsonObject>({ type: 'boolean' }, { type: 'string' }, { const: true }), { maxKeys: 3 }), fc.array(saidArb(['open', 'send', 'title']), { minLength: 5, maxLength: 5 }), (schema, hidden, texts) => {
      if (visibleFromForeign(schema).kind === 'refused') return
      const own = Object.keys((schema['properties'] ?? {}) as JsonObject)
      const fresh = Object.fromEntries(Object.entries(hidden).filter(([name]) => !namesIn(schema).includes(name)))
      const required = [...own.filter(name => ((schema['required'] ?? []) as readonly string[]).includes(name)), ...Object.keys(fresh)]
      const properties = Object.fromEntries([...Object.entries((schema['properties'] ?? {}) as JsonObject), ...Object.entries(fresh)])
      const wide: JsonObject = { ...schema, properties, ...(required.length > 0 ? { required } : {}) }
      for (const said of texts) {
        const plain = fill(input(schema, said))
        check(same(plain, fill(input(wide, said, { presetKeys: new Set(Object.keys(fresh)) }))), 'a preset key changed what was filled', { schema, fresh, said })
        for (const { path } of plain.filled) check(!Object.keys(fresh).some(name => path === `/${name}`), 'a hidden key was filled', path)
      }
    }),
  },
  {
    name: 'preset:verbatim: a preset arrives byte for byte, and nothing else sets its keys',
    perRun: 1,
    property: fc.property(fc.dictionary(nameArb, fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>, { maxKeys: 4 }), fc.dictionary(nameArb, fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>, { maxKeys: 3 }), (preset, extra) => {
      const tool: Tool = { name: 't', description: 't', visible: { type: 'object', properties: { title: { type: 'string' } } }, presetOnly: Object.fromEntries(Object.keys(preset).filter(name => name !== 'title').map(name => [name, {}])), effects: {}, origin: { kind: 'code' }, run: () => undefined }
      const given = Object.fromEntries(Object.entries(preset).filter(([name]) => name !== 'title'))
      const bytes = canonicalJson(given)
      const checked = checkArguments(tool, { by: 'router', tool: 't', args: extra, preset: given, presetBytes: bytes, eventId: 'e', explicit: true, origins: {} } as Parameters<typeof checkArguments>[1])
      if (checked.kind === 'refused') return
      check(canonicalJson(Object.fromEntries(Object.entries(checked.args).filter(([name]) => Object.hasOwn(given, name)))) === bytes, 'a preset changed', { given, got: checked.args })
      check(Object.keys(checked.args).every(name => Object.hasOwn(given, name) || name === 'title'), 'an undeclared key got through', checked.args)
    }),
  },
  {
    name: 'args:dropped: the notice is one line of visible characters',
    perRun: 1,
    property: fc.property(schemaArb, fc.dictionary(fc.oneof(nameArb, fc.string({ unit: 'binary' })), fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>, { maxKeys: 30 }), (schema, args) => {
      const found = findIgnoredKeys(schema, args)
      check(found.names.length <= 20 && found.count >= found.names.length, 'the count is wrong', found)
      if (found.count > 0) check(!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(noticeLine(found)), 'the notice is not one plain line', noticeLine(found))
    }),
  },
]

/** Which branch of a choice was taken may differ in how it is told, not in what is called. */
const same = (a: Filled, b: Filled) => a.kind === b.kind && (a.kind === 'unfilled' || (b.kind === 'filled' && canonicalJson(a.args) === canonicalJson(b.args)))
