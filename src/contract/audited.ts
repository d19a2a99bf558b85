/** What `usher audit` saw of a drafted tool, for the person who reviews it. "Nothing" is said only where the tool was really called and watched. */
import { UsherError } from '../errors.ts'
import type { JsonObject } from '../types.ts'
import { quoted } from '../util/mask.ts'
import { isRecord } from '../util/records.ts'
import { covers } from '../vocabulary/effects.ts'
import { shown } from './show-text.ts'

/** The report of `usher audit --json`, as far as a review needs it. */
export interface AuditFindings {
  /** What was audited, in words: a command, where it was one. */
  readonly server: string
  readonly failure: string | undefined
  readonly tools: readonly JsonObject[]
}

export interface AuditedTool {
  readonly sentences: readonly string[]
  /** What it did that its record does not declare. */
  readonly beyond: readonly string[]
}

const SHOWN = 20
const list = (value: unknown): readonly JsonObject[] => Array.isArray(value) ? value.filter(isRecord) : []

/** @param file for messages. Throws BAD_OPTION for anything but a report. */
export function readAudit(text: string, file: string): AuditFindings {
  const bad = (why: string, cause?: unknown): UsherError => new UsherError('BAD_OPTION', `--audit ${file} is not what "usher audit --json" printed: ${why}`, { cause })
  let report: unknown
  try {
    report = JSON.parse(text)
  } catch (cause) {
    throw bad(cause instanceof Error ? cause.message : String(cause), cause)
  }
  if (!isRecord(report) || !Array.isArray(report['tools'])) throw bad('it has no "tools"')
  if (!isRecord(report['summary'])) throw bad('it has no "summary"')
  const wrong = report['tools'].findIndex(tool => !isRecord(tool) || typeof tool['name'] !== 'string')
  if (wrong >= 0) throw bad(`tools[${wrong}] has no "name"`)
  return { server: String(report['server'] ?? ''), failure: typeof report['failure'] === 'string' ? report['failure'] : undefined, tools: list(report['tools']) }
}

/** Where several servers are in the report, only the one of the draft's name is meant: another one's tool of the same name is another tool. */
function entryOf({ tools }: AuditFindings, record: JsonObject): { readonly entry: JsonObject | undefined, readonly others: readonly string[] } {
  const server = isRecord(record['server']) ? record['server']['name'] : undefined
  const named = tools.filter(tool => tool['name'] === record['name'])
  // A name that one server lists twice: what either entry did counts.
  const own = named.filter(tool => tool['server'] === undefined || tool['server'] === server)
  const [first] = own
  const entry = first && own.length > 1 ? { ...first, calls: own.flatMap(tool => list(tool['calls'])), exercised: own.every(tool => tool['exercised'] === true) } : first
  return { entry, others: named.flatMap(tool => typeof tool['server'] === 'string' && tool['server'] !== server ? [tool['server']] : []) }
}

/** Another command than the draft's: what it did says less. */
function otherServer({ server }: AuditFindings, entry: JsonObject, record: JsonObject): readonly string[] {
  const draft = isRecord(record['server']) ? record['server'] : {}
  const words = Array.isArray(draft['command']) ? draft['command'].join(' ') : draft['url']
  return entry['server'] !== undefined || server === '' || server === words ? [] : [`the audit was of ${quoted(server)}`]
}

const declared = (record: JsonObject): readonly string[] => {
  const effects = isRecord(record['effects']) ? Object.values(record['effects']) : []
  return effects.flatMap(arms => Array.isArray(arms) ? arms : isRecord(arms) ? Object.values(arms).flat() : []).filter(effect => typeof effect === 'string')
}

const said = (call: JsonObject, effect: JsonObject): string => `${String(effect['kind'])} ${shown(String(effect['target']))} (called with ${shown(JSON.stringify(call['arguments'] ?? {}))})`

function lines(what: string, found: readonly string[]): readonly string[] {
  const each = [...new Set(found)]
  return [...each.slice(0, SHOWN).map(words => `${what}: ${words}`), ...each.length > SHOWN ? [`${what}: and ${each.length - SHOWN} more`] : []]
}

/** What its calls did, and what of that nobody may rely on. */
function calledAs(entry: JsonObject, record: JsonObject): AuditedTool {
  const calls = list(entry['calls'])
  const effects = calls.flatMap(call => list(call['effects']).map(effect => ({ call, effect })))
  const acts = effects.filter(({ effect }) => effect['level'] !== 'look here')
  const heuristics = effects.filter(({ effect }) => effect['level'] === 'look here')
  const unwatched = new Set(calls.flatMap(call => Array.isArray(call['unwatched']) ? call['unwatched'].filter(name => typeof name === 'string') : []))
  const may = declared(record)
  const beyond = acts.filter(({ effect }) => !may.some(pattern => covers(pattern, { kind: String(effect['kind']), target: String(effect['target']) })))
  const clean = calls.length > 0 && entry['exercised'] === true && unwatched.size === 0 && effects.length === 0
  return {
    sentences: [
      ...lines('it did', acts.map(({ call, effect }) => said(call, effect))),
      ...lines('maybe nothing (a cache, a temporary file, a library)', heuristics.map(({ call, effect }) => said(call, effect))),
      ...calls.length === 0 ? ['the audit did not call it (usher audit --all does), so nothing is known of what it does'] : entry['exercised'] === true ? [] : ['not exercised: no call of the audit got past its own checks, so nothing is known of what it does'],
      ...unwatched.size > 0 ? [`nobody could watch its ${[...unwatched].join(', ')}`] : [],
      ...clean ? [`called ${calls.length === 1 ? 'once' : `${calls.length} times`} under watch: it did nothing that could be seen`] : [],
    ],
    beyond: [...new Set(beyond.map(({ call, effect }) => said(call, effect)))],
  }
}

/** What the report says of one drafted record. */
export function auditedTool(findings: AuditFindings, record: JsonObject): AuditedTool {
  const { entry, others } = entryOf(findings, record)
  const failed = findings.failure === undefined ? [] : [`the audit could not judge its server: ${shown(findings.failure)}`]
  const namesake = others.length > 0 ? [`the report has a tool of this name of ${others.map(name => quoted(name)).join(', ')}, which is another server`] : []
  if (!entry) return { sentences: [...failed, ...namesake, 'the audit does not know it'], beyond: [] }
  const { sentences, beyond } = calledAs(entry, record)
  return { sentences: [...failed, ...namesake, ...otherServer(findings, entry, record), ...sentences], beyond }
}
