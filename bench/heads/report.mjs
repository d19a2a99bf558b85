/** bench/RESULTS-heads.md and its picture. */
import { bars } from '../speed/svg.mjs'

const SHOWN = { 'clinc150': 'CLINC150', 'banking77': 'BANKING77', 'hwu64': 'HWU64' }
const TARGET = { 'clinc150': 92.5, 'banking77': 88, 'hwu64': 86 }
const percent = share => share === undefined ? '' : (share * 100).toFixed(1)

/** Mean and, where there is more than one draw, the lowest and the highest. */
function spread(rows, of) {
  const values = rows.map(row => row[of] * 100)
  if (values.length === 0) return ''
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.length === 1 ? mean.toFixed(1) : `${mean.toFixed(1)} (${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)})`
}

export function headReport(rows, { missing, machine, picture }) {
  const methods = [...new Set(rows.map(row => row.method))].sort((a, b) => Number(a === 'Usher') - Number(b === 'Usher'))
  const of = (method, set, shots, draw) => rows.filter(row => row.method === method && row.set === set && row.shots === shots && (draw === undefined || row.draw === draw))
  const sets = Object.keys(SHOWN)
  const accuracy = draw => methods.map(method => `| ${method} | ${[10, 5].flatMap(shots => sets.map(set => draw === 'published' ? percent(of(method, set, shots, draw)[0]?.accuracy) : spread(of(method, set, shots), 'accuracy'))).join(' | ')} |`)
  const head = '| | 10: CLINC150 | BANKING77 | HWU64 | 5: CLINC150 | BANKING77 | HWU64 |\n|---|---|---|---|---|---|---|'
  const scope = [['clinc150', 'far: CLINC150, 1,000 queries for none of 150 routes'], ['banking77, 27 held out', 'near: BANKING77, 50 routes, the queries of 27 other intents']].map(([set, title]) =>
    `### ${title}\n\n| | 10 phrases: recall | AUROC | accuracy | 5 phrases: recall | AUROC | accuracy |\n|---|---|---|---|---|---|---|\n${methods.map(method => `| ${method} | ${[10, 5].flatMap(shots => { const found = of(method, set, shots, 'published')[0]; return [percent(found?.recall), found?.auroc?.toFixed(3) ?? '', percent(found?.accuracy)] }).join(' | ')} |`).join('\n')}`)
  const own = rows.filter(row => row.method === 'Usher')
  const clinc = own.find(row => row.set === 'clinc150' && row.shots === 10 && row.draw === 'published')
  picture(bars({ title: 'In-scope accuracy, 10 phrases a route, published choice', unit: '%', series: sets.map(set => SHOWN[set]), groups: methods.filter(method => sets.every(set => of(method, set, 10, 'published').length > 0)).map(name => ({ name: name.replace('logistic regression, vectors and TF-IDF', 'regression + TF-IDF').replace('semantic-router', 'sem.-router'), values: sets.map(set => of(name, set, 10, 'published')[0].accuracy * 100) })) }))
  return `# Routes with several phrases

\`npm run bench:match -- --data DIR\` (or \`node bench/heads.mjs --data DIR\`) on ${machine}. Same encoder and the same vectors for everybody (\`models/all-MiniLM-L6-v2\`); Usher embeds
each text a second time, in a frame, and counts a route's name as a phrase. Texts of the test parts were used for nothing but these tables: the recipe was chosen on CLINC150's and HWU64's validation parts and on
BANKING77's training part. semantic-router at its own defaults (\`top_k\` 5), no threshold; logistic regression is scikit-learn's, C = 30.

## Accuracy in scope, the published choice of phrases, %

${head}
${accuracy('published').join('\n')}
| to reach | ${sets.map(set => TARGET[set]).join(' | ')} | | | |

## The same over three choices of phrases (the published one and two of our own): mean, lowest and highest

${head}
${methods.filter(method => of(method, 'clinc150', 10).length > 1).map(method => `| ${method} | ${[10, 5].flatMap(shots => sets.map(set => spread(of(method, set, shots), 'accuracy'))).join(' | ')} |`).join('\n')}

What Usher says of itself before any test (its phrases, each judged by those of the other triggers): ${sets.map(set => `${SHOWN[set]} ${percent(own.find(row => row.set === set && row.shots === 10 && row.draw === 'published')?.held)} %`).join(', ')} at 10 phrases.

## Out of scope: recall at the threshold that 95 % of the asks pass, %

To reach: 85 far, 55 near, with 10 phrases.

${scope.join('\n\n')}

## Cost

${clinc ? `150 routes of 10 phrases: ${(clinc.fitted / 1000).toFixed(1)} s for a first fit (vectors known), ${clinc.each.toFixed(1)} ms a text without its two vectors.` : ''}

![Accuracy in scope](heads.svg)
${missing.length > 0 ? `\nNot measured here: ${missing.join('; ')}.\n` : ''}`
}
