/** Memory of the encoder's process over many texts: flat after it is warm. */
import { readFileSync } from 'node:fs'
import { short } from './stats.mjs'

const resident = pid => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

export async function memory(context) {
  if (process.platform !== 'linux') return context.unmeasured('memory of the encoder over many texts', 'reads /proc')
  const { openEmbedder } = await import('../../dist/embed/embedder.js')
  let pid = 0
  const embedder = await openEmbedder({ workers: 1, cacheSize: 0, around: begin => { const child = begin(); pid = child.pid; return child } })
  const count = context.quick ? 2000 : 8000
  const run = async (from, to) => { for (let i = from; i < to; i++) await embedder.embed(`text ${i} ${'word '.repeat(i % 40)}`) }
  await run(0, count / 4)
  const warm = resident(pid)
  await run(count / 4, count)
  const end = resident(pid)
  await embedder.close()
  context.row(`memory of the encoder's process after ${count} texts over after a quarter of them`, end / warm, { most: 1.05, detail: `${short(end)} MiB` })
}
