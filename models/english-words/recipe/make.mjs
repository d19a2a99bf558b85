/** `node models/english-words/recipe/make.mjs`: writes lexicon.txt from the installed `compromise`. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import nlp from 'compromise/two'

const byTags = new Map()
for (const [word, tags] of Object.entries(nlp.model().one.lexicon)) {
  const key = [tags].flat().join(' ')
  byTags.set(key, [...byTags.get(key) ?? [], word])
}
writeFileSync(fileURLToPath(new URL('../lexicon.txt', import.meta.url)), [...byTags].map(([tags, words]) => `${[tags, ...words].join('\t')}\n`).join(''))
