/**
 * Routes with several phrases, on three public intent sets: a part of `npm run bench:match -- --data DIR`, or alone `node bench/heads.mjs --data DIR [--fresh]`.
 * What was measured is kept under .usher/bench/heads, so that a run that was cut off goes on where it was.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openEmbedder } from '../dist/embed/embedder.js'
import { farTest, nearLabels, phrases, routesOf, SETS, SHOTS, test } from './heads/data.mjs'
import { centroid, nearest, usher } from './heads/methods.mjs'
import { headReport } from './heads/report.mjs'
import { score } from './heads/score.mjs'
import { Vectors } from './heads/vectors.mjs'
import { Contender } from './peers/process.mjs'
import { ensurePeer } from './peers/setup.mjs'

const here = path => fileURLToPath(new URL(path, import.meta.url))
/** The published choice of phrases, and choices of our own by these seeds. */
const DRAWS = ['published', 'seed 1', 'seed 2']
const PEERS = [['scikit-learn-1.9.1', ['logistic', 'logistic+words'], DRAWS], ['semantic-router-0.1.16', ['mean', 'max', 'sum'], ['published']], ['semantic-router-1.1.1', ['max'], ['published']]]

/** @param {{ data: string, embedder: import('../dist/ports.js').Embedder, fresh?: boolean }} options */
export async function benchHeads({ data, embedder, fresh = false }) {
  const vectors = new Vectors(embedder)
  const tasks = tasksOf(data)
  const code = createHash('sha256').update(['build', 'evidence', 'fit', 'kernel', 'ngrams', 'rows'].map(name => readFileSync(here(`../dist/heads/${name}.js`))).join('')).digest('hex').slice(0, 16)
  const rows = []
  for (const task of tasks) {
    for (const [name, run] of [['nearest phrase', nearest], ['centroid', centroid]]) rows.push(await kept({ ...task, method: name, fresh }, async () => score(task, await run(task.routes, task.texts, vectors))))
    rows.push(await kept({ ...task, method: 'Usher', code, fresh }, async () => {
      const { answers, fitted, each, judged } = await usher(task.routes, task.texts, vectors, embedder.id)
      return { ...score(task, answers, judged), fitted, each }
    }))
  }
  const missing = []
  for (const [peer, methods, draws] of PEERS) {
    const open = opener(peer, vectors, missing)
    for (const task of tasks.filter(({ draw }) => draws.includes(draw))) {
      for (const method of methods) {
        const row = await kept({ ...task, method: methodName(peer, method), fresh }, async () => score(task, await (await open())(task, method)))
        if (row) rows.push(row)
      }
    }
    await open.close()
  }
  writeFileSync(here('./RESULTS-heads.md'), headReport(rows, { missing, machine: `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.versions.node}`, picture: svg => writeFileSync(here('./heads.svg'), svg) }))
  return 'bench/RESULTS-heads.md and bench/heads.svg were written'
}

const methodName = (peer, method) => peer.startsWith('scikit') ? (method === 'logistic' ? 'logistic regression' : 'logistic regression, vectors and TF-IDF') : `${peer.replace(/-(?=\d)/, ' ')}, ${method}`

function tasksOf(data) {
  const inScope = new Set(nearLabels(data).in_scope)
  return SETS.flatMap(set => SHOTS.flatMap(shots => DRAWS.flatMap(draw => {
    const items = phrases(data, set, shots, draw)
    const asks = test(data, set)
    const task = (name, of, outside) => ({ set: name, shots, draw, routes: routesOf(of), asks: outside.asks ?? asks, outside: outside.texts, texts: [...outside.asks ?? asks, ...outside.texts].map(({ text }) => text) })
    const near = () => ({ asks: asks.filter(({ label }) => inScope.has(label)), texts: asks.filter(({ label }) => !inScope.has(label)) })
    return [
      task(set, items, { texts: set === 'clinc150' ? farTest(data) : [] }),
      ...set === 'banking77' ? [task('banking77, 27 held out', items.filter(({ label }) => inScope.has(label)), near())] : [],
    ]
  })))
}

/** The row of a task and a method; measured once for each content. */
async function kept({ fresh, ...task }, measure) {
  const about = { set: task.set, shots: task.shots, draw: task.draw, method: task.method }
  const key = createHash('sha256').update(JSON.stringify([about, task.code ?? '', task.routes, task.texts])).digest('hex').slice(0, 24)
  const folder = here('../.usher/bench/heads')
  mkdirSync(folder, { recursive: true })
  const file = `${folder}/row-${key}.json`
  if (!fresh && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const measured = await measure()
  if (measured === undefined) return undefined
  const row = { ...about, ...measured }
  writeFileSync(file, JSON.stringify(row))
  console.log(`${about.set}, ${about.shots} phrases, ${about.draw}: ${about.method}: ${(row.accuracy * 100).toFixed(1)} %`)
  return row
}

/** Starts a peer at its first task; gives the function that asks it. */
function opener(peer, vectors, missing) {
  let contender
  const given = new Set()
  const open = async () => {
    if (contender === undefined) {
      const { python, missing: why } = ensurePeer(peer)
      if (why !== undefined && !missing.includes(`${peer}: ${why}`)) missing.push(`${peer}: ${why}`)
      contender = why === undefined ? new Contender(python, [here('./heads/peer.py')]) : null
    }
    if (contender === null) return async () => undefined
    return async ({ routes, texts }, method) => {
      const fresh = [...new Set([...routes.flatMap(({ utterances }) => utterances), ...texts])].filter(text => !given.has(text))
      if (fresh.length > 0) await contender.ask({ op: 'vectors', ...await vectorFile(fresh, vectors) })
      for (const text of fresh) given.add(text)
      const { routes: names, scores } = await contender.ask({ op: 'fit', method, routes, texts })
      return names.map((route, at) => ({ route, score: scores[at] }))
    }
  }
  open.close = async () => { await contender?.close() }
  return open
}

async function vectorFile(texts, vectors) {
  const of = await vectors.of(texts)
  const numbers = new Float32Array(of.length * of[0].length)
  of.forEach((vector, at) => { numbers.set(vector, at * vector.length) })
  const file = here('../.usher/bench/heads/given.f32')
  writeFileSync(file, Buffer.from(numbers.buffer))
  return { texts, file }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { data: { type: 'string' }, fresh: { type: 'boolean' } } })
  if (values.data === undefined) {
    console.error('give the folder of the intent sets: node bench/heads.mjs --data DIR')
    process.exitCode = 2
  } else {
    const embedder = await openEmbedder({ cacheSize: 0 })
    console.log(await benchHeads({ data: values.data, embedder, fresh: values.fresh ?? false }))
    await embedder.close()
  }
}
