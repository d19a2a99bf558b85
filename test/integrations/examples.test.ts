/** The examples do what they say; the README's is one of them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { openLogReader } from '../../src/log/reader.ts'
import { queryLog } from '../../src/log/query.ts'
import { read } from '../rules/source-files.ts'
import { answer } from './examples/ai-sdk.ts'
import { houseAgent } from './examples/openai-agents.ts'
import { openTraced } from './examples/otel.ts'
import { withTools } from './examples/langchain.ts'
import { workbench } from './workbench.ts'

const folder = mkdtempSync(join(tmpdir(), 'usher-examples-'))
const before = { cwd: process.cwd(), state: process.env['USHER_STATE'] }
beforeAll(() => {
  process.chdir(folder)
  process.env['USHER_STATE'] = join(folder, 'state')
  mkdirSync(join(folder, 'routes'))
})
afterAll(() => {
  process.chdir(before.cwd)
  if (before.state === undefined) delete process.env['USHER_STATE']; else process.env['USHER_STATE'] = before.state
  rmSync(folder, { recursive: true, force: true })
})

test('the README shows the example that is type-checked here', () => {
  expect(read('README.md')).toContain(read('test/integrations/examples/ai-sdk.ts').trim())
})

test('ai: what the words ask for is done before the model\'s turn, and the model\'s own call waits for a person', async () => {
  writeFileSync(join(folder, 'routes/mail.yaml'), 'version: 1\nroutes:\n  - name: tell\n    tool: send\n    triggers: ["tell them {text:rest}"]\n    allow: [message.send]\n')
  const sent: unknown[] = []
  const mine = {
    weather: tool({ description: 'Says the weather.', inputSchema: z.object({}), execute: () => 'rain' }),
    send: tool({ description: 'Sends a message.', inputSchema: z.object({ text: z.string() }), execute: input => { sent.push(input); return 'sent' } }),
  }
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }
  const model = new MockLanguageModelV3({
    doGenerate: [
      { content: [{ type: 'tool-call', toolCallId: 'w', toolName: 'weather', input: '{}' }], finishReason: { unified: 'tool-calls', raw: 'x' }, usage, warnings: [] },
      { content: [{ type: 'text', text: 'It rains, and they know.' }], finishReason: { unified: 'stop', raw: 'x' }, usage, warnings: [] },
    ],
  })
  expect(await answer(model, mine, 'please tell them I am late')).toBe('It rains, and they know.')
  expect(sent).toEqual([{ text: 'I am late' }])
  expect(JSON.stringify(model.doGenerateCalls[0]?.prompt)).toContain('Usher has already done this')
  const reader = openLogReader(join(folder, 'usher.sqlite'))
  expect(queryLog(reader).map(entry => [entry.outcome, entry.call?.call.tool])).toEqual([['called', 'send'], ['called', 'weather']])
  reader.close()
})

test('the others stand up', async () => {
  const bench = await workbench()
  expect(houseAgent(bench.usher as never, bench.tools).tools.map(one => one.type)).toEqual(['function', 'function', 'function', 'function'])
  const bound: unknown[] = []
  withTools({ bindTools: (tools: unknown[]) => { bound.push(...tools) } } as never, bench.usher as never, bench.tools)
  expect(bound.length).toBe(4)
  const traced = await openTraced(bench.tools)
  expect((await traced.handle({ source: 'user', text: 'how do tides work' })).outcomes).toMatchObject([{ kind: 'no-match' }])
  await bench.close()
  await traced.close()
})
