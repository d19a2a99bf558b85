/** One anchor out of this machine: signed, added to a file, given to a command. */
import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { UsherError } from '../errors.ts'
import { type Anchor, anchorText } from './anchors.ts'
import type { AnchorSettings } from './anchor-settings.ts'
import { signAnchor } from './signed-anchor.ts'

/**
 * Gives the line. Rejects with BAD_OPTION where it cannot be signed, LOG_WRITE_FAILED where a file or a command did not take it; what came
 * before that has it.
 * @param output where the command's own words go
 */
export async function deliverAnchor(anchor: Anchor, { sign, to, run }: Partial<AnchorSettings>, output: 'inherit' | 'ignore'): Promise<string> {
  const line = anchorText(sign === undefined ? anchor : await signAnchor(anchor, sign))
  if (to !== undefined) {
    try {
      appendFileSync(to, `${line}\n`, { mode: 0o600 })
    } catch (cause) {
      throw new UsherError('LOG_WRITE_FAILED', `the anchor could not be added to ${to}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    }
  }
  if (run !== undefined) {
    const { status, signal, error } = spawnSync(run, { shell: true, input: `${line}\n`, stdio: ['pipe', output, output] })
    if (status !== 0) throw new UsherError('LOG_WRITE_FAILED', `the command for the anchor ended with ${status ?? signal ?? error?.message ?? 'no status'}: it did not keep ${line}`)
  }
  return line
}
