/** What an audit says: the shape that `usher audit --json` prints. Everything from outside in it is as it came; whoever prints it makes it visible. */
import type { Json, JsonObject } from '../types.ts'

/** `arms`: a fact of the schema. `look here`: a heuristic, or a claim. */
export type FlagLevel = 'arms' | 'look here'

export interface AuditFlag {
  /** JSON Pointer into the arguments, `*` for any item or key; `''` for the tool itself. */
  readonly path: string
  readonly rule: string
  readonly level: FlagLevel
  readonly why: string
  /** The value that arms, where one does. */
  readonly value?: Json
}

/** Classes of effects. Each call says which of them nobody could see. */
export const EFFECT_CLASSES = ['process', 'network', 'files'] as const
export type EffectClass = (typeof EFFECT_CLASSES)[number]

export interface AuditEffect {
  /** A seen kind of vocabulary/effects.ts. */
  readonly kind: string
  /** Paths below the audit's own folders begin with `{scratch}`. */
  readonly target: string
  /** The watcher that saw it first; `also` names the others. */
  readonly watcher: string
  readonly also?: readonly string[]
  /** `look here`: a write to a cache or temporary folder, a thread, a native library: no reason to fail. */
  readonly level: 'acts' | 'look here'
  /** A program's arguments. */
  readonly args?: readonly string[]
  /** What went out, where it was not encrypted: a request's line and body, a message. */
  readonly sent?: string
  /** It happened after the reply. */
  readonly afterReply?: true
  /** Canary values that went out in it. */
  readonly carries?: readonly string[]
}

/** `fail`: it acted. `ok`: it answered, every class was watched, and nothing happened. The other two are no `ok`. */
export type Verdict = 'fail' | 'ok' | 'not-exercised' | 'not-watched'

export interface AuditReply { readonly kind: 'result' | 'tool-error' | 'rpc-error' | 'no-answer', readonly text: string, /** Canary values that came back. */ readonly echoes?: readonly string[] }

export interface AuditCall {
  readonly arguments: JsonObject
  readonly verdict: Verdict
  readonly effects: readonly AuditEffect[]
  readonly reply: AuditReply
  /** `what a bad filler sends`, ... */
  readonly about: string
  /** 2: the same call again, which did something else than the first. */
  readonly nth?: number
  /** Classes of effects that no active watcher could see in this call. */
  readonly unwatched?: readonly EffectClass[]
}

export interface AuditTool {
  readonly name: string
  /** Where several servers are in one report. */
  readonly server?: string
  readonly flags: readonly AuditFlag[]
  readonly calls: readonly AuditCall[]
  /** At least one of its calls got past the server's own checks; where a flag arms, one with an armed value. */
  readonly exercised: boolean
}

export interface WatcherState { readonly name: string, readonly active: boolean, readonly sees: string, /** Why it is not active. */ readonly why?: string }

export interface AuditSummary {
  readonly tools: number
  readonly flagged: number
  readonly called: number
  readonly exercised: number
  /** Of the tools that should have been called, in percent. */
  readonly share: number
  readonly calls: { readonly [verdict in Verdict]: number }
  readonly exit: 0 | 1 | 2
}

export interface AuditReport {
  /** What was audited, in words. */
  readonly server: string
  readonly tools: readonly AuditTool[]
  readonly watchers: readonly WatcherState[]
  /** What it did while it started, before any call. */
  readonly startUp: readonly AuditEffect[]
  /** What it did that belongs to no call: while nothing was asked, or at its end. */
  readonly notes: readonly string[]
  /** The server could not be judged at all: why. */
  readonly failure?: string
  readonly summary: AuditSummary
}

/** Did anything fire, or was anything left unjudged? @param all with `--all` every tool counts, else the flagged ones */
export function summarise(tools: readonly AuditTool[], all: boolean, failed: boolean): AuditSummary {
  const wanted = tools.filter(tool => all || tool.flags.length > 0)
  const verdicts = tools.flatMap(tool => tool.calls.map(call => call.verdict))
  const count = (verdict: Verdict): number => verdicts.filter(one => one === verdict).length
  const calls = { 'fail': count('fail'), 'ok': count('ok'), 'not-exercised': count('not-exercised'), 'not-watched': count('not-watched') }
  const exercised = wanted.filter(tool => tool.exercised).length
  const unjudged = failed || exercised < wanted.length || calls['not-watched'] > 0
  return {
    tools: tools.length, flagged: tools.filter(tool => tool.flags.length > 0).length, called: tools.filter(tool => tool.calls.length > 0).length, exercised,
    // Of a server that could not be asked nothing was exercised: no "100 %" of nothing.
    share: wanted.length === 0 ? (failed ? 0 : 100) : Math.floor(1000 * exercised / wanted.length) / 10,
    calls, exit: calls.fail > 0 ? 1 : unjudged ? 2 : 0,
  }
}

/** Several servers as one report. A watcher counts as active where it was so for every one of them. */
export function joined(reports: readonly { readonly name: string, readonly report: AuditReport }[], all: boolean): AuditReport {
  const [only] = reports
  if (only && reports.length === 1) return only.report
  const tools = reports.flatMap(({ name, report }) => report.tools.map(tool => ({ ...tool, server: name })))
  const failures = reports.flatMap(({ name, report }) => report.failure === undefined ? [] : [`${name}: ${report.failure}`])
  const watchers = new Map<string, WatcherState>()
  for (const { report } of reports) for (const watcher of report.watchers) if (!watchers.has(watcher.name) || !watcher.active) watchers.set(watcher.name, watcher)
  return {
    server: reports.map(({ name }) => name).join(', '), tools, watchers: [...watchers.values()], startUp: reports.flatMap(({ report }) => report.startUp),
    notes: reports.flatMap(({ name, report }) => report.notes.map(note => `${name}: ${note}`)), ...failures.length > 0 ? { failure: failures.join('\n') } : {}, summary: summarise(tools, all, failures.length > 0),
  }
}
