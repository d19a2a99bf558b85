/** The review of a draft on a terminal. Everything from outside was made visible before it comes here, and is so once more. */
import type { RedFlag } from '../contract/red-flags.ts'
import type { DraftReview, ToolReview } from '../contract/review.ts'
import { visible } from '../util/mask.ts'
import type { Io } from './io.ts'

const flagLine = (io: Io, flag: RedFlag): string => `${io.paint('red', flag.code)}  ${visible(flag.message)}`

/** What is the same for every tool of the draft is said once, above them. */
function common(review: DraftReview): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const flag of review.tools.flatMap(tool => tool.flags)) counts.set(flag.message, (counts.get(flag.message) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count > 1 && count === review.tools.length).map(([message]) => message))
}

function toolText(io: Io, review: ToolReview, above: ReadonlySet<string>): string {
  const line = (words: string): string => `    ${visible(words)}`
  const style = review.state === 'new' ? 'green' : review.state === 'changed' ? 'yellow' : 'dim'
  return [
    `  ${io.paint(style, review.state)}  ${io.paint('bold', visible(review.tool))}`,
    ...review.flags.filter(flag => !above.has(flag.message)).map(flag => `    ${flagLine(io, flag)}`),
    ...review.description === '' ? [] : [line(`"${review.description}"`)],
    ...review.sentences.map(sentence => line(`- ${sentence}`)),
    ...review.audited.map(words => line(`audit: ${words}`)),
    ...review.note === '' ? [] : [io.paint('dim', line(`note: ${review.note}`))],
  ].join('\n')
}

export function reviewText(io: Io, review: DraftReview): string {
  const changed = review.tools.filter(tool => tool.state !== 'same' || tool.flags.length > 0)
  const above = common(review)
  const same = review.tools.length - changed.length
  return [
    `${io.paint('bold', review.file)}  proposed by ${visible(review.proposedBy)}`,
    ...(review.tools[0]?.flags ?? []).filter(flag => above.has(flag.message)).map(flag => `  ${flagLine(io, flag)}`),
    ...changed.map(tool => toolText(io, tool, above)),
    ...review.gone.map(tool => `  ${io.paint('red', 'gone')}  ${visible(tool)}`),
    ...same > 0 ? [io.paint('dim', `  ${same} tools as signed`)] : [],
  ].join('\n')
}
