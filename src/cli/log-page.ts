/** The rows of the call log page, read anew from the file for each request. */
import type { PageRow } from '../console/page.ts'
import { queryLog } from '../log/queries.ts'
import { openLogReader } from '../log/reader.ts'

export function pageRows(log: string): readonly PageRow[] {
  const reader = openLogReader(log)
  try {
    return queryLog(reader, { limit: 500 }).map(row => ({ at: new Date(row.at).toISOString(), source: row.source ?? '', text: row.text ?? '', outcome: row.outcome, tool: row.tool ?? '', why: row.why }))
  } finally {
    reader.close()
  }
}
