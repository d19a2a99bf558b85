/** Values that belong to nobody and that can be known again: in a reply, in a request's body, in a program's arguments. */
import { keyword } from '../schema/subschemas.ts'
import { wordsOf } from '../schema/words.ts'
import type { Json, JsonObject } from '../types.ts'
import { own } from '../util/own.ts'

/** Where paths may point: a file and a folder that were made for the audit, and a path where nothing is yet. */
export interface CanaryPlaces { readonly file: string, readonly folder: string, readonly fresh: string }

/** What the values are for: the words of a tool's name say whether its `path` is a folder. */
export interface CanaryContext extends CanaryPlaces { readonly toolName: string }

const MARK = 'usher-canary'
/** `.invalid` is reserved (RFC 2606): nobody can own the address. */
const DOMAIN = 'usher-canary.invalid'

const FORMATS: { readonly [format: string]: (name: string) => string } = {
  'email': name => `${MARK}-${name}@${DOMAIN}`, 'idn-email': name => `${MARK}-${name}@${DOMAIN}`,
  'uri': name => `http://${DOMAIN}/${name}`, 'url': name => `http://${DOMAIN}/${name}`, 'iri': name => `http://${DOMAIN}/${name}`, 'uri-reference': name => `http://${DOMAIN}/${name}`,
  'hostname': () => DOMAIN, 'ipv4': () => '192.0.2.7', 'ipv6': () => '2001:db8::7',
  'date-time': () => '2030-01-02T03:04:05Z', 'date': () => '2030-01-02', 'time': () => '03:04:05Z', 'duration': () => 'PT1M',
  'uuid': () => '00000000-0000-4000-8000-00000000c0de', 'json-pointer': () => '/usher-canary', 'regex': () => MARK,
}

/** Texts that a server checks against a list of its own. */
const KNOWN_WORDS: { readonly [word: string]: string } = { timezone: 'Europe/Berlin', tz: 'Europe/Berlin', time: '03:04', date: '2030-01-02', language: 'en', lang: 'en', locale: 'en', country: 'DE', currency: 'EUR', color: '#336699', colour: '#336699', latitude: '0', longitude: '0', version: '1.0.0', year: '2030', month: '01' }

const has = (words: readonly string[], ...wanted: readonly string[]): boolean => words.some(word => wanted.includes(word))

/** A text that fits the schema as far as its format, its name and its lengths say; a pattern is tried last. */
export function textValue(schema: JsonObject, path: readonly string[], context: CanaryContext): string {
  const name = path.filter(part => !/^\d+$/.test(part)).at(-1) ?? 'value'
  const words = wordsOf(name)
  // The last word, singular: what `create` calls a `name`, `delete` calls `entityNames`, and the one should find what the other made.
  const plain = (words.at(-1) ?? 'value').replace(/(?<=[^su])s$/, '')
  const format = keyword(schema, 'format')
  const made = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? (FORMATS[format] as (name: string) => string)(plain) : authored(schema) ?? byName(words, plain, String(keyword(schema, 'description') ?? ''), context)
  return fitted(made, schema)
}

/** An example of the author's own, unless it is an address or a path: those may belong to somebody. */
function authored(schema: JsonObject): string | undefined {
  const examples = keyword(schema, 'examples')
  const said = /\be\.g\.,?\s*(['"`])([^'"`]{1,80})\1/i.exec(String(keyword(schema, 'description') ?? ''))?.[2]
  const found = [keyword(schema, 'default'), ...Array.isArray(examples) ? examples as readonly Json[] : [], said].find(one => typeof one === 'string' && one !== '')
  return typeof found === 'string' && !/@|:\/\/|^[~/.]|\\|\.\w{2,4}$/.test(found) ? found : undefined
}

function byName(words: readonly string[], plain: string, description: string, context: CanaryContext): string {
  if (has(words, 'email', 'mail', 'recipient', 'recipients', 'to', 'cc', 'bcc')) return `${MARK}-${plain}@${DOMAIN}`
  if (has(words, 'url', 'uri', 'link', 'href', 'endpoint', 'webhook', 'website')) return `http://${DOMAIN}/${plain}`
  if (has(words, 'host', 'hostname', 'domain')) return DOMAIN
  if (words.at(-1) === 'ip') return '192.0.2.7'
  const tool = wordsOf(context.toolName)
  const aboutFiles = has([...tool, ...words], 'file', 'files', 'path', 'paths') || /\b(file|path)\b/i.test(description)
  if (has(words, 'destination', 'dest', 'target', 'output') && aboutFiles) return context.fresh
  if (has(words, 'dir', 'directory', 'folder', 'cwd', 'root')) return context.folder
  if (has(words, 'path', 'paths', 'file', 'filename', 'filepath') || (has(words, 'source', 'src') && aboutFiles)) return pathFor(tool, description, context)
  return own(KNOWN_WORDS, words.at(-1) ?? '') ?? `${MARK}-${plain}`
}

/** `create_directory` wants a path where nothing is, `list_directory` and `search_files` one of a folder. */
function pathFor(tool: readonly string[], description: string, context: CanaryPlaces): string {
  const folder = has(tool, 'dir', 'directory', 'directories', 'folder', 'tree') || has(tool, 'search', 'find', 'glob', 'grep') || (/director|folder/i.test(description) && !/file/i.test(description))
  if (folder && has(tool, 'create', 'make', 'mkdir', 'new', 'add')) return context.fresh
  return folder ? context.folder : context.file
}

function fitted(text: string, schema: JsonObject): string {
  const [least, most] = [keyword(schema, 'minLength'), keyword(schema, 'maxLength')]
  const padded = typeof least === 'number' && least < 10_000 ? text.padEnd(least, 'x') : text
  const cut = typeof most === 'number' ? padded.slice(0, Math.max(0, most)) : padded
  const pattern = keyword(schema, 'pattern')
  return typeof pattern === 'string' && keyword(schema, 'format') === undefined ? byPattern(pattern, cut) : cut
}

/** A few common forms; a foreign pattern is never run here. */
function byPattern(pattern: string, text: string): string {
  const found = /^\^?\[?(?:\\d|0-9)\]?(?:\{(\d+)(?:,\d*)?\}|\+|\*)?\$?$/.exec(pattern)
  if (found) return '7'.repeat(Number(found[1] ?? 4))
  if (/^\^?https?/.test(pattern)) return `http${pattern.includes('https') && !pattern.includes('https?') ? 's' : ''}://${DOMAIN}/`
  const literal = /^\^([\w/.:@-]+)/.exec(pattern)?.[1]
  return literal === undefined ? text : `${literal}${MARK}`
}

/** Every canary in a text, each once. */
export function canariesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/usher-canary[\w.@/-]*/g)].map(([found]) => found))]
}
