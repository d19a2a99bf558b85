/** Intent sets as the bench uses them: routes with a few phrases each, texts that ask for one of them, and texts that ask for none. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

export const SETS = ['clinc150', 'banking77', 'hwu64']
export const SHOTS = [5, 10]

export function lines(data, file) {
  return gunzipSync(readFileSync(join(data, `${file}.jsonl.gz`))).toString().trim().split('\n').map(line => JSON.parse(line))
}

/** `published`: the choice of phrases that published results use; a number: `shots` of each label of the whole training part, by that seed. */
export function phrases(data, set, shots, draw) {
  if (draw === 'published') return lines(data, `${set}/train_${shots}shot_dnnc`)
  const order = text => createHash('sha1').update(`${draw}:${text}`).digest('hex')
  const byLabel = new Map()
  for (const item of lines(data, `${set}/train`)) byLabel.set(item.label, (byLabel.get(item.label) ?? new Map()).set(item.text, item))
  return [...byLabel.values()].flatMap(texts => [...texts.values()].sort((a, b) => order(a.text) < order(b.text) ? -1 : 1).slice(0, shots))
}

export const test = (data, set) => lines(data, `${set}/test`)
export const farTest = data => lines(data, 'clinc150/oos_test').map(({ text }) => ({ text, label: null }))
export const nearLabels = data => JSON.parse(readFileSync(join(data, 'banking77/oos_intents.json'), 'utf8'))

/** Phrases by label, labels in alphabetical order: the routes of a contender. */
export function routesOf(items) {
  const byLabel = new Map()
  for (const { text, label } of items) byLabel.set(label, [...byLabel.get(label) ?? [], text])
  return [...byLabel].sort(([a], [b]) => a < b ? -1 : 1).map(([name, utterances]) => ({ name, utterances: [...new Set(utterances)] }))
}
