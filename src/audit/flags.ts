/** What a person should look at in one tool, before anything is called. The arming rules are the filler's own: there is one answer. */
import { redFlags } from '../contract/red-flags.ts'
import { armedPairs, typesOf, type ArmedPair } from '../schema/arming.ts'
import { keyword } from '../schema/subschemas.ts'
import { visibleFromForeign } from '../schema/visible.ts'
import { walkOnce } from '../schema/walk.ts'
import { enumVerb, wordsOf } from '../schema/words.ts'
import type { JsonObject } from '../types.ts'
import { quoted } from '../util/mask.ts'
import { isRecord } from '../util/records.ts'
import type { AuditFlag } from './report.ts'
import { lostInSdk } from './sdk-loss.ts'

/** Rules that say how wide or how fixed a value is, not that it acts. */
const HEURISTIC_RULES: ReadonlySet<string> = new Set(['all', 'only-value', 'description'])
const WORDS_RULES: ReadonlySet<string> = new Set(['hidden-text', 'instructs', 'look-alike'])

/** The schema that a tool's calls are judged by; a tool without one takes anything. */
export function inputSchemaOf(tool: JsonObject): JsonObject {
  const schema = Object.hasOwn(tool, 'inputSchema') ? tool['inputSchema'] : undefined
  return isRecord(schema) ? schema : { type: 'object' }
}

/** @param fault why a strict client would refuse the entry; undefined: it is sound */
export function flagTool(tool: JsonObject, fault?: string): readonly AuditFlag[] {
  const schema = inputSchemaOf(tool)
  const seen = visibleFromForeign(schema)
  const here = (rule: string, why: string): AuditFlag => ({ path: '', rule, level: 'look here', why })
  if (seen.kind === 'refused' && ['too-big', 'too-deep', 'too-many-nodes'].includes(seen.code)) return [here('schema', seen.reason), ...nameFlags(tool)]
  const armed = schemaFlags(schema)
  return [
    ...armed, ...fault === undefined ? [] : [here('bad-entry', fault)],
    ...seen.kind === 'refused' && fault === undefined ? [here('schema', seen.reason)] : [],
    ...nameFlags(tool), ...wordFlags(tool), ...claimFlags(tool, armed),
    ...lostInSdk(tool).map(lost => here('sdk-drops', `the SDK's client drops ${quoted(lost)}, so whoever reviews through it does not see it`)),
  ]
}

function schemaFlags(schema: JsonObject): readonly AuditFlag[] {
  const pairs = armedPairs(schema).map(pairFlag)
  const defaults = walkOnce(schema).places
    .filter(place => typesOf(place.schema).includes('boolean') && keyword(place.schema, 'default') === true && !pairs.some(flag => flag.path === place.path && flag.value === true && flag.rule !== 'inverted'))
    .map((place): AuditFlag => ({ path: place.path, rule: 'default', level: 'look here', value: true, why: 'it is true where nobody says otherwise' }))
  const addresses = walkOnce(schema).places.flatMap((place): AuditFlag[] => {
    const preset = keyword(place.schema, 'default')
    return typeof preset === 'string' && /^https?:\/\/(?!localhost\b|127\.|\[::1\])/i.test(preset) ? [{ path: place.path, rule: 'default-address', level: 'look here', value: preset, why: 'it is an address where nobody says otherwise' }] : []
  })
  const unique = new Map([...defaults, ...addresses, ...pairs].map(flag => [JSON.stringify([flag.path, flag.rule, flag.value ?? null]), flag]))
  return [...unique.values()].sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
}

function pairFlag({ path, value, rule, why, isDefault }: ArmedPair): AuditFlag {
  const level = HEURISTIC_RULES.has(rule) && !(rule === 'only-value' && typeof value === 'boolean') ? 'look here' : 'arms'
  return { path, rule, level, value, why: isDefault ? `${why}; and it is the default` : why }
}

/** Doing words of tools that are no words for a flag: they run something, reach out, or work another program. */
const TOOL_VERBS: ReadonlySet<string> = new Set(['exec', 'eval', 'evaluate', 'navigate', 'browse', 'visit', 'click', 'press', 'drag', 'fetch', 'download', 'crawl', 'scrape', 'print', 'speak'])

/** `write_file`, `delete_entities`, `puppeteer_evaluate`: what a tool is called says what it does. */
function nameFlags(tool: JsonObject): readonly AuditFlag[] {
  const name = typeof tool['name'] === 'string' ? tool['name'] : ''
  const words = wordsOf(name)
  const verb = words.map(enumVerb).find(found => found?.form === 'base')?.verb ?? words.find(word => TOOL_VERBS.has(word))
  return verb === undefined ? [] : [{ path: '', rule: 'tool-name', level: 'look here', why: `its name says that it acts (${verb})` }]
}

function wordFlags(tool: JsonObject): readonly AuditFlag[] {
  const record = { ...tool, name: typeof tool['name'] === 'string' ? tool['name'] : '', inputSchema: inputSchemaOf(tool) }
  return redFlags(record, []).filter(flag => WORDS_RULES.has(flag.code)).map(({ code, message }) => ({ path: '', rule: code, level: 'look here', why: message }))
}

/** Hints are claims. One that says "destructive" is believed; one that says "only reads" is held against the schema. */
function claimFlags(tool: JsonObject, armed: readonly AuditFlag[]): readonly AuditFlag[] {
  const claims = isRecord(tool['annotations']) ? tool['annotations'] : {}
  const arming = armed.filter(flag => flag.level === 'arms')
  return [
    ...claims['readOnlyHint'] === true && arming.length > 0 ? [{ path: '', rule: 'annotation', level: 'look here', why: `says that it only reads, and has ${arming.map(flag => flag.path).join(', ')}` } as const] : [],
    ...claims['destructiveHint'] === true && claims['readOnlyHint'] !== true ? [{ path: '', rule: 'annotation', level: 'look here', why: 'says of itself that it may destroy' } as const] : [],
  ]
}
