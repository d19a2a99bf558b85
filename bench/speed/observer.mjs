/** The same work with and without the effects observer, in fresh processes, rounds interleaved. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median, short } from './stats.mjs'

const work = fileURLToPath(new URL('./observer_work.mjs', import.meta.url))

function timeOf(kind, count, observed) {
  const ended = spawnSync(process.execPath, [work, kind, String(count), observed ? 'observed' : 'plain'], { encoding: 'utf8' })
  if (ended.status !== 0) throw new Error(`the ${kind} work ended with ${ended.status}: ${ended.stderr}`)
  return Number(ended.stdout.trim())
}

export async function observer(context) {
  const [rounds, count] = context.quick ? [3, 2000] : [9, 10_000]
  for (const kind of ['http', 'files']) {
    const ratios = []
    const plain = []
    for (let round = 0; round < rounds; round++) {
      const first = round % 2 === 0
      const one = timeOf(kind, count, first)
      const two = timeOf(kind, count, !first)
      ratios.push(first ? one / two : two / one)
      plain.push(first ? two : one)
    }
    const name = kind === 'http' ? `${count} HTTP requests on the loopback` : `${count} file writes`
    context.row(`${name} with the effects observer over without`, median(ratios), { most: 1.05, detail: `${short(median(plain) / count)} ms each without` })
  }
}
