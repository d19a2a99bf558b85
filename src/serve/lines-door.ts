/** Events from standard input: one JSON object a line, under one source; each is answered before the next is read. */
import type { CallLog, Clock } from '../ports.ts'
import { readLines } from '../util/lines.ts'
import { eventAnswer, outcomeJson, type EventAnswer } from './answer-json.ts'
import type { Intake } from './intake.ts'
import { keepMalformed, readEvent } from './read-event.ts'

export interface LinesParts { readonly source: string, readonly intake: Intake, readonly log: CallLog, readonly clock: Clock }

/** Ends with the input, or when the intake is closed: what was not handled then is answered so. */
export async function linesDoor(bytes: AsyncIterable<Uint8Array>, { source, intake, log, clock }: LinesParts, answer: (line: EventAnswer | object) => void): Promise<void> {
  for await (const line of readLines(bytes)) {
    if (line.valid && line.text.trim() === '') continue
    const read = line.valid ? readEvent(line.text, source, clock) : { kind: 'malformed' as const, reason: 'encoding' as const, why: 'not valid UTF-8' }
    if (read.kind === 'malformed') {
      const outcome = await keepMalformed(log, line.text, source, clock.now(), read)
      answer({ line: line.number, eventId: outcome.eventId, outcomes: [outcomeJson(outcome, 'full')] })
      continue
    }
    answer(eventAnswer(read.event, await intake.submit(read.event, 'stdin'), 'full', read.ignored))
    if (intake.closed) return
  }
}
