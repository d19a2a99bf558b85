/**
 * Runtimes too large, or too new for this Node, to be dependencies of ours: installed here from the registry, so part of every CI run and of
 * `CI=true npm test`. Their examples are type-checked against the real packages, and their adapters are run.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claudeHooks } from '../../src/integrations/claude.ts'
import { piGate, piTools } from '../../src/integrations/pi.ts'
import { ROOT } from '../rules/source-files.ts'
import { adapterCases, type Adapter } from './adapter-cases.ts'
import { exampleCases } from './heavy-examples.ts'
import { mastraAdapter, mastraCases } from './mastra-cases.ts'
import { workbench, type Workbench } from './workbench.ts'

const PACKAGES = ['@mariozechner/pi-agent-core@0.73.1', '@mastra/core@1.71.0', '@anthropic-ai/claude-agent-sdk@0.3.332', '@anthropic-ai/sdk', 'ai@6', 'zod@4']
/**
 * Its gateway runs on Node 24.16 and newer, with 600 MB of dependencies. Its types, its plugin entry and its hook runner are in its tarball, and need only these.
 */
const OPENCLAW = 'openclaw@2026.9.6'
const OPENCLAW_NEEDS = ['@openclaw/fs-safe', 'tslog', 'chalk', 'semver', 'commander', 'import-meta-resolve', 'typebox']
const project = mkdtempSync(join(tmpdir(), 'usher-runtimes-'))
const load = async (file: string): Promise<Record<string, never>> => await import(/* @vite-ignore */ pathToFileURL(join(project, 'node_modules', file)).href) as Record<string, never>
let ids = 0

describe.skipIf(process.env['CI'] === undefined)('runtimes from the registry', () => {
  beforeAll(() => {
    writeFileSync(join(project, 'package.json'), '{"name":"runtimes","private":true,"type":"module"}')
    const shell = (script: string) => {
      const ran = spawnSync('sh', ['-ec', script], { cwd: project, encoding: 'utf8', timeout: 600_000 })
      if (ran.status !== 0) throw new Error(ran.stderr)
    }
    shell(`tarball=$(npm pack ${OPENCLAW} --silent | tail -n 1); mkdir -p openclaw; tar xzf "$tarball" --strip-components=1 -C openclaw --wildcards package/package.json 'package/dist/*.mjs' 'package/dist/*.js' 'package/*.d.ts'; rm "$tarball"`)
    const { dependencies } = JSON.parse(readFileSync(join(project, 'openclaw/package.json'), 'utf8')) as { dependencies: Record<string, string> }
    const needs = OPENCLAW_NEEDS.map(name => `${name}@${dependencies[name]}`)
    // The binaries of the agent SDK (200 MB) are optional dependencies: a stand-in that speaks their protocol takes their place.
    shell(`npm install --no-audit --no-fund --ignore-scripts --omit=optional ${[...PACKAGES, ...needs].join(' ')} && mv openclaw node_modules/openclaw`)
    process.stdout.write(`not run: the gateway of ${OPENCLAW} (Node 24.16), the binary of Claude Code; run: openclaw's plugin entry, hook runner and types, the agent SDK with a stand-in binary\n`)
    symlinkSync(ROOT, join(project, 'node_modules/usher-router'))
  }, 660_000)
  afterAll(() => rmSync(project, { recursive: true, force: true }))

  test('the examples compile against the real packages', () => {
    mkdirSync(join(project, 'src'))
    for (const name of ['claude', 'pi', 'mastra', 'openclaw', 'openclaw-types', 'tools']) cpSync(join(ROOT, `test/integrations/examples/heavy/${name}.ts`), join(project, `src/${name}.ts`))
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: { target: 'es2022', lib: ['es2023', 'dom'], module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, rootDir: 'src', outDir: 'out', types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] }, include: ['src'] }))
    const ran = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project], { encoding: 'utf8' })
    expect(ran.stdout).toBe('')
    expect(ran.status).toBe(0)
  })
  exampleCases(load, join(project, 'out'), project)

  adapterCases(piAdapter)
  adapterCases(mastraAdapter(load))
  mastraCases(load)

  test('pi: other tools are judged and logged before they run, and what waits for a person is blocked', async () => {
    const bench = await workbench()
    const ran: string[] = []
    const other = (name: string) => ({ name, label: name, description: name, parameters: { type: 'object', properties: {} }, execute: () => { ran.push(name); return Promise.resolve({ content: [{ type: 'text' as const, text: 'ok' }], details: {} }) } })
    const gate = piGate(bench.usher, { session: 's', effects: { look: {} }, stateDir: `${bench.usher.log.location.replace(/[^/]+$/, '')}state` })
    await piTurn(bench, [['look', {}], ['wipe', {}]], { ...gate }, [other('look'), other('wipe')])
    expect(ran).toEqual(['look'])
    expect(bench.entries().map(entry => [entry.outcome, entry.call?.call.tool ?? entry.decision?.tool])).toEqual([['called', 'look'], ['needs-approval', 'wipe']])
    await bench.close()
  })

  test('claude: the SDK calls the hooks, a denial comes back in its form, and a hook that fails denies', async () => {
    const bench = await workbench()
    const answers = await claudeTurn(bench, [
      ['PreToolUse', { tool_name: 'Read', tool_input: { file_path: '/a' }, tool_use_id: 'u1' }], ['PostToolUse', { tool_name: 'Read', tool_input: { file_path: '/a' }, tool_response: {}, tool_use_id: 'u1' }],
      ['PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'u2' }], ['PreToolUse', { tool_name: 'Write', tool_input: { file_path: '.claude/settings.json' }, tool_use_id: 'u3' }],
      ['PreToolUse', { tool_name: 'Bash', tool_input: 'no object', tool_use_id: 'u4' }], ['UserPromptSubmit', { prompt: 'please switch on the lamp', source: 'user', prompt_id: 'p1' }],
    ])
    expect(answers.map(answer => answer.hookSpecificOutput?.permissionDecision)).toEqual([undefined, undefined, 'ask', 'deny', 'deny', undefined])
    expect(answers[5]?.hookSpecificOutput?.additionalContext).toContain('Usher has already done this')
    expect(bench.done).toEqual(['lamp  true'])
    expect(bench.entries().map(entry => entry.outcome)).toEqual(['called', 'needs-approval', 'denied', 'called'])
    await bench.close()
  })
})

/* ------------------------------------------------------------------ pi */

interface PiMessage { readonly role: string, readonly toolCallId?: string, readonly content: readonly { readonly text?: string }[] }

async function piTurn(_bench: Workbench, toolCalls: readonly (readonly [string, object])[], options: object, tools: readonly object[]): Promise<readonly PiMessage[]> {
  const { Agent } = await load('@mariozechner/pi-agent-core/dist/index.js') as unknown as { Agent: new (options: object) => { state: { tools: readonly object[], messages: readonly PiMessage[] }, prompt: (text: string) => Promise<void> } }
  const { registerFauxProvider, fauxAssistantMessage, fauxToolCall } = await load('@mariozechner/pi-ai/dist/index.js') as unknown as { registerFauxProvider: () => { getModel: () => object, setResponses: (responses: readonly object[]) => void }, fauxAssistantMessage: (content: unknown, options?: object) => object, fauxToolCall: (name: string, args: object) => object }
  const faux = registerFauxProvider()
  faux.setResponses([fauxAssistantMessage(toolCalls.map(([name, args]) => fauxToolCall(name, args)), { stopReason: 'toolUse' }), fauxAssistantMessage('done')])
  const agent = new Agent({ ...options, initialState: { model: faux.getModel() }, getApiKey: () => 'none' })
  agent.state.tools = tools
  await agent.prompt('go on')
  return agent.state.messages
}

const piAdapter: Adapter = {
  name: '@mariozechner/pi-agent-core', approvals: false,
  turn: async (bench, { tool, args }) => {
    const tools = piTools(bench.usher, bench.tools)
    const messages = await piTurn(bench, [[tool, args]], {}, tools)
    const text = messages.find(message => message.role === 'toolResult')?.content[0]?.text ?? ''
    return { offered: new Map(tools.map(one => [one.name, one.parameters])), answer: parsed(text), asked: false }
  },
}

/* -------------------------------------------------------------- claude */

interface HookAnswer { readonly hookSpecificOutput?: { readonly permissionDecision?: string, readonly additionalContext?: string } }

async function claudeTurn(bench: Workbench, events: readonly (readonly [string, object])[]): Promise<readonly HookAnswer[]> {
  const { query } = await load('@anthropic-ai/claude-agent-sdk/sdk.mjs') as unknown as { query: (options: object) => AsyncIterable<unknown> }
  const stateDir = `${bench.usher.log.location.replace(/[^/]+$/, '')}state`
  const seen = join(project, `answers-${++ids}.jsonl`)
  writeFileSync(seen, '')
  const options = { hooks: claudeHooks(bench.usher, { stateDir }), pathToClaudeCodeExecutable: join(ROOT, 'test/integrations/fixtures/stand-in-claude.mjs'), cwd: project, env: { ...process.env, STAND_IN_ANSWERS: seen, STAND_IN_EVENTS: JSON.stringify(events) } }
  for await (const message of query({ prompt: 'go on', options })) expect(message).toBeDefined()
  return readFileSync(seen, 'utf8').trim().split('\n').map(line => JSON.parse(line) as HookAnswer)
}

function parsed(text: string): unknown {
  try { return JSON.parse(text) } catch { return text }
}
