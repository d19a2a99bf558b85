/** Who is measured: each gives, for every text, the route it takes it for and a score that tells how sure it is. */
import { fitHead } from '../../dist/heads/build.js'
import { framed } from '../../dist/heads/kernel.js'
import { logitOf } from '../../dist/heads/logistic.js'

const dot = (a, b) => { let sum = 0; for (let k = 0; k < a.length; k++) sum += a[k] * b[k]; return sum }

/** @param vectors Vectors of vectors.mjs */
export async function nearest(routes, texts, vectors) {
  const phrases = routes.flatMap(({ name, utterances }) => utterances.map(text => ({ name, text })))
  const known = await vectors.of(phrases.map(({ text }) => text))
  return (await vectors.of(texts)).map(vector => best(known.map(phrase => dot(phrase, vector)), phrases))
}

export async function centroid(routes, texts, vectors) {
  const centres = await Promise.all(routes.map(async ({ utterances }) => {
    const sum = new Float64Array(384)
    for (const vector of await vectors.of(utterances)) vector.forEach((value, k) => { sum[k] += value })
    const length = Math.sqrt(dot(sum, sum))
    return sum.map(value => value / length)
  }))
  return (await vectors.of(texts)).map(vector => best(centres.map(centre => dot(centre, vector)), routes))
}

function best(scores, of) {
  let at = 0
  for (let i = 1; i < scores.length; i++) if (scores[i] > scores[at]) at = i
  return { route: of[at].name, score: scores[at] }
}

/** Usher's head, fitted as it is at load; `names`: the routes' names count as a phrase, as they do in the product. */
export async function usher(routes, texts, vectors, encoder) {
  const started = performance.now()
  const built = await fitHead({
    encoder, vectors: wanted => vectors.of(wanted),
    routes: routes.map(({ name, utterances }) => ({ name, free: true, phrases: utterances.map(text => ({ text, template: text, slots: false })), mustFire: [], never: [] })),
  })
  const fitted = performance.now() - started
  const [plain, inFrame] = [await vectors.of(texts), await vectors.of(texts.map(framed))]
  const { head, evidence } = built
  const scored = performance.now()
  const answers = texts.map((text, at) => {
    const { top, first, second } = head.standing(text, { plain: plain[at], framed: inFrame[at] })
    return { route: head.facts.routes[top], score: logitOf(head.facts.probability, [first, second]) }
  })
  return { answers, fitted, each: (performance.now() - scored) / texts.length, judged: evidence.judged }
}
