/** Do the triggers and views of a file still say what this Usher put there? A view that hides a row is a change as well. */
import type { Db } from './db.ts'
import { TRIGGERS } from './schema.ts'
import { VIEWS, viewSql } from './views.ts'

/** In words, the first difference. */
export function changedSchema(db: Db): string | undefined {
  const find = db.prepare('SELECT sql FROM sqlite_master WHERE type = ? AND name = ?').pluck()
  for (const [name, sql] of TRIGGERS) if (find.get('trigger', name) !== sql) return `the trigger ${name} was changed or removed`
  for (const [name, select] of VIEWS) if (find.get('view', name) !== viewSql(name, select)) return `the view ${name} was changed or removed, or an older Usher made it; opening the log for writing makes it anew`
  return undefined
}
