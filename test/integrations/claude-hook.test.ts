/** `usher hook` as Claude Code calls it: 0 with an answer, or 2; nothing else, whatever happens, for any other code lets the tool run. */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { readHookInput } from '../../src/integrations/claude/input.ts'
import { BIN, scratch } from '../cli/usher.ts'
import { read, ROOT } from '../rules/source-files.ts'

let place = scratch()
const places = [place]
beforeEach(() => { place = scratch(); places.push(place) })
afterAll(() => { for (const one of places) one.remove() })

const base = () => ({ session_id: 's-1', transcript_path: join(place.folder, 't.jsonl'), cwd: place.folder, permission_mode: 'default' })
const pre = (tool_name: string, tool_input: object, tool_use_id = 'use-1') => ({ ...base(), hook_event_name: 'PreToolUse', tool_name, tool_input, tool_use_id })
const post = (tool_name: string, tool_input: object, more: object = { tool_response: { ok: true } }, tool_use_id = 'use-1') => ({ ...base(), hook_event_name: 'PostToolUse', tool_name, tool_input, tool_use_id, ...more })
const hook = (name: string, input: object | string, args: readonly string[] = []) => place.run(['hook', name, '--limit', '300', ...args], typeof input === 'string' ? input : JSON.stringify(input))
const decision = (ran: { stdout: string }) => (JSON.parse(ran.stdout) as { hookSpecificOutput?: { permissionDecision?: string, permissionDecisionReason?: string } }).hookSpecificOutput
const log = () => place.run(['log', '--json']).lines() as { outcome: string, decision?: { kind: string, reason: string, args?: object }, call?: { call: { tool: string, args: object, by: string, process: string }, outcome?: { why: string, result?: unknown } } }[]

describe('a tool use', () => {
  test('trace:before: without effects it goes on, its row is in the log before the answer, and its end after', () => {
    const before = hook('pre-tool-use', pre('Read', { file_path: '/a' }))
    expect([before.status, before.stdout.trim()]).toEqual([0, '{}'])
    expect(log()).toMatchObject([{ outcome: 'in-flight', call: { call: { tool: 'Read', by: 'model', args: { file_path: '/a' } } } }])
    expect(hook('post-tool-use', post('Read', { file_path: '/a' })).status).toBe(0)
    expect(log()).toMatchObject([{ outcome: 'called', call: { outcome: { result: { characters: 11, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } } } }])
    expect(place.run(['verify']).status).toBe(0)
  })

  test('gate:default-only: effects, known or not, wait for a person in Claude Code', () => {
    for (const [index, [tool, args]] of ([['Bash', { command: 'ls' }], ['Write', { file_path: '/a', content: '' }], ['mcp__mail__send', {}], ['constructor', {}], ['WebFetch', { url: 'http://x' }], ['NewToolOfNextYear', {}]] as const).entries()) {
      const ran = hook('pre-tool-use', pre(tool, args, `u-${index}`))
      expect([ran.status, decision(ran)?.permissionDecision]).toEqual([0, 'ask'])
    }
    expect(log().map(entry => entry.outcome)).toEqual(Array.from({ length: 6 }, () => 'needs-approval'))
  })

  test('after a question the end is logged as a call, and a use that no hook judged is said to the person', () => {
    hook('pre-tool-use', pre('Bash', { command: 'ls' }))
    const asked = hook('post-tool-use', post('Bash', { command: 'ls' }))
    expect([asked.status, asked.stdout.trim()]).toEqual([0, '{}'])
    expect(log()).toMatchObject([{ outcome: 'called', decision: { kind: 'needs-approval' }, call: { call: { tool: 'Bash' } } }])
    const unseen = hook('post-tool-use', post('Bash', { command: 'rm x' }, undefined, 'use-2'))
    expect(unseen.json()).toMatchObject({ systemMessage: expect.stringContaining('no hook had judged it before') })
    hook('pre-tool-use', pre('Bash', { command: 'ls' }, 'use-3'))
    expect(hook('post-tool-use', post('Bash', { command: 'rm -r x' }, undefined, 'use-3')).json()).toMatchObject({ systemMessage: expect.stringContaining('other arguments') })
  })

  test('what ran unjudged, or with other arguments than were judged, is unexplained, once each; what was judged and ran so is not', () => {
    hook('pre-tool-use', pre('Bash', { command: 'ls' }, 'fine'), ['--pass', 'Bash'])
    hook('post-tool-use', post('Bash', { command: 'ls' }, undefined, 'fine'))
    expect(place.run(['unexplained']).status).toBe(0)
    for (let round = 0; round < 2; round++) hook('post-tool-use', post('Bash', { command: 'rm -r never-judged' }, undefined, 'never'))
    hook('pre-tool-use', pre('Bash', { command: 'ls' }, 'other'), ['--pass', 'Bash'])
    for (let round = 0; round < 2; round++) hook('post-tool-use', post('Bash', { command: 'rm -r other-one' }, undefined, 'other'))
    hook('post-tool-use', post('Bash', { command: 'rm -r later' }, undefined, 'fine'))
    const found = place.run(['unexplained', '--json'])
    expect(found.status).toBe(1)
    const targets = (found.stdout.match(/"target":\s*"(?:[^"\\]|\\.)*"/g) ?? []).map(text => /no hook had judged|other arguments/.exec(text)?.[0] + ' ' + /never-judged|other-one|later/.exec(text)?.[0])
    expect(targets.sort()).toEqual(['no hook had judged never-judged', 'other arguments later', 'other arguments other-one'])
    expect(place.run(['verify']).status).toBe(0)
  })

  test('a use that is still running is no crash: in flight for whoever asks, and not unexplained', () => {
    // Through a wrapper that is gone as soon as the hook has answered.
    const wrapped = spawnSync('find', ['/', '-prune', '-exec', process.execPath, BIN, 'hook', 'pre-tool-use', '--limit', '300', ';'], { cwd: place.folder, env: place.env, input: JSON.stringify(pre('Read', { file_path: '/a' })), encoding: 'utf8' })
    expect(wrapped.stdout.trim()).toBe('{}')
    const asked = place.run(['unexplained'])
    expect([asked.status, asked.stdout]).toEqual([0, expect.stringContaining('none')])
    expect(log()).toMatchObject([{ outcome: 'in-flight' }])
  })

  test('a use without an end reads unknown after the time its owner gave, and its end is still told', async () => {
    hook('pre-tool-use', pre('Read', { file_path: '/a' }), ['--unknown-after', '1ms'])
    hook('pre-tool-use', pre('Read', { file_path: '/b' }, 'use-2'), ['--unknown-after', '12h'])
    expect(log().map(entry => entry.outcome)).toEqual(['unknown', 'in-flight'])
    expect(hook('post-tool-use', post('Read', { file_path: '/a' })).status).toBe(0)
    expect(log().map(entry => entry.outcome)).toEqual(['called', 'in-flight'])
    for (const wrong of ['0', '-1h', 'soon', '2']) expect([wrong, hook('pre-tool-use', pre('Read', {}, 'use-3'), ['--unknown-after', wrong])]).toEqual([wrong, expect.objectContaining({ status: 2, stderr: expect.stringContaining('--unknown-after must be a duration') })])
    const settings = place.run(['hook', 'install', '--unknown-after', '12h']).stdout
    expect(settings.match(/--unknown-after 12h/g)?.length).toBe(1)
    expect(place.run(['hook', 'install', '--unknown-after', 'soon']).status).toBe(2)
  })

  test('a failure is an end too', () => {
    hook('pre-tool-use', pre('Read', { file_path: '/a' }))
    expect(hook('post-tool-use', { ...post('Read', { file_path: '/a' }, { error: 'no such file' }), hook_event_name: 'PostToolUseFailure' }).status).toBe(0)
    expect(log()).toMatchObject([{ outcome: 'failed', call: { outcome: { why: 'no such file' } } }])
  })

  test('the owner\'s settings let a tool pass or deny it; what the runtime asks of its own is not granted', () => {
    expect(hook('pre-tool-use', pre('Edit', { file_path: '/a' }), ['--pass', 'Edit', 'Bash']).stdout.trim()).toBe('{}')
    expect(decision(hook('pre-tool-use', pre('Bash', { command: 'ls' }, 'u2'), ['--pass', 'Bash', '--deny', 'bash']))?.permissionDecision).toBe('deny')
    expect(hook('pre-tool-use', pre('Bash', { command: 'ls' }, 'u3'), ['--deny', 'Bash(ls)']).status).toBe(2)
    expect(decision(hook('pre-tool-use', pre('Bash', { command: 'rm .usher/log.sqlite-wal' }, 'u4'), ['--pass', 'Bash']))?.permissionDecision).toBe('ask')
  })

  test('while the owner has stopped Usher, what passes by itself is asked about', () => {
    expect(hook('pre-tool-use', pre('Edit', { file_path: '/a' }, 's1'), ['--pass', 'Edit']).stdout.trim()).toBe('{}')
    expect(place.run(['stop']).status).toBe(0)
    expect(decision(hook('pre-tool-use', pre('Edit', { file_path: '/a' }, 's2'), ['--pass', 'Edit']))?.permissionDecision).toBe('ask')
    expect(hook('pre-tool-use', pre('Read', { file_path: '/a' }, 's3')).stdout.trim()).toBe('{}')
  })

  test('control:human: the agent\'s own settings, Usher\'s folder, the routes and the log are no tool\'s to write, through links neither', () => {
    mkdirSync(join(place.folder, 'routes'))
    symlinkSync(join(place.folder, 'routes'), join(place.folder, 'notes'))
    for (const [index, path] of ['.claude/settings.json', '.claude/settings.local.json', '.CLAUDE/settings.json', '.claude/hooks/x.sh', '.usher/log.sqlite', 'routes/a.yaml', 'notes/a.yaml', './x/../routes/a.yaml', '.mcp.json'].entries()) {
      const ran = hook('pre-tool-use', pre('Write', { file_path: path, content: 'x' }, `w-${index}`), ['--pass', 'Write'])
      expect([path, decision(ran)?.permissionDecision]).toEqual([path, 'deny'])
    }
    expect(hook('pre-tool-use', pre('Write', { file_path: 'src/settings.json', content: 'x' }, 'fine'), ['--pass', 'Write']).stdout.trim()).toBe('{}')
    expect(hook('pre-tool-use', pre('Read', { file_path: 'routes/a.yaml' }, 'reads')).stdout.trim()).toBe('{}')
  })

  test('contract:human: with a contracts file an MCP tool without a contract is denied', () => {
    place.write('tools.allow.json', '{"version":2,"tools":[]}')
    const ran = hook('pre-tool-use', pre('mcp__mail__send', {}), ['--contracts', 'tools.allow.json'])
    expect([ran.status, decision(ran)?.permissionDecision]).toEqual([0, 'deny'])
  })

  test('asked twice, as by two settings files, it answers alike and logs once; other arguments under the same id are denied', () => {
    for (let round = 0; round < 2; round++) expect(decision(hook('pre-tool-use', pre('Bash', { command: 'ls' })))?.permissionDecision).toBe('ask')
    expect(log().length).toBe(1)
    expect(decision(hook('pre-tool-use', pre('Bash', { command: 'rm -r /' })))?.permissionDecision).toBe('deny')
    hook('pre-tool-use', pre('Read', { file_path: '/a' }, 'r'))
    expect(decision(hook('pre-tool-use', pre('Read', { file_path: '/b' }, 'r')))?.permissionDecision).toBe('deny')
  })
})

describe('closed: exit code 2 and no answer, whatever is wrong', () => {
  const expectNothing = (ran: { status: number | null, stdout: string, stderr: string }, what?: string) => {
    expect([what, ran.status, ran.stdout]).toEqual([what, 2, ''])
    expect(ran.stderr).toMatch(/nothing was let through|error:/)
  }
  test('bad input', () => {
    const good = pre('Read', { file_path: '/a' })
    for (const text of ['', ' ', '{', 'null', '[]', '"x"', JSON.stringify(good).slice(0, -2), `${JSON.stringify(good)}}`]) expectNothing(hook('pre-tool-use', text), text)
    expectNothing(hook('pre-tool-use', { ...good, hook_event_name: 'Stop' }), 'another event')
    expect(hook('pre-tool-use', 'nope').stderr).toContain('usher hook: the hook\'s input is not JSON (4 characters, beginning with "nope")')
    expect(hook('pre-tool-use', '').stderr).toContain('usher hook: the hook\'s input is empty')
    expectNothing(hook('post-tool-use', good), 'the event of another hook')
    expectNothing(hook('pre-tool-use', { ...good, tool_input: 'ls' }), 'arguments that are no object')
    expect(existsSync(join(place.folder, '.usher/log.sqlite'))).toBe(false)
  })
  test('wrong use', () => {
    expectNothing(place.run(['hook', 'pre-tool-use', '--nope'], '{}'))
    expectNothing(place.run(['hook', 'no-such-hook'], '{}'))
    expectNothing(hook('pre-tool-use', pre('Read', {}), ['--limit', 'NaN']))
    expectNothing(hook('user-prompt-submit', { ...base(), hook_event_name: 'UserPromptSubmit', prompt: 'hi' }))
  })
  test('a log that cannot be one, in words', () => {
    const file = place.write('file', 'x')
    for (const [log, words] of [[join(file, 'log.sqlite'), 'cannot be made'], [place.folder, 'is a folder'], [file, 'holds no log']] as const) {
      const ran = hook('pre-tool-use', pre('Read', { file_path: '/a' }), ['--log', log])
      expectNothing(ran, log)
      expect(ran.stderr).toContain(words)
      expect(ran.stderr).not.toMatch(/EEXIST|ENOTDIR|\n {4}at /)
    }
  })
  test('a log that is locked, within the time limit', () => {
    hook('pre-tool-use', pre('Read', { file_path: '/a' }))
    const holder = new Database(join(place.folder, '.usher/log.sqlite'))
    holder.exec('BEGIN EXCLUSIVE')
    try { expectNothing(hook('pre-tool-use', pre('Read', { file_path: '/b' }, 'u2'), ['--limit', '3'])) } finally { holder.exec('ROLLBACK'); holder.close() }
  })
  test('a log that cannot be there, and one that is no log', () => {
    place.write('file', 'x')
    expectNothing(hook('pre-tool-use', pre('Read', {}), ['--log', 'file/log.sqlite']))
    expectNothing(hook('pre-tool-use', pre('Read', {}), ['--log', 'file']))
  })
  test('an input that never ends, and a supervisor that is told to stop', async () => {
    for (const how of ['limit', 'SIGTERM'] as const) {
      const child = spawn(process.execPath, [BIN, 'hook', 'pre-tool-use', '--limit', how === 'limit' ? '2' : '60'], { cwd: place.folder, env: place.env })
      child.stdin.write('{"session_id":')
      if (how === 'SIGTERM') setTimeout(() => child.kill('SIGTERM'), 3000)
      expect(await new Promise(resolve => child.once('close', (code, signal) => resolve([code, signal])))).toEqual([2, null])
    }
  })
  test('a worker that is killed in the middle of its work', async () => {
    const child = spawn(process.execPath, [BIN, 'hook', 'pre-tool-use', '--limit', '60'], { cwd: place.folder, env: place.env })
    child.stdin.write('{')
    const ended = new Promise(resolve => child.once('close', code => resolve(code)))
    let worker: string | undefined
    while (!worker) {
      worker = spawnSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], { encoding: 'utf8' }).stdout.trim().split('\n')[0]
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    process.kill(Number(worker), 'SIGKILL')
    expect(await ended).toBe(2)
  })
  test('a package whose files are missing', () => {
    const broken = join(place.folder, 'broken')
    mkdirSync(join(broken, 'cli'), { recursive: true })
    writeFileSync(join(broken, 'package.json'), '{"type":"module"}')
    cpSync(join(ROOT, 'dist/cli/bin.js'), join(broken, 'cli/bin.js'))
    const ran = spawnSync(process.execPath, [join(broken, 'cli/bin.js'), 'hook', 'pre-tool-use'], { input: '{}', encoding: 'utf8' })
    expect([ran.status, ran.stdout]).toEqual([2, ''])
  })
  test('no field of the wrong type or missing gets through', () => {
    const good = { ...pre('Read', { file_path: '/a' }) } as Record<string, unknown>
    const fields = ['session_id', 'cwd', 'hook_event_name', 'tool_name', 'tool_input', 'tool_use_id']
    fc.assert(fc.property(fc.constantFrom(...fields), fc.oneof(fc.constant(undefined), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string())), (field, value) => {
      expect(() => readHookInput({ ...good, [field]: value }, 'PreToolUse')).toThrow(/must be|hook_event_name/)
    }), { seed: 7 })
    expect(readHookInput(good, 'PreToolUse').tool).toBe('Read')
  })
})

describe('a prompt', () => {
  const prompt = (text: string, more: object = {}) => ({ ...base(), hook_event_name: 'UserPromptSubmit', prompt: text, source: 'user', prompt_id: `p-${text}`, ...more })
  const routes = ['--routes', join(ROOT, 'routes')]
  test('what its owner asked for is done once, and the model is told; what only mentions it is not', () => {
    const ran = hook('user-prompt-submit', prompt('please open the console'), routes)
    expect(ran.status).toBe(0)
    expect(ran.json()).toMatchObject({ hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: expect.stringMatching(/^Usher has already done this, do not do it again: call_console/) } })
    expect(hook('user-prompt-submit', prompt('please open the console'), routes).stdout).toContain('duplicate')
    expect(hook('user-prompt-submit', prompt('why does the build fail?'), routes).stdout.trim()).toBe('{}')
  })
  test('gate:explicit: a prompt that is not labelled as the user\'s is not the user\'s', () => {
    for (const more of [{ source: 'system' }, { source: 'schedule_wakeup' }, { source: undefined }, { source: 'us er' }]) {
      const ran = hook('user-prompt-submit', prompt('please open the console', { ...more, prompt_id: `p-${String(more.source)}` }), routes)
      expect(ran.stdout).toContain('source-blocked')
    }
    expect(hook('user-prompt-submit', prompt('please open the console', { source: undefined, prompt_id: 'mine' }), [...routes, '--unlabelled', 'user']).stdout).toContain('already done')
  })
})

describe('the settings', () => {
  test('call these hooks by absolute paths, end with 2 where the program is missing, and give us less time than Claude Code', () => {
    const settings = place.run(['hook', 'install', '--routes', 'my routes', '--pass', 'Edit']).json() as { hooks: Record<string, { hooks: { command: string, timeout: number }[] }[]> }
    expect(Object.keys(settings.hooks)).toEqual(['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure'])
    const command = settings.hooks['PreToolUse']?.[0]?.hooks[0]
    expect(command?.command).toBe(`usher hook pre-tool-use --log ${place.folder}/.usher/log.sqlite --routes '${place.folder}/my routes' --pass Edit || exit 2`)
    expect(command?.timeout).toBeGreaterThan(20)
    expect(spawnSync('/bin/sh', ['-c', command?.command ?? ''], { input: '{}', env: { PATH: '/nowhere' } }).status).toBe(2)
    expect(readFileSync(BIN, 'utf8')).toContain('exitCode = 2')
    expect(existsSync(join(place.folder, '.claude'))).toBe(false)
  })
  test('the tool uses are judged without an encoder: nothing of the model is loaded', () => {
    const reached = new Set<string>()
    const visit = (file: string): void => {
      if (reached.has(file)) return
      reached.add(file)
      for (const [, target] of read(file).matchAll(/^(?:import|export)(?! type)[^'\n]*from '(\.[^']+)'/gm)) visit(new URL(target ?? '', `file:///${file}`).pathname.slice(1))
    }
    visit('src/cli/hook-worker.ts')
    expect([...reached].filter(file => /^src\/(embed|match|ask|reader|fill|assemble)/.test(file))).toEqual([])
  })
})
