// Tools for the server's tests: what they did stands in a file, so that a test sees each call from outside.
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { defineTool } from '../../dist/index.js'

const record = words => appendFileSync(process.env.USHER_TEST_RECORD, `${words}\n`)

export default [
  defineTool({ name: 'record', description: 'Writes the id of its event down.', input: z.object({ words: z.string().optional() }), effects: { always: ['fs.write'] }, run: async (_args, call) => { record(`record ${call.event.id}`); return { id: call.event.id } } }),
  defineTool({
    name: 'slow', description: 'Takes its time.', input: z.object({}), effects: { always: ['fs.write'] },
    run: async (_args, call) => { record(`begin ${call.event.id}`); await sleep(Number(process.env.USHER_TEST_SLOW ?? 2000)); record(`end ${call.event.id}`); return {} },
  }),
]
