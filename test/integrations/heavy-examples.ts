/** The examples for runtimes from the registry, compiled as a user would and run against the real packages: one real tool call each, and its row. Used by runtimes.test.ts. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { queryLog } from '../../src/log/query.ts'
import { openLogReader } from '../../src/log/reader.ts'
import { ROOT } from '../rules/source-files.ts'
import { mockModel, type Load } from './mastra-cases.ts'
import { workbench, type Workbench } from './workbench.ts'

type Example = (name: string) => Promise<Record<string, never>>
interface Agent { readonly state: { model: object, readonly messages: readonly { readonly role: string }[] }, prompt: (text: string) => Promise<void> }

/** @param out the folder with the compiled examples; @param project where the packages are installed */
export function exampleCases(load: Load, out: string, project: string): void {
  const example: Example = async name => await import(/* @vite-ignore */ pathToFileURL(join(out, `${name}.js`)).href) as Record<string, never>

  describe('the examples, against the real packages', () => {
    let bench: Workbench
    const before = { cwd: process.cwd(), state: process.env['USHER_STATE'] }
    beforeAll(async () => {
      process.env['USHER_STATE'] = join(project, 'state')
      process.chdir(project)
      bench = await workbench()
    })
    afterAll(async () => {
      await bench.close()
      process.chdir(before.cwd)
      if (before.state === undefined) delete process.env['USHER_STATE']; else process.env['USHER_STATE'] = before.state
    })
    beforeEach(() => { bench.done.length = 0; bench.rowFirst.length = 0 })
    const rows = (last: number) => bench.entries().slice(-last).map(entry => [entry.outcome, entry.call?.call.tool ?? entry.decision?.tool, entry.call?.call.who])

    test('trace:before: pi', async () => {
      const { houseAgent } = await example('pi') as unknown as { houseAgent: (usher: unknown, tools: unknown, others: readonly object[]) => Agent }
      const { registerFauxProvider, fauxAssistantMessage, fauxToolCall } = await load('@mariozechner/pi-ai/dist/index.js') as unknown as { registerFauxProvider: () => { getModel: () => object, setResponses: (responses: readonly object[]) => void }, fauxAssistantMessage: (content: unknown, options?: object) => object, fauxToolCall: (name: string, args: object) => object }
      const ran: string[] = []
      const other = (name: string) => ({ name, label: name, description: name, parameters: { type: 'object', properties: {} }, execute: () => { ran.push(name); return Promise.resolve({ content: [{ type: 'text', text: 'ok' }], details: {} }) } })
      const faux = registerFauxProvider()
      faux.setResponses([fauxAssistantMessage([fauxToolCall('weather', { city: 'Oslo' }), fauxToolCall('read', {}), fauxToolCall('wipe', {})], { stopReason: 'toolUse' }), fauxAssistantMessage('done')])
      const agent = houseAgent(bench.usher, bench.tools, [other('read'), other('wipe')])
      agent.state.model = faux.getModel()
      await agent.prompt('go on')
      expect([bench.done, bench.rowFirst, ran]).toEqual([['weather Oslo'], [true], ['read']])
      expect(new Set(rows(3).map(row => JSON.stringify(row.slice(0, 2))))).toEqual(new Set(['["called","weather"]', '["called","read"]', '["needs-approval","wipe"]']))
    })

    test('trace:before: mastra', async () => {
      const { houseAgent } = await example('mastra') as unknown as { houseAgent: (usher: unknown, tools: unknown, model: unknown) => { generate: (text: string) => Promise<{ text: string }> } }
      const model = await mockModel(load, [{ id: 'm-1', tool: 'weather', args: { city: 'Oslo' } }])
      expect((await houseAgent(bench.usher, bench.tools, model).generate('how is the weather?')).text).toBe('done')
      expect([bench.done, bench.rowFirst]).toEqual([['weather Oslo'], [true]])
      expect(rows(1)).toEqual([['called', 'weather', 'mastra m-1']])
    })

    test('claude', async () => {
      const { ask } = await example('claude') as unknown as { ask: (usher: unknown, prompt: string, more: object) => AsyncIterable<{ readonly type: string }> }
      const answers = join(project, 'example-answers.jsonl')
      writeFileSync(answers, '')
      const use = (name: string, tool: string, id: string) => [name, { tool_name: tool, tool_input: { file_path: '/a' }, ...name === 'PostToolUse' ? { tool_response: {} } : {}, tool_use_id: id }]
      const events = [use('PreToolUse', 'Edit', 'e1'), use('PostToolUse', 'Edit', 'e1'), use('PreToolUse', 'Bash', 'e2')]
      const seen: string[] = []
      for await (const message of ask(bench.usher, 'go on', { pathToClaudeCodeExecutable: join(ROOT, 'test/integrations/fixtures/stand-in-claude.mjs'), cwd: project, env: { ...process.env, STAND_IN_ANSWERS: answers, STAND_IN_EVENTS: JSON.stringify(events) } })) seen.push(message.type)
      expect(seen).toContain('result')
      expect(readFileSync(answers, 'utf8').trim().split('\n').map(line => (JSON.parse(line) as { hookSpecificOutput?: { permissionDecision?: string } }).hookSpecificOutput?.permissionDecision)).toEqual([undefined, undefined, 'ask'])
      expect(rows(2)).toEqual([['called', 'Edit', 'claude-code'], ['needs-approval', 'Bash', undefined]])
    })

    test('trace:before, gate:default-only, ingest:owns: openclaw loads the plugin\'s default export, and its own hook runner calls it', async () => {
      mkdirSync(join(project, 'routes'), { recursive: true })
      writeFileSync(join(project, 'routes/mail.yaml'), 'version: 1\nroutes:\n  - name: tell\n    tool: send\n    triggers: ["tell them {text:rest}"]\n    allow: [message.send]\n')
      const { default: plugin } = await example('openclaw') as unknown as { default: { readonly id: string, readonly configSchema: object, readonly register: (api: object) => void } }
      const { initializeGlobalHookRunner } = await load('openclaw/dist/plugin-sdk/hook-runtime.js') as unknown as { initializeGlobalHookRunner: (registry: object) => void }
      const { getGlobalHookRunner } = await load('openclaw/dist/plugin-sdk/plugin-runtime.js') as unknown as { getGlobalHookRunner: () => Record<'runBeforeToolCall' | 'runAfterToolCall' | 'runMessageReceived' | 'runBeforePromptBuild', (event: object, context: object) => Promise<Record<string, unknown> | undefined>> }
      const typedHooks: object[] = []
      initializeGlobalHookRunner({ plugins: [{ id: plugin.id, status: 'loaded' }], hooks: [], typedHooks })
      plugin.register({ on: (hookName: string, handler: unknown) => { typedHooks.push({ pluginId: plugin.id, hookName, handler, source: 'test' }) } })
      expect(plugin.configSchema).toBeDefined()
      const runner = getGlobalHookRunner()
      const context = (toolName: string) => ({ toolName, sessionKey: 's' })
      expect((await runner.runBeforeToolCall({ toolName: 'read', params: { path: '/a' }, toolCallId: 't1' }, context('read')))?.['requireApproval']).toBeUndefined()
      await runner.runAfterToolCall({ toolName: 'read', params: { path: '/a' }, toolCallId: 't1', result: 'seen', durationMs: 3 }, context('read'))
      expect((await runner.runBeforeToolCall({ toolName: 'exec', params: { command: 'ls' }, toolCallId: 't2' }, context('exec')))?.['requireApproval']).toMatchObject({ allowedDecisions: ['allow-once', 'deny'], pluginId: 'usher' })
      expect(await runner.runBeforeToolCall({ toolName: 'write', params: { path: 'usher.sqlite' }, toolCallId: 't3' }, context('write'))).toMatchObject({ block: true })
      await runner.runMessageReceived({ from: 'x', senderId: '4711', content: 'please tell them it rains', messageId: 'm1' }, { channelId: 'telegram', sessionKey: 's' })
      expect((await runner.runBeforePromptBuild({ prompt: 'x', messages: [] }, { sessionKey: 's' }))?.['prependContext']).toContain('source-blocked')
      const logged = () => {
        const reader = openLogReader(join(project, 'usher.sqlite'))
        try { return queryLog(reader).map(entry => [entry.outcome, entry.call?.call.tool ?? entry.decision?.tool]) } finally { reader.close() }
      }
      // What called nothing is written within a tenth of a second, not before the answer.
      await expect.poll(logged, { timeout: 20_000 }).toEqual([['called', 'read'], ['needs-approval', 'exec'], ['denied', 'write'], ['source-blocked', 'send']])
    })
  })
}
