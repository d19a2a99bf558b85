import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { installObserver } from '../../src/effects/observer.ts'
import { ContractStore } from '../../src/contract/store.ts'
import { contractPaths } from '../../src/contract/verify.ts'
import { ContractTools } from '../../src/mcp/contract-tools.ts'
import { localTools, type LocalOptions } from '../../src/mcp/local-tool.ts'
import type { Effect, JsonObject, Tool } from '../../src/types.ts'
import { makeKey, scratch, signFile } from '../contract/keys.ts'
import { fileText, recordV1, recordV2 } from '../contract/records.ts'
import { callContext, command, identity, noteTool } from './support.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

const alice = makeKey(scratch(), 'alice')

function storeOf(version: 1 | 2, records: readonly JsonObject[], sign = true): ContractStore {
  const file = join(scratch(), 'tools.allow.json')
  writeFileSync(file, fileText(version, records), { mode: 0o644 })
  writeFileSync(join(file, '..', 'allowed_signers'), `alice ${alice.publicLine}\n`, { mode: 0o644 })
  if (sign) signFile(file, alice)
  return new ContractStore({ paths: contractPaths(file), ownMachine: true })
}

/** A small real program: what it does with its arguments is `body`. */
function program(body: string): readonly string[] {
  const file = join(scratch(), 'tool.mjs')
  writeFileSync(file, `import { readFileSync, writeFileSync } from 'node:fs'\nconst args = JSON.parse(readFileSync(0, 'utf8'))\n${body}\n`)
  chmodSync(file, 0o644)
  return [process.execPath, file]
}
const local = (body: string, change: JsonObject = {}, more: Partial<LocalOptions> = {}): Tool => localTools({ store: storeOf(1, [recordV1({ command: program(body), ...change })]), callTimeout: 5000, ...more })[0] as Tool

describe('contract:human: local tools of version 1', () => {
  test('the arguments arrive as JSON on stdin, never on a command line, and stdout is the result', async () => {
    const tool = local('console.log(JSON.stringify({ got: args, argv: process.argv.slice(2) }))')
    expect(tool).toMatchObject({ name: 'read_note', effects: { always: [] } })
    expect(await tool.run({ id: '"; rm -rf / #\u2028' }, callContext())).toBe('{"got":{"id":"\\"; rm -rf / #\u2028"},"argv":[]}')
  })
  test('an exit code other than 0 is a failure with the end of stderr; silence is SERVER_FAILED', async () => {
    await expect(local('console.error("no such note"); process.exit(3)').run({}, callContext())).rejects.toThrow(/code 3[\s\S]*no such note/)
    await expect(local('setInterval(() => {}, 1000)', {}, { callTimeout: 300 }).run({}, callContext())).rejects.toMatchObject({ code: 'SERVER_FAILED' })
  })
  test('effect:observed: all that a program does belongs to its call; one that does not report is told as what it is', async () => {
    const seen: Effect[] = []
    const observer = installObserver()
    const detach = observer.attach(effect => { seen.push(effect) })
    const record = join(scratch(), 'ran')
    try {
      await observer.run({ callId: 'c-1', mode: 'observe', allowed: [] }, async () => local(`writeFileSync(${JSON.stringify(record)}, 'x')`, { privileges: ['fs.write'] }).run({}, callContext()))
      await observer.run({ callId: 'c-2', mode: 'observe', allowed: [] }, async () => localTools({ store: storeOf(1, [recordV1({ command: ['/usr/bin/cat'] })]) })[0]?.run({}, callContext()))
    } finally {
      detach()
      observer.uninstall()
    }
    expect(seen.filter(effect => effect.target === record)).toEqual([expect.objectContaining({ kind: 'fs.write', callId: 'c-1', watcher: 'node-child' })])
    expect(seen.filter(effect => effect.detail?.['reports'] === false)).toEqual([expect.objectContaining({ kind: 'process.start', target: '/usr/bin/cat', detail: expect.objectContaining({ within: 'c-2' }) as object })])
  })
  test('effect:bounded: a program of a call that may do nothing is stopped before it writes', async () => {
    const observer = installObserver()
    const record = join(scratch(), 'ran')
    try {
      const tool = local(`writeFileSync(${JSON.stringify(record)}, 'x')`, { privileges: ['fs.write'] })
      // The start of the program is Usher's own work, so it happens.
      const run = observer.run({ callId: 'c-3', mode: 'enforce', allowed: [], declared: [] }, async () => tool.run({}, callContext()))
      await expect(run).rejects.toThrow(/EFFECT_BLOCKED|was stopped before it happened/)
      expect(observer.of('c-3').filter(effect => effect.blocked)).toEqual([expect.objectContaining({ kind: 'fs.write', target: record, watcher: 'node-child' })])
    } finally {
      observer.uninstall()
    }
    expect(existsSync(record)).toBe(false)
  })
  test('closed: unsigned means no tool, and a file that changes later means no call', async () => {
    expect(localTools({ store: storeOf(1, [recordV1()], false) })).toEqual([])
    const record = join(scratch(), 'ran')
    const store = storeOf(1, [recordV1({ command: program(`writeFileSync(${JSON.stringify(record)}, 'x')`), privileges: ['fs.write'] })])
    const [tool] = localTools({ store })
    writeFileSync(`${store.paths.file}.sig`, '')
    expect(await tool?.admit?.()).toMatchObject({ reason: 'file' })
    await expect((async () => tool?.run({}, callContext()))()).rejects.toMatchObject({ code: 'CONTRACT_INVALID' })
    expect(existsSync(record)).toBe(false)
  })
})

describe('all tools under contract', () => {
  test('two servers that offer the same name never shadow each other, and one that fails hides no other', async () => {
    const words = command('honest')
    const records = [
      recordV2({ server: await identity(words, 'a') }, noteTool), recordV2({ server: await identity(words, 'b') }, noteTool),
      recordV2({ server: await identity(command('dying', 'at-start'), 'c') }, noteTool),
    ]
    const failed: string[] = []
    const all = new ContractTools({ store: storeOf(2, records), startTimeout: 8000, onServerFailed: server => { failed.push(server) } })
    expect((await all.tools()).map(tool => tool.name)).toEqual(['a/read_note', 'b/read_note'])
    expect(failed).toEqual(['c'])
    expect(JSON.stringify(await (await all.tools())[1]?.run({ id: '1' }, callContext()))).toContain('read_note')
    await all.close()
  })
})
