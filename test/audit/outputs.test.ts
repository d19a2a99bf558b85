import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readBaseline, sinceBaseline } from '../../src/audit/baseline.ts'
import { htmlReport } from '../../src/audit/html.ts'
import { auditToolsJson, configTargets } from '../../src/audit/inputs.ts'
import { joined, summarise, type AuditCall, type AuditEffect, type AuditReport, type AuditTool } from '../../src/audit/report.ts'
import { sarifReport } from '../../src/audit/sarif.ts'
import { auditText } from '../../src/audit/text.ts'
import { auditedTool, readAudit } from '../../src/contract/audited.ts'
import { compileValidator } from '../../src/schema/validate.ts'
import type { JsonObject } from '../../src/types.ts'

const folder = mkdtempSync(join(tmpdir(), 'usher-outputs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = (name: string, value: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

const effect = (kind: string, target: string, more: Partial<AuditEffect> = {}): AuditEffect => ({ kind, target, watcher: 'strace', level: 'acts', ...more })
const call = (verdict: AuditCall['verdict'], effects: readonly AuditEffect[] = [], more: Partial<AuditCall> = {}): AuditCall => ({ arguments: {}, verdict, effects, about: 'nothing', reply: { kind: 'result', text: 'done' }, ...more })
const tool = (name: string, calls: readonly AuditCall[], more: Partial<AuditTool> = {}): AuditTool => ({ name, flags: [], calls, exercised: calls.some(one => one.verdict !== 'not-exercised'), ...more })
const report = (tools: readonly AuditTool[], all = true): AuditReport => ({ server: 'a server', tools, watchers: [{ name: 'strace', active: true, sees: 'everything' }], startUp: [], notes: [], summary: summarise(tools, all, false) })
const plain = (_style: string, text: string): string => text

describe('the exit code', () => {
  const flag = { path: '/send', rule: 'verb', level: 'arms', why: 'w' } as const
  test.each<[string, readonly AuditTool[], boolean, number]>([
    ['every tool ok', [tool('a', [call('ok')])], true, 0],
    ['one fired', [tool('a', [call('ok')]), tool('b', [call('fail', [effect('fs.write', '/x')])])], true, 1],
    ['one was not exercised', [tool('a', [call('ok')]), tool('b', [call('not-exercised')])], true, 2],
    ['one refused nothing and was refused with other arguments', [tool('a', [call('not-exercised'), call('ok')])], true, 0],
    ['one was not watched', [tool('a', [call('not-watched', [], { unwatched: ['network'] })])], true, 2],
    ['one fired and one was not watched', [tool('a', [call('not-watched')]), tool('b', [call('fail')])], true, 1],
    ['without --all, a tool that is not flagged needs no call', [tool('a', []), tool('b', [call('ok')], { flags: [flag] })], false, 0],
    ['with --all it does', [tool('a', []), tool('b', [call('ok')], { flags: [flag] })], true, 2],
  ])('%s', (_name, tools, all, exit) => {
    expect(summarise(tools, all, false).exit).toBe(exit)
  })

  test('a server that failed is no pass', () => {
    expect(summarise([], false, true).exit).toBe(2)
  })
})

describe('text from a server is never trusted', () => {
  const nasty = report([tool('a<script>alert(1)</script>\u202E', [call('fail', [effect('process.start', '/bin/x\n\u001B[2J"><img src=x onerror=alert(1)>')], { reply: { kind: 'result', text: '</code><script>1</script>' } })], { flags: [{ path: '/<b>', rule: 'verb', level: 'arms', why: '<i>\u200B' }] })])

  test('the page holds no element of theirs, and asks for nothing', () => {
    const page = htmlReport(nasty, '1')
    for (const bad of ['<script', '<img', '<b>', '<i>', '\u202E', '\u001B']) expect(page).not.toContain(bad)
    expect(page).not.toMatch(/https?:\/\//)
    expect(page).toContain('&lt;script&gt;')
    expect(page).toContain('default-src &#39;none&#39;'.replaceAll('&#39;', '\''))
  })

  test('the lines hold no control character, and each stays one line', () => {
    const text = auditText(nasty, plain)
    for (const bad of ['\u202E', '\u001B', '\u200B']) expect(text).not.toContain(bad)
    expect(text.split('\n').filter(line => line.startsWith('FAIL'))).toHaveLength(1)
  })
})

describe('SARIF', () => {
  test('results have a rule of the list, a level, a place and a fingerprint that stays', () => {
    const tools = [tool('a', [call('fail', [effect('fs.write', '/x')]), call('not-watched', [], { unwatched: ['network'] })], { flags: [{ path: '/send', rule: 'verb', level: 'arms', why: 'w' }] }), tool('b', [call('not-exercised')])]
    const sarif = sarifReport({ ...report(tools), failure: 'it died' }, '1.0.0', 'my server.js') as { version: string, runs: { tool: { driver: { rules: { id: string }[] } }, results: { ruleId: string, level: string, locations: { physicalLocation: { artifactLocation: { uri: string } } }[], partialFingerprints: object }[] }[] }
    const [run] = sarif.runs
    expect(sarif.version).toBe('2.1.0')
    expect(run?.results.map(({ ruleId, level }) => [ruleId, level])).toEqual([['audit/flag/verb', 'warning'], ['audit/fail', 'error'], ['audit/not-watched', 'warning'], ['audit/not-exercised', 'warning'], ['audit/failure', 'error']])
    expect(run?.results.every(result => run.tool.driver.rules.some(rule => rule.id === result.ruleId))).toBe(true)
    expect(run?.results[0]?.locations[0]?.physicalLocation.artifactLocation.uri).toBe('my%20server.js')
    expect(JSON.stringify(sarif)).toBe(JSON.stringify(sarifReport({ ...report(tools), failure: 'it died' }, '1.0.0', 'my server.js')))
  })
})

/** Of SARIF 2.1.0 (OASIS), the objects that are written, closed: what the standard requires, allows and calls its values. */
const SARIF_PART = {
  type: 'object', required: ['version', 'runs'], additionalProperties: false,
  properties: { $schema: { type: 'string', format: 'uri' }, version: { const: '2.1.0' }, runs: { type: 'array', items: { $ref: '#/$defs/run' } } },
  $defs: {
    message: { type: 'object', required: ['text'], additionalProperties: false, properties: { text: { type: 'string' } } },
    run: { type: 'object', required: ['tool'], additionalProperties: false, properties: { tool: { type: 'object', required: ['driver'], additionalProperties: false, properties: { driver: { $ref: '#/$defs/component' } } }, results: { type: 'array', items: { $ref: '#/$defs/result' } }, invocations: { type: 'array', items: { type: 'object', required: ['executionSuccessful'], additionalProperties: false, properties: { executionSuccessful: { type: 'boolean' }, exitCode: { type: 'integer' } } } } } },
    component: { type: 'object', required: ['name'], additionalProperties: false, properties: { name: { type: 'string' }, version: { type: 'string' }, rules: { type: 'array', uniqueItems: true, items: { type: 'object', required: ['id'], additionalProperties: false, properties: { id: { type: 'string' }, shortDescription: { $ref: '#/$defs/message' } } } } } },
    result: { type: 'object', required: ['message'], additionalProperties: false, properties: { ruleId: { type: 'string' }, level: { enum: ['none', 'note', 'warning', 'error'] }, message: { $ref: '#/$defs/message' }, locations: { type: 'array', items: { $ref: '#/$defs/location' } }, partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } } } },
    location: { type: 'object', additionalProperties: false, properties: { physicalLocation: { type: 'object', required: ['artifactLocation'], additionalProperties: false, properties: { artifactLocation: { type: 'object', additionalProperties: false, properties: { uri: { type: 'string', format: 'uri-reference' } } }, region: { type: 'object', additionalProperties: false, properties: { startLine: { type: 'integer', minimum: 1 } } } } }, logicalLocations: { type: 'array', uniqueItems: true, items: { type: 'object', additionalProperties: false, properties: { name: { type: 'string', minLength: 1 }, kind: { type: 'string' } } } } } },
  },
} as const

test('SARIF as the standard defines its objects, whatever a server calls its tools', () => {
  const tools = [tool('a\u202E\nb', [call('fail', [effect('fs.write', '/x\ny')]), call('not-watched', [], { unwatched: ['network'] })], { flags: [{ path: '/send', rule: 'verb', level: 'arms', why: 'w' }, { path: '', rule: 'tool-name', level: 'look here', why: 'w' }] }), tool('b', [call('not-exercised')])]
  const written = JSON.parse(JSON.stringify(sarifReport({ ...report(tools), failure: 'it died:\nno licence' }, '1.0.0', 'a b/\u00E4.js'))) as JsonObject
  const validator = compileValidator(SARIF_PART as unknown as JsonObject)
  expect(validator.kind === 'validator' && validator.check(written)).toEqual({ ok: true })
  expect(JSON.stringify(written)).toContain('it died:\\nno licence')
})

test('of a server that failed nothing was exercised, not all of nothing', () => {
  expect(summarise([], true, true)).toMatchObject({ exercised: 0, share: 0, exit: 2 })
})

describe('a baseline', () => {
  const before = report([tool('a', [call('fail', [effect('fs.write', '{scratch}/work/memory.jsonl.cc487f61e295.tmp')])], { flags: [{ path: '/send', rule: 'verb', level: 'arms', why: 'w', value: true }] })])

  test('what it has is not told again, though made-up names differ', () => {
    const known = readBaseline(file('base.json', before))
    const now = report([tool('a', [call('fail', [effect('fs.write', '{scratch}/work/memory.jsonl.1f07ab2291dd.tmp')])], { flags: before.tools[0]?.flags ?? [] })])
    const left = sinceBaseline(now, known, true)
    expect(left.tools).toEqual([])
    expect(left.summary.exit).toBe(0)
  })

  test('what is new is told, and only that', () => {
    const known = readBaseline(file('base.json', before))
    const left = sinceBaseline(report([tool('a', [call('fail', [effect('fs.write', '{scratch}/work/memory.jsonl.1f07ab2291dd.tmp'), effect('net.connect', 'new.example:443')])])]), known, true)
    expect(left.tools[0]?.calls[0]?.effects.map(one => one.target)).toEqual(['new.example:443'])
    expect(left.summary.exit).toBe(1)
  })

  test('what is known of one server\'s tool hides nothing of another\'s of the same name', () => {
    const [known] = before.tools
    const old = tool('a', known?.calls ?? [], { flags: known?.flags ?? [], server: 'one' })
    const left = sinceBaseline(report([old, { ...old, server: 'two' }]), readBaseline(file('servers.json', report([old]))), true)
    expect(left.tools.map(one => one.server)).toEqual(['two'])
    expect(left.summary.exit).toBe(1)
  })

  test.each([{}, [], null, { tools: 1 }])('what is no report is refused: %j', value => {
    expect(() => readBaseline(file('no-report.json', value))).toThrow(/is not what "usher audit --json" printed: it has no "tools"/)
  })

  test('what could not be judged stays so', () => {
    const left = sinceBaseline(report([tool('a', [call('not-exercised')])]), readBaseline(file('base.json', before)), true)
    expect(left.summary.exit).toBe(2)
  })

  test('another file is wrong use', () => {
    expect(() => readBaseline(file('bad.json', 'nonsense'))).toThrowError(expect.objectContaining({ code: 'BAD_OPTION' }))
  })
})

describe('lists of tools without a server', () => {
  const parameters = { type: 'object', properties: { send: { type: 'boolean' } } }
  test.each([
    ['OpenAI, chat', [{ type: 'function', function: { name: 't', description: 'd', parameters } }]],
    ['OpenAI, responses', [{ type: 'function', name: 't', description: 'd', parameters }]],
    ['Anthropic', [{ name: 't', description: 'd', input_schema: parameters }]],
    ['a request body', { model: 'm', tools: [{ name: 't', description: 'd', input_schema: parameters }] }],
    ['MCP', { tools: [{ name: 't', description: 'd', inputSchema: parameters }] }],
  ])('%s: flags only, and it says that nothing was called', (_name, value) => {
    const found = auditToolsJson(file('tools.json', value))
    expect(found.tools.map(one => [one.name, one.flags.map(flag => flag.path)])).toEqual([['t', ['/send']]])
    expect(found.notes.join()).toContain('nothing was called')
    expect(found.summary.exit).toBe(2)
  })

  test('an empty list is no pass', () => {
    expect(() => auditToolsJson(file('none.json', []))).toThrow(/lists no tools/)
  })
})

describe('configuration files', () => {
  test('commands and addresses, by either name', () => {
    expect(configTargets(file('mcp.json', { mcpServers: { a: { command: 'node', args: ['x.js'], env: { LEVEL: '3' } }, constructor: { url: 'https://x.example/mcp' } } }))).toEqual([
      { name: 'a', target: { kind: 'command', command: ['node', 'x.js'], env: { LEVEL: '3' } } },
      { name: 'constructor', target: { kind: 'url', url: 'https://x.example/mcp', headers: {} } },
    ])
    expect(configTargets(file('vs.json', { servers: { a: { command: 'node' } } }))).toHaveLength(1)
  })

  test.each([[{}], [{ mcpServers: {} }], [{ mcpServers: { a: {} } }], ['{']])('%j is wrong use', value => {
    expect(() => configTargets(file('bad.json', value))).toThrowError(expect.objectContaining({ code: 'BAD_OPTION' }))
  })

  test('several servers are one report; one that failed is no pass', () => {
    const both = joined([{ name: 'x', report: report([tool('a', [call('ok')])]) }, { name: 'y', report: { ...report([]), failure: 'it died', watchers: [{ name: 'strace', active: false, sees: 'everything' }] } }], true)
    expect(both.tools.map(one => one.server)).toEqual(['x'])
    expect(both.failure).toBe('y: it died')
    expect(both.watchers[0]?.active).toBe(false)
    expect(both.summary.exit).toBe(2)
  })
})

test('contract:human: what was seen stands in the review of a contract', () => {
  const findings = readAudit(JSON.stringify(report([tool('a', [call('fail', [effect('net.connect', 'x.example:443')])])])), 'audit.json')
  expect(auditedTool(findings, { name: 'a' })).toMatchObject({ sentences: expect.arrayContaining(['it did: net.connect x.example:443 (called with {})']) as string[], beyond: ['net.connect x.example:443 (called with {})'] })
})
