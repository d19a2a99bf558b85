/** The rows of the call log page, read anew from the file for each request. */
import type { PageRow } from '../console/page.ts'
import { queryLog, type LogEntry } from '../log/query.ts'
import { openLogReader } from '../log/reader.ts'

export function pageRows(log: string): readonly PageRow[] {
  const reader = openLogReader(log)
  try {
    return queryLog(reader, { limit: 500 }).toReversed().map(row)
  } finally {
    reader.close()
  }
}

/** The same six columns wherever a decision is one line: on the page and in `usher log`. */
export function row(entry: LogEntry): PageRow {
  const { event, decision, call } = entry
  return {
    at: new Date(entry.at).toISOString(), source: event?.source ?? '', text: event?.text ?? (event ? '(dropped)' : ''), outcome: entry.outcome,
    tool: decision?.tool ?? call?.call.tool ?? '', why: call?.outcome?.why ?? decision?.why ?? event?.malformed ?? '',
  }
}
