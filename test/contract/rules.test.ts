import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { checkContractBytes, readContractFile } from '../../src/contract/read-file.ts'
import type { ProblemCode } from '../../src/contract/problems.ts'
import { shellCommand } from '../../src/contract/shell.ts'
import type { Json, JsonObject } from '../../src/types.ts'
import { schemaHashV1, wireHash } from '../../src/contract/hash.ts'
import { scratch } from './keys.ts'
import { fileText, noteSchema, noteTool, recordV1, recordV2 } from './records.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

const codes = (version: 1 | 2, ...tools: readonly Json[]): readonly ProblemCode[] => checkContractBytes('tools.allow.json', Buffer.from(fileText(version, tools))).problems.map(found => found.code)
const v1 = (change: JsonObject): readonly ProblemCode[] => codes(1, recordV1(change))
const without = (record: JsonObject, key: string): JsonObject => Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))

describe('contract:human: version 1', () => {
  test('a file that keeps the rules loads as it is, with and without schema_hash, command as words or as text', () => {
    expect(v1({})).toEqual([])
    expect(v1({ command: 'git status --short', privileges: ['git.status'], draft_note: 'made by a model' })).toEqual([])
    const record = recordV1()
    expect(v1({ schema_hash: schemaHashV1(record) })).toEqual([])
  })

  test('a file that is missing, no JSON, not UTF-8, of another version or shape is refused', () => {
    const of = (text: string | Buffer) => checkContractBytes('f', Buffer.from(text)).problems.map(found => found.code)
    expect(readContractFile(join(scratch(), 'none.json')).problems.map(found => found.code)).toEqual(['file-missing'])
    expect(of('{"version":1,')).toEqual(['file-unreadable'])
    expect(of(Buffer.from([0x7B, 0xFF, 0x7D]))).toEqual(['file-unreadable'])
    expect(of('{"version":3,"tools":[]}')).toEqual(['file-version'])
    expect(of('{"version":"1","tools":[]}')).toEqual(['file-version'])
    expect(of('[]')).toEqual(['file-version'])
    expect(of('{"version":1,"tools":{}}')).toEqual(['file-shape'])
    expect(of('{"version":1,"version":1,"tools":[]}')).toEqual(['repeated-member'])
    expect(codes(1, 'tool', null)).toEqual(['file-shape', 'file-shape'])
    for (const field of ['name', 'command', 'inputSchema']) expect(codes(1, without(recordV1(), field))).toEqual(['file-shape'])
  })

  test('origin must be human, and signed_by must name a person', () => {
    for (const origin of ['model', 'Human', '', null, true]) expect(v1({ origin })).toEqual(['origin-not-human'])
    expect(codes(1, without(recordV1(), 'origin'))).toEqual(['origin-not-human'])
    for (const signer of ['', '  ', null, 7]) expect(v1({ signed_by: signer })).toEqual(['signed-by-empty'])
    for (const signer of ['model:any', 'Model: x', ' model:x', 'ｍodel:x']) expect(v1({ signed_by: signer })).toEqual(['signed-by-model'])
  })

  test('privileges must be some of the closed list; names that every object has are unknown', () => {
    for (const privileges of [[], null, 'fs.read', {}]) expect(v1({ privileges })).toEqual(['privileges-empty'])
    expect(v1({ privileges: ['fs.read', 'fs.everything', 'constructor', 'toString', '__proto__', 1] })).toEqual(Array.from({ length: 5 }, () => 'privilege-unknown'))
    expect(v1({ privileges: ['fs.read', 'fs.write.limited', 'http.get', 'git.status'] })).toEqual([])
  })

  test('additionalProperties: true and required: [] are refused at any depth, and the message says what to do', () => {
    const deep = { type: 'object', properties: { a: { type: 'array', items: { anyOf: [{ type: 'object', additionalProperties: true, required: [] }] } } } }
    const file = checkContractBytes('f', Buffer.from(fileText(1, [recordV1({ inputSchema: deep })])))
    expect(file.problems.map(found => found.code)).toEqual(['additional-properties', 'required-empty'])
    expect(file.problems[1]?.message).toContain('leave the key out')
    expect(v1({ inputSchema: { type: 'object', $defs: { x: { additionalProperties: true } } } })).toEqual(['additional-properties'])
  })

  test('parameters that are called like keywords break no rule', () => {
    expect(v1({ inputSchema: { type: 'object', properties: { additionalProperties: true, required: { type: 'array' } } } })).toEqual([])
  })

  test('a schema_hash that does not fit is refused', () => {
    expect(v1({ schema_hash: 'f'.repeat(64) })).toEqual(['hash-mismatch'])
    expect(codes(1, { ...recordV1({ schema_hash: schemaHashV1(recordV1()) }), privileges: ['http.get'] })).toEqual(['hash-mismatch'])
  })

  test('every error of every tool is listed, with the tool it belongs to', () => {
    const file = checkContractBytes('f', Buffer.from(fileText(1, [recordV1({ origin: 'model', signed_by: 'model:x', privileges: [], command: 'bash', inputSchema: { required: [], additionalProperties: true }, schema_hash: 'x' }), recordV1({ name: 'other', origin: '' })])))
    expect(file.problems.map(found => `${found.tool} ${found.code}`)).toEqual([
      'read_note origin-not-human', 'read_note signed-by-model', 'read_note privileges-empty', 'read_note command-shell', 'read_note additional-properties', 'read_note required-empty', 'read_note hash-mismatch', 'other origin-not-human',
    ])
  })

  test('names that cannot be seen, that look alike or are there twice are refused', () => {
    expect(v1({ name: 's\u0435nd_mail' })).toEqual(['name-unsafe'])
    expect(v1({ name: 'send\u200Bmail' })).toEqual(['name-unsafe'])
    for (const name of ['', ' read', 'read  note', 'read\u00A0note', 'read\tnote']) expect(v1({ name })).toEqual(['name-unsafe'])
    for (const name of ['read note', 'notes/read', 'Read.note-2']) expect(v1({ name })).toEqual([])
    expect(codes(1, recordV1({ name: 'send_mail' }), recordV1({ name: 'send-mail' }))).toEqual(['name-look-alike'])
    expect(codes(1, recordV1(), recordV1())).toEqual(['name-twice'])
  })

  test('tools called constructor and __proto__ are tools like any other', () => {
    expect(checkContractBytes('f', Buffer.from(fileText(1, [recordV1({ name: 'constructor' }), recordV1({ name: '__proto__' })]))).contracts.map(contract => contract.name)).toEqual(['constructor', '__proto__'])
  })

  test('draft_note reaches nobody behind the loader', () => {
    const [contract] = checkContractBytes('f', Buffer.from(fileText(1, [recordV1({ draft_note: 'SECRET NOTE' })]))).contracts
    expect(contract?.name).toBe('read_note')
    expect(JSON.stringify(contract)).not.toContain('SECRET NOTE')
  })
})

describe('contract:human: version 2', () => {
  test('a whole record is accepted', () => expect(codes(2, recordV2())).toEqual([]))
  test('a server\'s name holds no slash, which divides it from its tool', () => {
    for (const name of ['a/b', 'a b', 'n\u043Etes', '']) expect(codes(2, recordV2({ server: { name, command: ['/usr/bin/notes'], pins: [{ path: '/usr/bin/notes', sha256: 'a'.repeat(64) }] } }))).toEqual(['name-unsafe'])
  })
  test('an address without a digest, and a command without a pin, are refused', () => {
    expect(codes(2, recordV2({ server: { name: 'notes', url: 'https://notes.example/mcp', digest: '' } }))).toEqual(['server-unpinned'])
    expect(codes(2, recordV2({ server: { name: 'notes', url: 'http://notes.example/mcp', digest: 'b'.repeat(64) } }))).toEqual(['server-unpinned'])
    expect(codes(2, recordV2({ server: { name: 'notes', command: ['/usr/bin/notes'], pins: [] } }))).toEqual(['server-unpinned'])
    expect(codes(2, recordV2({ server: { name: 'notes', url: 'http://127.0.0.1:7/mcp', digest: 'b'.repeat(64) } }))).toEqual([])
  })
  test('an effect beyond the privileges, and a preset-only parameter that a model sees, are refused', () => {
    expect(codes(2, recordV2({ effects: { open: ['browser.open'] } }))).toEqual(['effects-exceed-privileges'])
    expect(codes(2, recordV2({ effects: { open: ['browser.open'] }, privileges: ['browser.open'], presetOnly: { open: { type: 'boolean' } } }))).toEqual([])
    expect(codes(2, recordV2({ presetOnly: { id: { type: 'string' } } }))).toEqual(['preset-only-visible'])
  })
  test('an unknown field, an unknown effect and a changed record are refused', () => {
    expect(codes(2, recordV2({ allow_all: true }))).toEqual(['file-shape'])
    expect(codes(2, recordV2({ effects: { always: ['fs.everything'] } }))).toEqual(['file-shape'])
    expect(codes(2, { ...recordV2(), description: 'Reads and sends one note.' })).toEqual(['hash-mismatch'])
  })
  test('real servers write `required: []` and open schemas: version 2 takes them as they are', () => {
    const wire = { ...noteTool, inputSchema: { ...noteSchema, required: [], additionalProperties: true } }
    expect(codes(2, recordV2({}, wire))).toEqual([])
    expect(wireHash(wire)).not.toBe(wireHash(noteTool))
  })
})

describe('a command that is a shell', () => {
  test.each<[string | readonly string[]]>([
    ['bash'], ['/bin/sh -c "x"'], [['sh', '-c', 'x']], [['/usr/local/bin/zsh']], [['env', 'sh']], [['/usr/bin/env', '-i', 'A=1', 'bash']], [['env', '-S', 'sh -c x']], [['cmd.exe', '/c', 'x']],
    [['C:\\Windows\\System32\\CMD.EXE']], [['pwsh']], [['powershell.exe', '-Command', 'x']], [['busybox', 'sh']], [['sudo', '-u', 'bob', 'bash']], [['timeout', '5', 'dash']], [['nohup', 'ksh93']],
    [['bash-5.2']], [['run.sh']], [['deploy.BAT']], ['git status | tee out'], ['a && b'], ['echo $(id)'], ['fish'],
    [['find', '/x', '-exec', 'sh', '-c', 'id', ';']], ['find . -execdir /bin/bash x +'], [['fd', '-x', 'sh', '-c', 'id']], [['npx', '-c', 'id']], [['npx', '-p', 'a@1.0.0', '--call=id']], [['npm', 'exec', '-c', 'id']],
    [['git', '-c', 'alias.x=!id', 'x']], [['git', '-ccore.sshCommand=id', 'fetch']], [['ssh', '-oProxyCommand=id', 'h']], [['tar', 'xf', 'a', '--to-command=id']], [['awk', 'BEGIN { system("id") }']],
  ])('%j is one', command => expect(shellCommand(command)).toBeTypeOf('string'))

  test.each<[string | readonly string[]]>([
    [['node', 'server.js']], ['git status --short'], [['/usr/bin/python3', '-m', 'shell_notes']], [['npx', '-y', 'shx']], [['ssh-agent']], [['bashful']], [['env', 'A=1', 'node', 'server.js']], ['notes "a | b"'], [['notes', 'a|b;c']],
    [['find', '.', '-name', 'sh']], [['find', '.', '-exec', 'stat', '{}', ';']], [['npx', '-y', 'server@1.0.0', '-c', 'settings.json']], [['npm', 'exec', 'server@1.0.0', '--', '-c', 'x']], [['git', '-c', 'user.name=me', 'status']], [['git', 'log']], [['tar', 'tf', 'a']], [['awk', '{ print $1 }']],
  ])('%j is none', command => expect(shellCommand(command)).toBeUndefined())

  test('a script that a shell runs, and a link to a shell, are named', () => {
    const folder = scratch()
    mkdirSync(join(folder, 'bin'))
    const file = (name: string, text: string) => { writeFileSync(join(folder, 'bin', name), text); return join(folder, 'bin', name) }
    expect(shellCommand([file('a', '#!/bin/sh\nx')])).toContain('/bin/sh')
    expect(shellCommand([file('b', '#! /usr/bin/env -S bash -e\nx')])).toContain('bash')
    expect(shellCommand([file('c', '#!/usr/bin/env node\nx')])).toBeUndefined()
    symlinkSync('/bin/sh', join(folder, 'bin', 'notes'))
    expect(shellCommand([join(folder, 'bin', 'notes')])).toContain('link to the shell')
  })
})
