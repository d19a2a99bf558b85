/** Who took the words for an ask stands in the row: the rules, or the second reader alone, where its owner let it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { afterAll, expect, test } from 'vitest'
import { PINNED_ENCODER } from '../../src/embed/pinned.ts'
import { createUsher, defineTool, type Embedder } from '../../src/index.ts'
import { explainById } from '../../src/log/explain.ts'
import { openLogReader } from '../../src/log/reader.ts'
import type { AskScorer } from '../../src/ports.ts'
import { LIMITS } from '../reader/support.ts'

const folder = mkdtempSync(join(tmpdir(), 'usher-asked-by-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const one = new Float32Array(384).fill(1 / Math.sqrt(384))
const model: Embedder = { id: PINNED_ENCODER, dimension: 384, embed: () => Promise.resolve({ vector: one }), close: async () => {} }
const sure: AskScorer = { id: 'ask-reader@1234567890/q8', thresholds: LIMITS, score: () => Promise.resolve(0.999), close: async () => {} }
const tool = defineTool({ name: 'blinds', description: 'moves the blinds', input: z.object({}), effects: { always: ['device.actuate'] }, run: () => 'moved' })

test('gate:explicit: a row says whether the rules or the second reader alone took the words for an ask', async () => {
  const routes = join(folder, 'routes.yaml')
  writeFileSync(routes, 'version: 1\nroutes:\n  - name: blinds\n    tool: blinds\n    triggers: ["lower the blinds"]\n    allow: [device.actuate]\n    reader: fire\n')
  const log = join(folder, 'log.sqlite')
  const usher = await createUsher({ routes, tools: [tool], log, model, secondReader: sure, state: join(folder, 'state') })
  const said = async (text: string) => (await usher.handle({ source: 'user', text })).outcomes[0]
  const alone = await said('too bright in here for a nap')
  const rules = await said('please lower the blinds')
  await usher.close()
  expect([alone?.kind, alone?.reason, alone?.why]).toEqual(['called', 'reader', 'the second reader alone took it for an ask; blinds ran'])
  expect([rules?.kind, rules?.reason]).toEqual(['called', 'ask'])

  const reader = openLogReader(log)
  try {
    const rows = [alone, rules].map(outcome => {
      const found = explainById(reader, outcome?.decisionId ?? '')
      if (found.kind !== 'found') throw new Error(found.kind)
      const { decisions: [decision], calls } = found.explanation
      return { explicit: decision?.gate.find(step => step.rule === 'explicit')?.detail, reason: decision?.reason, calls: calls.map(({ call }) => [call.explicit, call.askedBy]) }
    })
    expect(rows).toEqual([
      { explicit: 'the second reader alone takes it for an ask, as "lower the blinds"; the rules do not: they read nothing of it', reason: 'reader', calls: [[true, 'reader']] },
      { explicit: 'the words ask for it, as "lower the blinds"', reason: 'ask', calls: [[true, undefined]] },
    ])
  } finally {
    reader.close()
  }
})
