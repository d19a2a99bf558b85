/** An earlier report as the state that is known: what is in it is not told again. */
import { readFileSync } from 'node:fs'
import { UsherError } from '../errors.ts'
import type { JsonObject } from '../types.ts'
import { canonicalJson } from '../util/canonical.ts'
import { isRecord } from '../util/records.ts'
import { steady } from './steady.ts'
import { summarise, type AuditReport, type AuditTool } from './report.ts'

/** What an earlier `--json` report says, in keys. */
export interface Baseline { readonly flags: ReadonlySet<string>, readonly effects: ReadonlySet<string> }

const records = (value: unknown): readonly JsonObject[] => Array.isArray(value) ? value.filter(isRecord) : []
/** Two servers may have tools of one name: what is known of one says nothing of the other. */
const ofServer = (tool: { readonly server?: unknown, readonly name?: unknown }): unknown => tool.server === undefined ? tool.name : [tool.server, tool.name]
const flagKey = (tool: unknown, flag: { readonly path?: unknown, readonly rule?: unknown, readonly value?: unknown }): string => JSON.stringify([tool, flag.path, flag.rule, flag.value ?? null])
const effectKey = (tool: unknown, args: unknown, effect: { readonly kind?: unknown, readonly target?: unknown }): string => JSON.stringify([tool, canonicalJson(args ?? {}), effect.kind, steady(String(effect.target))])

/** Throws BAD_OPTION. */
export function readBaseline(file: string): Baseline {
  let report: unknown
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new UsherError('BAD_OPTION', `--baseline ${file} is not what "usher audit --json" printed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
  if (!isRecord(report) || !Array.isArray(report['tools'])) throw new UsherError('BAD_OPTION', `--baseline ${file} is not what "usher audit --json" printed: it has no "tools"`)
  const tools = records(report['tools'])
  return {
    flags: new Set(tools.flatMap(tool => records(tool['flags']).map(flag => flagKey(ofServer(tool), flag)))),
    effects: new Set(tools.flatMap(tool => records(tool['calls']).flatMap(call => records(call['effects']).map(effect => effectKey(ofServer(tool), call['arguments'], effect))))),
  }
}

/**
 * Only what is new: flags and effects that the baseline does not have. A call that does only what is known counts as `ok` here; what could not be
 * judged stays.
 */
export function sinceBaseline(report: AuditReport, known: Baseline, all: boolean): AuditReport {
  const tools = report.tools.map((tool): AuditTool => ({
    ...tool,
    flags: tool.flags.filter(flag => !known.flags.has(flagKey(ofServer(tool), flag))),
    calls: tool.calls.map(call => {
      const effects = call.effects.filter(effect => !known.effects.has(effectKey(ofServer(tool), call.arguments, effect)))
      return call.verdict === 'fail' && !effects.some(effect => effect.level === 'acts') ? { ...call, effects, verdict: 'ok' as const } : { ...call, effects }
    }),
  }))
  // Who had to be called was decided by all flags, not by the new ones.
  const judged = summarise(tools.map((tool, at) => ({ ...tool, flags: report.tools[at]?.flags ?? tool.flags })), all, report.failure !== undefined)
  return { ...report, tools: tools.filter(tool => tool.flags.length > 0 || tool.calls.some(call => call.verdict !== 'ok')), notes: [...report.notes, 'only what is new since the baseline is shown'], summary: judged }
}
