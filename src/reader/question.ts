/** What the host asks its worker: one pair, as JSON. */

/** Probability in (0, 1); null: the event is too long to be read whole. */
export type Scored = number | null

export interface Question { readonly phrases: readonly string[], readonly text: string }

export function questionText(question: Question): string {
  return JSON.stringify([question.text, ...question.phrases])
}

export function questionOf(text: string): Question {
  const parts: unknown = JSON.parse(text)
  if (!Array.isArray(parts) || parts.length < 2 || parts.some(part => typeof part !== 'string')) throw new Error('a pair is a text and at least one phrase')
  const [said, ...phrases] = parts as string[]
  return { text: said ?? '', phrases }
}
