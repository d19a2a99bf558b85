/**
 * Builds nouns.txt from the database files of WordNet 3.1: node build.mjs DICT_FOLDER > nouns.txt
 * A line is a noun and the kinds of its usual senses, most usual first. The letters are explained in README.md.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const dict = process.argv[2]
if (dict === undefined) throw new Error('name the folder that holds data.noun, index.noun and index.sense')
const read = name => readFileSync(join(dict, name), 'latin1')


const TOPS = new Map(Object.entries({ person: 'p', animal: 'a', plant: 'n', artifact: 'r', food: 'f', substance: 'u', matter: 'u', location: 'l', time: 't', group: 'g', communication: 'c', event: 'i', act: 'i', possession: 'm', body: 'b' }))
const LEXICOGRAPHER = ['', '', '', 'x', 'i', 'a', 'r', 'x', 'b', 'x', 'c', 'i', 'x', 'f', 'g', 'l', 'x', 'o', 'p', 'x', 'n', 'm', 'i', 'q', 'x', 'x', 'x', 'u', 't']
const ROOTS = [['structure', 1, 's'], ['way', 6, 's'], ['facility', 1, 's'], ['area', 5, 's'], ['vehicle', 1, 'v'], ['document', 1, 'd']]
/** A sense counts where it is met at least this often, against the most usual one. */
const SHARE = 0.05
const MOST_SENSES = 5
/** What may be food is food where food is spoken of, and a place a place. */
const RARE = new Set(['f', 'l', 's'])
/** Senses that count where nobody has counted them. */
const UNCOUNTED = 3

const synsets = new Map()
for (const line of read('data.noun').split('\n')) {
  if (!/^\d{8} /.test(line)) continue
  const parts = line.split(' | ')[0].split(' ')
  const pointers = 5 + 2 * parseInt(parts[3], 16)
  const above = []
  for (let at = pointers; at < parts.length; at += 4) if (parts[at] === '@' || parts[at] === '@i') above.push(parts[at + 1])
  synsets.set(parts[0], { file: Number(parts[1]), words: parts.slice(4, pointers - 1), above })
}
const senses = new Map()
for (const line of read('index.noun').split('\n')) {
  if (line === '' || line.startsWith(' ')) continue
  const parts = line.trim().split(' ')
  senses.set(parts[0], parts.slice(-Number(parts[2])))
}
const used = new Map()
for (const line of read('index.sense').split('\n')) {
  const [key, offset, , count] = line.trim().split(' ')
  if (key?.includes('%1:')) used.set(`${key.slice(0, key.indexOf('%'))} ${offset}`, Number(count))
}
const letters = new Map(ROOTS.map(([word, sense, letter]) => [senses.get(word)?.[sense - 1], letter]))
const known = new Map()

function rooted(offset) {
  if (letters.has(offset)) return letters.get(offset)
  if (!known.has(offset)) known.set(offset, synsets.get(offset)?.above.map(rooted).find(letter => letter !== undefined))
  return known.get(offset)
}

function kindOf(offset) {
  const { file, words } = synsets.get(offset)
  return rooted(offset) ?? words.map(word => TOPS.get(word)).find(letter => file === 3 && letter !== undefined) ?? LEXICOGRAPHER[file]
}

function kindsOf(word) {
  const all = senses.get(word).filter((offset, at) => at < MOST_SENSES || RARE.has(kindOf(offset)))
  const counts = all.map(offset => used.get(`${word} ${offset}`) ?? 0)
  const most = Math.max(...counts)
  const usual = all.filter((offset, at) => RARE.has(kindOf(offset)) || (most > 0 ? counts[at] >= SHARE * most : at < UNCOUNTED))
  return [...new Set(usual.map(kindOf))].join('')
}

const lines = [...senses.keys()].filter(word => /^[a-z]{2,}(?:-[a-z]+)*$/.test(word)).map(word => `${word}\t${kindsOf(word)}`)
process.stdout.write(`${lines.sort((a, b) => (a < b ? -1 : 1)).join('\n')}\n`)
