import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { audit } from '../../src/audit/audit.ts'
import { auditText } from '../../src/audit/text.ts'
import { auditOf, node, server, tool, zoo } from './support.ts'

const quick = { timeout: 30_000, settle: 200, trace: 'shims' } as const

describe('silence is not a pass', () => {
  test.each([
    ['dying', 'at-start', /exited with code 3[\s\S]*no licence found/, {}],
    ['dying', 'silent-list', /tools\/list got no answer in 1000 ms/, { timeout: 1000, startTimeout: 30_000 }],
    ['dying', 'stubborn-silent', /did not start in 2000 ms/, { timeout: 2000 }],
    ['listing', 'no-list', /without a list of tools/, {}],
    ['listing', 'circle', /goes round in a circle/, {}],
    ['noise', 'pretty', /stdout is not JSON-RPC/, { timeout: 4000 }],
  ])('%s %s: the failure is told in its words, with exit code 2', async (name, mode, words, more) => {
    const report = await auditOf(node(server(name), mode), { ...quick, ...more })
    expect(report.failure).toMatch(words)
    expect(report.summary.exit).toBe(2)
    expect(auditText(report, (_style, text) => text)).toContain('FAILED')
  })

  test('a server without any tool is a failure', async () => {
    const report = await auditOf([process.execPath, '-e', `require('readline').createInterface({input:process.stdin}).on('line',l=>{const m=JSON.parse(l);if(m.id===undefined)return;const r=m.method==='initialize'?{protocolVersion:m.params.protocolVersion,capabilities:{tools:{}},serverInfo:{name:'e',version:'1'}}:{tools:[]};console.log(JSON.stringify({jsonrpc:'2.0',id:m.id,result:r}))})`], quick)
    expect(report.failure).toContain('lists no tools')
    expect(report.summary.exit).toBe(2)
  })

  test('a command that is not there', async () => {
    const report = await auditOf(['no-such-program-anywhere'], quick)
    expect(report.failure).toContain('no-such-program-anywhere')
  })

  test('a server that dies in a call is started again, and the call was not exercised', async () => {
    const report = await auditOf(node(server('dying'), 'in-call'), quick)
    expect(tool(report, 'read_note').calls.map(call => [call.verdict, call.reply.kind])).toEqual([['not-exercised', 'no-answer'], ['not-exercised', 'no-answer']])
    expect(report.notes.join()).toContain('started again')
    expect(report.summary.exit).toBe(2)
  })

  test('a server that asks for a variable gets a fake one, and that is said', async () => {
    const needy = `if(!process.env.NOTES_API_KEY){console.error('set NOTES_API_KEY first');process.exit(1)};require('readline').createInterface({input:process.stdin}).on('line',l=>{const m=JSON.parse(l);if(m.id===undefined)return;const r=m.method==='initialize'?{protocolVersion:m.params.protocolVersion,capabilities:{tools:{}},serverInfo:{name:'e',version:'1'}}:m.method==='tools/list'?{tools:[{name:'t',inputSchema:{type:'object'}}]}:{content:[{type:'text',text:process.env.NOTES_API_KEY}]};console.log(JSON.stringify({jsonrpc:'2.0',id:m.id,result:r}))})`
    const report = await auditOf([process.execPath, '-e', needy], quick)
    expect(report.notes).toContain('the server got a fake NOTES_API_KEY')
    expect(tool(report, 't').calls[0]).toMatchObject({ verdict: 'ok', reply: { text: 'usher-canary-notes_api_key', echoes: ['usher-canary-notes_api_key'] } })
  })
})

test('a server that cannot be started again: what was seen, and what was listed, stays in the report', async () => {
  const report = await auditOf(node(zoo('once.mjs')), quick)
  expect(report.failure).toContain('exited with code 9')
  expect(report.tools.map(one => [one.name, one.flags.length, one.calls.map(call => call.verdict)])).toEqual([['note', 1, ['fail', 'fail']], ['fatal', 1, ['fail']], ['never_reached', 1, []]])
  expect(report.summary.exit).toBe(1)
})

test('a tool that gives no answer is not asked for ever', async () => {
  const report = await auditOf(node(server('dying'), 'silent-call'), { ...quick, timeout: 500, startTimeout: 30_000 })
  expect(tool(report, 'read_note').calls.length).toBeLessThanOrEqual(2)
  expect(report.summary.exit).toBe(2)
})

describe('each tool is judged alone', () => {
  test.each(['output-dangling', 'input-string', 'input-missing', 'description-null', 'name-empty'])('%s: the good one is called, and the bad one is named with the reason', async mode => {
    const report = await auditOf(node(server('listing'), mode), quick)
    expect(report.tools.find(one => one.name !== 'good')?.flags.map(flag => flag.rule)).toContain('bad-entry')
    expect(tool(report, 'good').calls.map(call => call.verdict)).toEqual(['ok'])
  })

  test('all pages are read', async () => {
    expect((await auditOf(node(server('listing'), 'pages'), quick)).tools.map(one => one.name)).toEqual(['good', 'read_note', 'third'])
  })

  test('a name that is listed twice: each entry is flagged by its own schema, and called', async () => {
    const both = (await auditOf(node(server('listing'), 'twice-armed'), quick)).tools.filter(one => one.name === 'read_note')
    expect(both.map(one => one.flags.some(flag => flag.why.includes('lists this name more than once')))).toEqual([true, true])
    expect(both.map(one => one.flags.filter(flag => flag.level === 'arms').map(flag => flag.path))).toEqual([[], expect.arrayContaining(['/open'])])
    expect(both.map(one => one.calls.some(call => Object.hasOwn(call.arguments, 'open')))).toEqual([false, true])
  })

  test('repeated members are named', async () => {
    expect(tool(await auditOf(node(server('listing'), 'repeated'), quick), 't').flags.map(flag => flag.why).join()).toContain('there twice')
  })

  test('what the SDK drops is named', async () => {
    const why = tool(await auditOf(node(server('listing'), 'dropped-by-sdk'), quick), 'read_note').flags.filter(flag => flag.rule === 'sdk-drops').map(flag => flag.why).join()
    for (const lost of ['/x-danger', '/annotations/weird', '/inputSchema/properties/__proto__']) expect(why).toContain(lost)
  })

  test('a log on stdout is a note', async () => {
    expect((await auditOf(node(server('noise'), 'banner'), quick)).notes.join()).toContain('Notes server 1.0')
  })

  test('what the server asks of its client is refused and noted', async () => {
    expect((await auditOf(node(server('asking'), 'sampling/createMessage'), quick)).notes.join()).toContain('sampling/createMessage')
  })
})

test('means that were asked for and are not there are wrong use, not a weaker audit', async () => {
  await expect(audit({ kind: 'url', url: 'http://127.0.0.1:9/mcp' }, { network: 'required' })).rejects.toMatchObject({ code: 'BAD_OPTION' })
})

test('a server at an address whose calls hang: the next ones get less time, and that is said', { timeout: 120_000 }, async () => {
  const { child, port } = await hanging()
  try {
    const report = await audit({ kind: 'url', url: `http://127.0.0.1:${port}/mcp` }, { timeout: 5_200 })
    expect(report.tools.flatMap(one => one.calls.map(call => [call.verdict, call.reply.kind, /in (\d+) ms/.exec(call.reply.text)?.[1]]))).toEqual([...Array.from({ length: 3 }, () => ['not-exercised', 'no-answer', '5200']), ['not-exercised', 'no-answer', '5000']])
    expect(report.notes.join('\n')).toMatch(/really called[\s\S]*connection was opened again[\s\S]*3 calls in a row got no answer in 5.2 s, so the next ones were given 5 s/)
    expect(report.summary.exit).toBe(2)
  } finally {
    child.kill()
  }
})

async function hanging(): Promise<{ readonly child: ChildProcess, readonly port: string }> {
  const child = spawn(process.execPath, [zoo('http.mjs'), 'hanging'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(child.stdout, 'data') as [Buffer]
  return { child, port: String(port).trim() }
}
