/** The review of a draft on a terminal. Everything from outside was made visible before it comes here, and is so once more. */
import type { DraftReview, ToolReview } from '../contract/review.ts'
import { visible } from '../util/mask.ts'
import type { Io } from './io.ts'

function toolText(io: Io, review: ToolReview): string {
  const line = (words: string): string => `    ${visible(words)}`
  const style = review.state === 'new' ? 'green' : review.state === 'changed' ? 'yellow' : 'dim'
  return [
    `  ${io.paint(style, review.state)}  ${io.paint('bold', visible(review.tool))}`,
    ...review.flags.map(flag => `    ${io.paint('red', flag.code)}  ${visible(flag.message)}`),
    ...review.description === '' ? [] : [line(`"${review.description}"`)],
    ...review.sentences.map(sentence => line(`- ${sentence}`)),
    ...review.audited.map(effect => line(`seen by the audit: ${effect}`)),
    ...review.note === '' ? [] : [io.paint('dim', line(`note: ${review.note}`))],
  ].join('\n')
}

export function reviewText(io: Io, review: DraftReview): string {
  const changed = review.tools.filter(tool => tool.state !== 'same' || tool.flags.length > 0)
  const same = review.tools.length - changed.length
  return [
    `${io.paint('bold', review.file)}  proposed by ${visible(review.proposedBy)}`,
    ...changed.map(tool => toolText(io, tool)),
    ...review.gone.map(tool => `  ${io.paint('red', 'gone')}  ${visible(tool)}`),
    ...same > 0 ? [io.paint('dim', `  ${same} tools as signed`)] : [],
  ].join('\n')
}
