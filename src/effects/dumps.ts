/** Files that Node writes itself when it is asked to look into itself. */
import v8 from 'node:v8'
import { guard, refuseSync, type Look, type Surgery } from './guard.ts'
import { pathOf } from './text.ts'

/** Without a name Node makes one up in the working folder. */
const dump = (api: string): Look => ([file]) => {
  const target = pathOf(file === undefined ? '.' : file)
  return target === undefined ? undefined : { kind: 'fs.write', target, detail: { api } }
}

export function watchDumps(surgery: Surgery): void {
  guard(surgery, v8, 'writeHeapSnapshot', dump('v8.writeHeapSnapshot'), refuseSync)
  if (process.report !== undefined) guard(surgery, process.report, 'writeReport', dump('process.report.writeReport'), refuseSync)
}
