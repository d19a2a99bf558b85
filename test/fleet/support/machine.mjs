// One machine of a fleet: log in PostgreSQL, events from JetStream, and tools whose effect is a line in a file of its own.
// One argument: JSON { pg, nats, stream, consumer, prefix, state, witness, name, encoder: 'cheap' | 'real', slow, outcomes? }
import { appendFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { createUsher, defineTool } from '../../../dist/index.js'
import { openConsumer } from '../../../dist/fleet/nats.js'
import { runSource } from '../../../dist/fleet/source.js'
import { PINNED_ENCODER } from '../../../dist/embed/pinned.js'
import { installObserver } from '../../../dist/effects/observer.js'

const setup = JSON.parse(process.argv[2])
const pause = ms => new Promise(resolve => { setTimeout(resolve, ms) })

/** The effect: what a crash cannot take back. The row of the call must be there before it. */
function tool(name, arm) {
  return defineTool({
    name, description: `does ${name}`, input: z.object({ floor: z.string().optional() }), presetOnly: z.object({ [arm]: z.boolean().optional() }), effects: { [arm]: ['fs.write'] },
    run: async (_args, context) => {
      appendFileSync(setup.witness, `${JSON.stringify({ tool: name, call: context.callId, event: context.event.id, source: context.event.source, machine: setup.name })}\n`)
      if (setup.slow > 0) await pause(setup.slow)
      return { done: true }
    },
  })
}

/** A vector from the letters: cheap, and the same on every machine. What fires is decided by the words anyway. */
function vectorOf(text) {
  const vector = new Float32Array(384)
  for (const [i, char] of [...text.toLowerCase()].entries()) vector[(char.codePointAt(0) * 31 + i) % 384] += 1
  const length = Math.hypot(...vector) || 1
  return vector.map(value => value / length)
}
const cheap = { id: PINNED_ENCODER, dimension: 384, embed: async text => ({ vector: vectorOf(text) }), close: async () => {} }

const observer = installObserver()
const usher = await createUsher({
  routes: setup.routes ?? fileURLToPath(new URL('bell.yaml', import.meta.url)), tools: [tool('ring_bell', 'ring'), tool('light_lamp', 'on')], log: setup.pg, state: setup.state, cache: false, timeZone: 'UTC',
  ...(setup.encoder === 'real' ? {} : { model: cheap, secondReader: false, routeTests: 'skip' }),
})
const consumer = await observer.background('usher:events', () => openConsumer({ url: setup.nats, stream: setup.stream, consumer: setup.consumer, inFlight: setup.inFlight ?? 32 }))
let done = 0
process.on('SIGTERM', () => { consumer.stop() })
process.stdout.write('ready\n')
await observer.background('usher:events', () => runSource({
  consumer, handle: event => usher.handle(event), log: usher.log, clock: { now: () => Date.now() }, prefix: setup.prefix ?? 'events', tries: 5, ...(setup.outcomes ? { outcomes: setup.outcomes } : {}),
  onDone: () => { done++; if (done % 50 === 0) process.stdout.write(`${done}\n`) },
  onTrouble: what => { process.stderr.write(`${setup.name}: ${what}\n`) },
}))
await usher.close()
await consumer.close()
process.stdout.write(`${done}\n`)
