/** The sentences that a phrase with list slots stands for: "light the {room:rooms}" says "light the kitchen" as surely as if it were written out. */
import type { ListValue, Phrase, PhrasePart } from '../types.ts'

/** Above it a phrase is not written out: long lists in several slots multiply. */
const MOST = 1000

/** @returns none where the phrase has no slot, a slot that is no list, or stands for more than 1,000 sentences */
export function listSentences({ parts }: Phrase, lists: ReadonlyMap<string, readonly ListValue[]>): readonly string[] {
  if (!parts.some(part => part.kind === 'slot')) return []
  let sentences: string[] = ['']
  for (const part of parts) {
    const said = wordsOf(part, lists)
    if (!said || sentences.length * said.length > MOST) return []
    sentences = sentences.flatMap(before => said.map(words => before + words))
  }
  return sentences
}

function wordsOf(part: PhrasePart, lists: ReadonlyMap<string, readonly ListValue[]>): readonly string[] | undefined {
  if (part.kind === 'text') return [part.text]
  return part.slot.list === undefined ? undefined : (lists.get(part.slot.list) ?? []).flatMap(value => value.in)
}
