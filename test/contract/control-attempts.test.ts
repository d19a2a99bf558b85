import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dataAttempt, methodAttempt, pathAttempt } from '../../src/contract/control-attempts.ts'
import { scratch } from './keys.ts'

describe('contract:no-model: a method', () => {
  test.each(['usher/approve', 'usher/routes/write', 'contracts/sign', 'routes/add', 'allowlist', 'signers/add', 'servers/update', 'tools/register', 'tools/update', 'notifications/contracts/changed', 'Usher/Propose', 'approvals/grant'])('in the words of the control plane: %s', method => {
    expect(methodAttempt(method, { file: 'x' })).toMatchObject({ kind: 'write', names: [method, 'file'] })
  })
  test.each(['tools/list', 'tools/call', 'notifications/tools/list_changed', 'initialize', 'resources/read', 'prompts/get', 'ping', 'notifications/cancelled', 'roots/list', 'sampling/createMessage', 'tasks/get', 'logging/setLevel', 'serverless/x', 'usherette'])('of MCP, or of something else, is none: %s', method => {
    expect(methodAttempt(method, undefined)).toBeUndefined()
  })
  test('usher/propose with a tool is a proposal', () => expect(methodAttempt('usher/propose', { tool: { name: 'x' } })).toEqual({ kind: 'proposal', proposal: { name: 'x' } }))
})

describe('contract:no-model: data', () => {
  test('with a member usher that names the control plane is an attempt, in events and in results', () => {
    expect(dataAttempt({ usher: { routes: [], x: 1 } })).toEqual({ kind: 'write', names: ['usher.routes'] })
    expect(dataAttempt({ _meta: { usher: { approve: 'd-1' } } })).toEqual({ kind: 'write', names: ['usher.approve'] })
    expect(dataAttempt({ structuredContent: { usher: { propose: { name: 'x' } } } })).toEqual({ kind: 'proposal', proposal: { name: 'x' } })
  })
  test('of any other kind is none, and nothing that can be given throws', () => {
    expect(dataAttempt({ _meta: { usher: { outcome: 'denied', id: 'c-1' } } })).toBeUndefined()
    for (const value of [null, undefined, 'usher', 7, [], { usher: 'routes' }, { usher: { constructor: 1, toString: 2 } }, JSON.parse('{"__proto__":{"usher":{"routes":1}}}')]) expect(dataAttempt(value)).toBeUndefined()
    fc.assert(fc.property(fc.anything(), value => { dataAttempt(value) }), { seed: 4, numRuns: 300 })
  })
})

describe('control:human: a call that writes', () => {
  const folder = scratch()
  mkdirSync(join(folder, 'routes'))
  writeFileSync(join(folder, 'routes/a.yaml'), '')
  writeFileSync(join(folder, 'tools.allow.json'), '')
  symlinkSync(join(folder, 'routes'), join(folder, 'link'))
  const files = [join(folder, 'routes'), join(folder, 'tools.allow.json')]
  const of = (args: object, effects: readonly string[] = ['fs.write']) => pathAttempt(args as never, effects, files, folder)

  test.each([
    ['by its whole path', { path: join(folder, 'routes/a.yaml') }], ['relative', { path: './routes/new.yaml' }], ['through a link', { file_path: 'link/a.yaml' }], ['with dots', { where: 'notes/../routes/a.yaml' }], ['the folder itself', { dir: 'routes' }],
    ['deep in the arguments', { edits: [{ target: { file: 'tools.allow.json' } }] }], ['as a URL', { uri: `file://${folder}/tools.allow.json` }], ['among many', { paths: ['a.txt', 'b.txt', 'routes/b.yaml'] }],
  ])('may not name a control file: %s', (_name, args) => expect(of(args)).toBeDefined())
  test.each<[string, object, readonly string[]]>([
    ['another file', { path: 'notes/a.txt' }, ['fs.write']], ['one that only looks like it', { path: 'routes2/a.yaml' }, ['fs.write']], ['words that are no path', { text: 'routes' }, ['fs.write']], ['a call that only reads', { path: 'routes/a.yaml' }, []],
    ['a call that only sends', { path: 'routes/a.yaml' }, ['message.send']],
  ])('may name anything else: %s', (_name, args, effects) => expect(of(args, effects)).toBeUndefined())
  test('whose effects nobody knows counts as one that writes', () => expect(of({ path: 'routes/a.yaml' }, ['unknown'])).toBe('routes/a.yaml'))
  test('closed: addresses with percent codes, and a folder that is removed or moved with what lies in it', () => {
    const file = join(folder, 'tools.allow.json')
    expect(of({ url: `file://${file.replaceAll('.', '%2E')}` })).toBeTypeOf('string')
    const above = dirname(file)
    for (const effect of ['fs.delete', 'fs.rename', 'fs.chmod']) expect(pathAttempt({ path: above }, [effect], [file], '/')).toBe(above)
    expect(pathAttempt({ path: above }, ['fs.write'], [file], '/')).toBeUndefined()
    expect(pathAttempt({ url: 'file:///%E0%A4%A' }, ['fs.write'], [file], '/')).toBeUndefined()
  })

  test.each([
    ['cd /srv && echo > tools.allow.json', 'tools.allow.json'], ["sed -i 's/a/b/' keys/allowed_signers", 'keys/allowed_signers'], ['cat x >routes/new.yaml', 'routes/new.yaml'], ['python3 -c "open(\'tools.allow.json\',\'w\')"', 'tools.allow.json'], ['chmod 777 ./routes', './routes'],
  ])('control:human: a command text that names a control file as a word is an attempt: %s', (command, name) => {
    const kept = [...files, join(folder, 'allowed_signers')]
    expect(pathAttempt({ command }, ['process.start'], kept, folder)).toBe(name)
    expect(pathAttempt({ argv: ['x', { deep: command }] }, ['unknown'], kept, folder)).toBe(name)
    expect(pathAttempt({ command }, ['message.send'], kept, folder)).toBeUndefined()
  })
  test.each(['note: the routes of the bus change on Monday', 'mytools.allow.json.txt is fine', 'buy tools and allow for delays', 'write down that tools.allow.json waits for a signature'])('words that only sound like one are none: %s', text => expect(of({ text })).toBeUndefined())

  test('a folder that holds the working folder forbids nothing', () => expect(pathAttempt({ path: 'a.txt' }, ['fs.write'], [folder], folder)).toBeUndefined())
  test('no argument can make it throw', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 4 }), text => { of({ value: JSON.parse(text) as unknown }, ['unknown']) }), { seed: 4, numRuns: 300 })
    expect(of({ path: '\0routes/a.yaml' })).toBeUndefined()
  })
})
