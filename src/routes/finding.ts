/** What is worth a look in routes that load: each with the reason and a way out. */
import type { Route } from '../types.ts'

export type FindingLevel = 'error' | 'warning' | 'info'

export interface Finding {
  readonly level: FindingLevel
  /** Stable name of the rule, e.g. `near-duplicate`. */
  readonly rule: string
  readonly route: string
  readonly file?: string
  readonly line?: number
  /** The reason, and what to do. */
  readonly message: string
}

/** @param line of the trigger, where it is not the route's own line */
export function finding(level: FindingLevel, rule: string, route: Route, message: string, line: number | undefined = route.line): Finding {
  return { level, rule, route: route.name, ...(route.file === undefined ? {} : { file: route.file }), ...(line === undefined ? {} : { line }), message }
}
