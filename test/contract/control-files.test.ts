import { chmodSync, existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { acceptedFiles, acceptFiles } from '../../src/contract/accepted-files.ts'
import { ControlFiles } from '../../src/contract/control-files.ts'
import { scratch } from './keys.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

function files(): readonly string[] {
  const folder = scratch()
  return ['routes.yaml', 'settings.json', 'token'].map(name => {
    writeFileSync(join(folder, name), name, { mode: 0o600 })
    return join(folder, name)
  })
}

describe('control:human: files of the control plane', () => {
  test('a changed, a removed and a new file are named; a new time stamp over the same bytes is no change', () => {
    const [routes, settings, token] = files() as [string, string, string]
    const fresh = join(scratch(), 'later.yaml')
    const watched = new ControlFiles([routes, settings, token, fresh], { ownMachine: true })
    utimesSync(routes, new Date(0), new Date(0))
    expect(watched.changed()).toEqual([])
    writeFileSync(settings, 'open: true')
    rmSync(token)
    writeFileSync(fresh, 'x')
    expect(watched.changed().map(found => found.message.replace(/^\S*\//, ''))).toEqual(['settings.json is not the file that was loaded', 'token is gone', 'later.yaml is new'])
  })
  test('closed: who may write them is asked as for contracts', () => {
    const [routes] = files() as [string]
    expect(new ControlFiles([routes]).breaches().map(found => found.code)).toEqual(['file-writable'])
    chmodSync(routes, 0o666)
    expect(new ControlFiles([routes], { ownMachine: true }).breaches().map(found => found.code)).toEqual(['file-mode'])
  })
  test('what was accepted is kept as it was, and a copy that somebody changed is refused', () => {
    const [routes, settings] = files() as [string, string]
    const folder = join(scratch(), 'accepted', 'routes')
    expect(acceptedFiles(folder)).toBeUndefined()
    acceptFiles(folder, [routes, settings], 'alice', 5)
    writeFileSync(routes, 'changed')
    const accepted = acceptedFiles(folder)
    expect(accepted).toMatchObject({ who: 'alice', at: 5, paths: [routes, settings] })
    acceptFiles(folder, [routes], 'bob', 6)
    expect(acceptedFiles(folder)).toMatchObject({ who: 'bob', copies: [expect.stringContaining('routes.yaml') as string] })
    expect(readdirSync(join(folder, '..'))).toEqual(['routes'])
    writeFileSync(acceptedFiles(folder)?.copies[0] ?? '', 'forged')
    expect(() => acceptedFiles(folder)).toThrow(/not the copy that was accepted/)
    expect(existsSync(folder)).toBe(true)
  })
})
