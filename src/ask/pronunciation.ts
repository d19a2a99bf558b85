/** How an English word is pronounced. The only file that names the pronouncing dictionary (`cmu-pronouncing-dictionary`: the CMU dictionary, one word a line). */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

let text: string | undefined
/** First letters, two or three -> the lines of the words that begin so: they stand together. */
const sections = new Map<string, string>()

/** ARPAbet phonemes as one letter each, stress left out, so that a pronunciation is a string. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['AA', 'a'], ['AE', 'A'], ['AH', 'u'], ['AO', 'o'], ['AW', 'w'], ['AY', 'y'], ['EH', 'e'], ['ER', 'r'], ['EY', 'E'], ['IH', 'i'], ['IY', 'I'], ['OW', 'O'], ['OY', '0'], ['UH', 'h'], ['UW', 'U'],
  ['B', 'B'], ['CH', 'C'], ['D', 'D'], ['DH', '6'], ['F', 'F'], ['G', 'G'], ['HH', 'H'], ['JH', 'J'], ['K', 'K'], ['L', 'L'], ['M', 'M'], ['N', 'N'], ['NG', '9'], ['P', 'P'], ['R', 'R'], ['S', 'S'], ['SH', '5'], ['T', 'T'], ['TH', '7'], ['V', 'V'], ['W', 'W'], ['Y', 'Y'], ['Z', 'Z'], ['ZH', '4'],
])

/** First two letters -> where the first lines that begin so stand, found in one pass: to search the text for each beginning takes ten times as long. */
const places = new Map<string, readonly [from: number, to: number]>()

/** The dictionary is read once, as text: its 135,000 words as an object would cost ten times the memory and a tenth of a second. */
function dictionary(): string {
  if (text !== undefined) return text
  text = readFileSync(createRequire(import.meta.url).resolve('cmu-pronouncing-dictionary'), 'latin1')
  let begun = 0
  let from = -1
  const keep = (to: number): void => {
    const beginning = text?.slice(from + OPENING.length, from + OPENING.length + 2) ?? ''
    if (from >= 0 && !places.has(beginning)) places.set(beginning, [from, to])
  }
  let at = text.indexOf(OPENING)
  for (; at >= 0 && text.charCodeAt(at + OPENING.length - 1) === QUOTE; at = text.indexOf('\n', at + OPENING.length)) {
    const beginning = text.charCodeAt(at + OPENING.length) * 65536 + text.charCodeAt(at + OPENING.length + 1)
    if (beginning === begun) continue
    keep(at)
    begun = beginning
    from = at
  }
  keep(at < 0 ? text.length : at)
  return text
}

/** How the line of a word begins. */
const OPENING = '\n  "'
const QUOTE = 34

function section(beginning: string): string {
  let lines = sections.get(beginning)
  if (lines === undefined) {
    lines = beginning.length === 2 ? pair(beginning) : run(beginning.length > 2 ? section(beginning.slice(0, 2)) : dictionary(), OPENING + beginning)
    sections.set(beginning, lines)
  }
  return lines
}

function pair(beginning: string): string {
  const all = dictionary()
  const place = places.get(beginning)
  return place ? all.slice(...place) : ''
}

/** The first lines that follow each other and begin so. */
function run(all: string, opening: string): string {
  const from = all.indexOf(opening)
  let to = from
  while (to >= 0 && all.startsWith(opening, to)) to = all.indexOf('\n', to + 1)
  return from < 0 ? '' : all.slice(from, to < 0 ? all.length : to)
}

/** One letter a phoneme (see LETTERS), or undefined where the dictionary has no such word. */
export function pronounce(word: string): string | undefined {
  if (!/^[a-z][a-z']*$/.test(word)) return undefined
  const lines = section(word.slice(0, 3))
  const entry = `\n  "${word}": "`
  const at = lines.indexOf(entry)
  if (at < 0) return undefined
  const start = at + entry.length
  return lines.slice(start, lines.indexOf('"', start)).split(' ').map(phoneme => LETTERS.get(phoneme.replace(/\d/, '')) ?? '').join('')
}
