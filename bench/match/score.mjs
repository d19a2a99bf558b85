/** Counts of a contender's answers. Negatives of sources that no route names are free for whoever checks the source, so they are counted apart. */
const ALLOWED = new Set(['user', 'voice'])

export const NOTHING = () => ({ positives: 0, hits: 0, slotsWrong: 0, paraphrases: 0, paraphrasesHit: 0, paraphrasesOffered: 0, wrong: 0, offered: 0, negatives: 0, falseFires: 0, falseOffers: 0, foreign: 0, foreignFires: 0 })

/** @returns figures of all cases and of each kind (asks and no asks of one kind apart) */
export function score(cases, { fired, offered, slotsWrong }) {
  const all = NOTHING()
  const kinds = new Map()
  cases.forEach(({ route, kind, source }, i) => {
    const key = `${route === null ? 'no ask' : 'ask'}: ${kind}`
    const group = kinds.get(key) ?? NOTHING()
    kinds.set(key, group)
    for (const figures of [all, group]) count(figures, { route, kind, source, fired: fired[i], offered: offered?.[i] ?? [], slotsWrong: slotsWrong?.[i] ?? false })
  })
  return { all, kinds }
}

function count(figures, { route, kind, source, fired, offered, slotsWrong }) {
  if (route !== null) {
    const paraphrase = Number(kind === 'paraphrase')
    figures.positives++
    figures.paraphrases += paraphrase
    if (fired === route) {
      figures.hits++
      figures.paraphrasesHit += paraphrase
      if (slotsWrong) figures.slotsWrong++
    } else if (fired !== null) figures.wrong++
    else if (offered.includes(route)) {
      figures.offered++
      figures.paraphrasesOffered += paraphrase
    }
    return
  }
  if (!ALLOWED.has(source.split(':')[0])) {
    figures.foreign++
    if (fired !== null) figures.foreignFires++
    return
  }
  figures.negatives++
  if (fired !== null) figures.falseFires++
  else if (offered.length > 0) figures.falseOffers++
}

export function sum(list) {
  const total = NOTHING()
  for (const figures of list) for (const name of Object.keys(total)) total[name] += figures[name]
  return total
}
