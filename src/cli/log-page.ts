/** One decision as one line: the six columns of `usher log` and of the summary of a run. */
import type { LogEntry } from '../log/query.ts'

export interface LogLine { readonly at: string, readonly source: string, readonly text: string, readonly outcome: string, readonly tool: string, readonly why: string }

export function row(entry: LogEntry): LogLine {
  const { event, decision, call } = entry
  return {
    at: new Date(entry.at).toISOString(), source: event?.source ?? '', text: event?.text ?? (event ? '(dropped)' : ''), outcome: entry.outcome,
    tool: decision?.tool ?? call?.call.tool ?? '', why: call?.outcome?.why ?? decision?.why ?? event?.malformed ?? '',
  }
}
