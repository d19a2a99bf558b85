/** Has the owner (or Usher itself) stopped auto-invocation? Read from the log, as the dispatcher reads it. */
import { sqliteLogRows } from '../../approvals/log-rows.ts'
import { OwnerState, stoppedWords } from '../../approvals/owner-state.ts'
import { Owner } from '../../approvals/owner.ts'
import type { CallLog, Clock } from '../../ports.ts'

/** The words for people, or undefined. What cannot be read counts as stopped (`closed`). */
export async function stoppedNow(log: CallLog, clock: Clock): Promise<string | undefined> {
  try {
    const owner = new Owner(log, new OwnerState(sqliteLogRows(log.location), clock), clock)
    try {
      const stopped = await owner.stopped()
      return stopped && stoppedWords(stopped)
    } finally {
      owner.close()
    }
  } catch (error) {
    return `whether auto-invocation is stopped cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}
