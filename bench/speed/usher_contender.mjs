/** Usher in a process of its own: one JSON command a line, one answer a line. Vectors of events are not cached unless the command says so. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const started = performance.now()
const { createUsher, defineTool } = await import('../../dist/index.js')
const { openEmbedder } = await import('../../dist/embed/embedder.js')
const { tableOf } = await import('./usher_table.mjs')
const z = await import('zod')

const scratch = mkdtempSync(join(tmpdir(), 'usher-bench-'))
let usher, embedder

async function load({ routes, cache, cacheSize = 0, workers, second = true }) {
  embedder = await openEmbedder({ cacheSize, ...(workers ? { workers } : {}) })
  const tool = defineTool({ name: 'act', description: 'Does what its preset says.', input: z.object({}), presetOnly: z.object({ go: z.boolean() }), effects: { go: ['device.actuate'] }, run: () => 'done' })
  usher = await createUsher({ routes: tableOf(routes), tools: [tool], log: join(scratch, 'log.db'), model: embedder, cache: cache ?? join(scratch, 'cache'), secondReader: second ? 'auto' : false })
}

const decide = text => usher.decide({ source: 'user', text })
const outcome = decisions => decisions[0].row

async function timed(work, texts) {
  const ms = []
  const results = []
  const before = process.cpuUsage()
  for (const text of texts) {
    const start = performance.now()
    results.push(await work(text))
    ms.push(performance.now() - start)
  }
  const { user, system } = process.cpuUsage(before)
  return { ms, results, cpu: (user + system) / 1000 / texts.length }
}

async function answer(command) {
  const { op, texts } = command
  const start = performance.now()
  switch (op) {
    case 'load': await load(command); return { ms: performance.now() - start, sinceStart: performance.now() - started, rss: process.memoryUsage().rss }
    case 'encode': {
      const { ms, cpu } = await timed(text => embedder.embed(text), texts)
      return { ms, cpu }
    }
    case 'route': {
      const { ms, results, cpu } = await timed(decide, texts)
      return { ms, cpu, routes: results.map(each => outcome(each).kind === 'called' ? outcome(each).route : null), sinceStart: performance.now() - started }
    }
    case 'throughput': {
      const queue = [...texts]
      const workers = Array.from({ length: 16 }, async () => { for (let text = queue.pop(); text !== undefined; text = queue.pop()) await decide(text) })
      await Promise.all(workers)
      return { ms: performance.now() - start }
    }
    case 'idle': return await new Promise(done => setTimeout(() => done({}), command.ms))
    case 'rss': return { rss: process.memoryUsage().rss }
    default: throw new Error(`unknown command ${op}`)
  }
}

for await (const line of createInterface({ input: process.stdin })) process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`)
await usher?.close()
await embedder?.close()
rmSync(scratch, { recursive: true, force: true })
