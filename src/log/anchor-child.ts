/** A process of its own (anchor-sender.ts starts it): sends the one anchor that USHER_ANCHOR holds, and writes down what became of it. */
import { parseAnchor } from './anchors.ts'
import { deliverAnchor } from './anchor-delivery.ts'
import { sentFile, writeSent } from './anchor-sender.ts'
import { readAnchorSettings } from './anchor-settings.ts'

const line = process.env['USHER_ANCHOR']
const stateDir = process.env['USHER_ANCHOR_STATE']

if (line !== undefined && stateDir !== undefined) {
  const anchor = parseAnchor(line)
  const told = { seq: anchor.seq, at: anchor.at }
  const file = sentFile(stateDir, anchor.logId)
  try {
    // Read again: a person may have changed it since.
    const settings = readAnchorSettings(stateDir)
    if (settings) {
      await deliverAnchor(anchor, settings, 'ignore')
      writeSent(file, { kind: 'sent', ...told })
    }
  } catch (error) {
    writeSent(file, { kind: 'failed', ...told, why: error instanceof Error ? error.message : String(error) })
  }
}
