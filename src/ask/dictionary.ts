/** Is this a word of English at all? The only file that names the word list (`word-list`, MIT: sorted, one word a line). */
import { readFileSync } from 'node:fs'
import wordListPath from 'word-list'

let list: string | undefined

/** Binary search in the text of the list: a set of 275,000 words would cost thirty times the memory. */
export function inDictionary(word: string): boolean {
  list ??= readFileSync(wordListPath, 'utf8')
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    const start = list.lastIndexOf('\n', middle - 1) + 1
    const stop = list.indexOf('\n', middle)
    const end = stop < 0 ? list.length : stop
    const here = list.slice(start, end)
    if (here === word) return true
    if (here < word) low = end + 1
    else high = start - 1
  }
  return false
}
