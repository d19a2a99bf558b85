/** Odd texts: how long each takes, and how long the event loop is held meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { short } from './stats.mjs'

/** The longest turn of the event loop by processor time: what a hold would be on a machine that does nothing else. Gives it when called. */
function watchTurns() {
  let [longest, running, last] = [0, true, process.cpuUsage()]
  const look = () => {
    const { user, system } = process.cpuUsage(last)
    last = process.cpuUsage()
    longest = Math.max(longest, (user + system) / 1000)
    if (running) setImmediate(look)
  }
  setImmediate(look)
  return () => { running = false; return longest }
}

export async function stalls(context) {
  const { createUsher, defineTool } = await import('../../dist/index.js')
  const { tableOf } = await import('./usher_table.mjs')
  const { madeRoutes } = await import('./texts.mjs')
  const z = await import('zod')
  const scratch = mkdtempSync(join(tmpdir(), 'usher-bench-'))
  const tool = defineTool({ name: 'act', description: 'Does nothing.', input: z.object({}), presetOnly: z.object({ go: z.boolean() }), effects: { go: ['device.actuate'] }, run: () => 'done' })
  const usher = await createUsher({ routes: tableOf(madeRoutes(1500)), tools: [tool], log: join(scratch, 'log.db'), cache: context.cacheDir('events') })
  const texts = {
    'one word': 'console', '512 tokens': 'word '.repeat(510), '1 MB of words': 'some words of a log '.repeat(50_000), '1 MB of one word': 'x'.repeat(1_000_000),
    '1 MB of dashes': `a${'-'.repeat(1_000_000)}b`, '1 MB of emoji': '\u{1F600}'.repeat(250_000),
  }
  for (let i = 0; i < 50; i++) await usher.handle({ source: 'user', text: `warm up ${i}` })
  for (const [name, text] of Object.entries(texts)) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    const times = []
    delay.enable()
    const turns = watchTurns()
    for (let round = 0; round < (context.quick ? 2 : 5); round++) {
      const start = performance.now()
      await usher.handle({ source: 'user', text: `${text} ${round}` })
      times.push(performance.now() - start)
      await setTimeout(20)
    }
    delay.disable()
    const turn = turns()
    // The histogram counts from one tick of its timer to the next: a millisecond of it is no delay.
    context.row(`longest hold of the event loop, ${name}`, Math.max(0, delay.max / 1e6 - 1), { most: 5, unit: 'ms', detail: `handled in ${short(Math.min(...times))} ms at best; processor time of the longest turn of the loop ${short(turn)} ms, whatever else the machine did` })
  }
  await usher.close()
  rmSync(scratch, { recursive: true, force: true })
}
