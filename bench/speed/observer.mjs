/** The same work with and without the effects observer, by its own benchmark: pairs of fresh processes, processor time. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median, short } from './stats.mjs'

const effects = fileURLToPath(new URL('../effects.mjs', import.meta.url))

function timeOf(kind, situation, count) {
  const ended = spawnSync(process.execPath, [effects, '--work', kind, situation, String(count)], { encoding: 'utf8' })
  if (ended.status !== 0) throw new Error(`the ${kind} work ended with ${ended.status}: ${ended.stderr}`)
  return Number(ended.stdout.trim())
}

export async function observer(context) {
  // So many also in a quick run: of 2,000 the compiling of the observer's code would be most of what is measured.
  const [rounds, count] = [context.quick ? 3 : 5, 10_000]
  for (const [kind, name] of [['http', `${count} HTTP requests on the loopback`], ['files', `${count} file writes`]]) {
    const ratios = []
    const plain = []
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? ['plain', 'listen'] : ['listen', 'plain']
      const times = Object.fromEntries(order.map(situation => [situation, timeOf(kind, situation, count)]))
      ratios.push(times.listen / times.plain)
      plain.push(times.plain)
    }
    context.row(`${name} with the effects observer over without`, median(ratios), { most: 1.05, detail: `processor time; ${short(median(plain) * 1000 / count)} us each without` })
  }
}
