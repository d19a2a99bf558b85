/** What kinds of thing a common noun is used for: a person, a place, food. The only file that reads models/noun-kinds (from WordNet). */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { lemmas } from './words/verbs.ts'

let table: string | undefined

function load(): string {
  return table ??= `\n${readFileSync(fileURLToPath(new URL('../../models/noun-kinds/nouns.txt', import.meta.url)), 'utf8')}`
}

/** Binary search in the text of the table: a map of 57,000 nouns would cost ten times the memory. */
function find(word: string): string | undefined {
  const text = load()
  let low = 0
  let high = text.length
  while (low < high) {
    const start = text.lastIndexOf('\n', (low + high) >> 1) + 1
    const stop = text.indexOf('\n', start)
    const end = stop < 0 ? text.length : stop
    const tab = text.indexOf('\t', start)
    const here = text.slice(start, tab < 0 ? end : Math.min(tab, end))
    if (here === word) return text.slice(tab + 1, end)
    if (here < word) low = end
    else high = start - 1
  }
  return undefined
}

const IRREGULAR = [[/men$/u, 'man'], [/ves$/u, 'f'], [/ves$/u, 'fe'], [/people$/u, 'person']] as const

/** @returns the letters of its kinds, most usual first, or undefined: no common noun of English */
export function kindsOf(noun: string): string | undefined {
  const stems = [...lemmas(noun).filter(({ form }) => form === 's').map(({ word }) => word), ...IRREGULAR.flatMap(([ending, single]) => ending.test(noun) ? [noun.replace(ending, single)] : [])]
  const found = [noun, ...stems].flatMap(word => find(word) ?? [])
  return found.length === 0 ? undefined : found.join('')
}
