/** From answers to figures. `outside` follows the asks in the list of answers. */
const PASS = 0.95

/** @returns {undefined | { accuracy: number, recall?: number, auroc?: number, held?: number }} undefined: the contender is not there */
export function score({ asks, outside }, answers, judged) {
  if (answers === undefined) return undefined
  const inside = answers.slice(0, asks.length)
  const right = inside.filter(({ route }, at) => route === asks[at].label).length
  const own = judged?.filter(({ kind }) => kind === 'own')
  return { accuracy: right / asks.length, ...outside.length > 0 ? outOfScope(inside, answers.slice(asks.length)) : {}, ...own ? { held: own.filter(item => item.right).length / own.length } : {} }
}

/** Recall of what is out of scope at the threshold that 95 % of the asks pass, whichever route they are taken for. */
function outOfScope(inside, outside) {
  const scores = inside.map(({ score: value }) => value).sort((a, b) => a - b)
  const threshold = scores[Math.floor(scores.length * (1 - PASS))]
  return { recall: outside.filter(({ score: value }) => value < threshold).length / outside.length, auroc: auroc(inside, outside) }
}

/** Probability that an ask scores above what is out of scope; ties count half. */
function auroc(inside, outside) {
  const all = [...inside.map(({ score: value }) => [value, 1]), ...outside.map(({ score: value }) => [value, 0])].sort(([a], [b]) => a - b)
  let sum = 0
  for (let at = 0; at < all.length;) {
    let end = at
    while (end < all.length && all[end][0] === all[at][0]) end++
    const rank = (at + 1 + end) / 2
    for (let i = at; i < end; i++) if (all[i][1] === 1) sum += rank
    at = end
  }
  return (sum - inside.length * (inside.length + 1) / 2) / (inside.length * outside.length)
}
