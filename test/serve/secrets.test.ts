/** Files of the server that others could read or that are something else: it does not start. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pageToken } from '../../src/serve/page-token.ts'
import { privateFolder, readPrivate } from '../../src/serve/private-files.ts'
import { isSecret, newSecret, sameSecret } from '../../src/serve/secrets.ts'
import { TokenStore } from '../../src/serve/tokens.ts'
import { Place } from './support.ts'

let place: Place
beforeEach(() => { place = new Place() })
afterEach(() => place.remove())

const mode = (file: string) => (statSync(file).mode & 0o777).toString(8)

test('a token file that others can read, a link, or another file is refused by the server, and nothing of it is changed', async () => {
  const file = join(place.folder, 'page.token')
  writeFileSync(file, `${newSecret('page')}\n`, { mode: 0o644 })
  chmodSync(file, 0o644)
  await expect(place.start(['--token-file', file])).rejects.toThrow(/SERVE_FAILED.*mode 644/s)
  expect(mode(file)).toBe('644')
  const notes = join(place.folder, 'notes.txt')
  writeFileSync(notes, 'my notes\n', { mode: 0o600 })
  expect(() => pageToken(notes)).toThrow(/holds something else/)
  expect(readFileSync(notes, 'utf8')).toBe('my notes\n')
  const link = join(place.folder, 'link')
  symlinkSync(file, link)
  expect(() => pageToken(link)).toThrow(/symbolic link/)
  expect(existsSync(place.log)).toBe(false)
})

test('the page\'s token is made once, with mode 0600, and kept', () => {
  const file = join(place.folder, 'fresh.token')
  const token = pageToken(file)
  expect([isSecret('page', token), mode(file), pageToken(file)]).toEqual([true, '600', token])
})

test('a state folder that others can enter is refused', async () => {
  chmodSync(place.state, 0o755)
  expect(() => privateFolder(place.state)).toThrow(/mode 755/)
  await expect(place.start()).rejects.toThrow(/SERVE_FAILED.*mode 755/s)
  const made = privateFolder(join(place.folder, 'deep', 'state'))
  expect(mode(made)).toBe('700')
})

test('closed: a list of tokens that others can read, or that is damaged, lets nobody in', () => {
  const store = new TokenStore(place.state)
  const token = store.add({ name: 'ci', source: 'webhook', answers: 'full', at: 0 })
  expect([mode(store.file), store.find(token)?.source, readFileSync(store.file, 'utf8').includes(token)]).toEqual(['600', 'webhook', false])
  chmodSync(store.file, 0o640)
  expect(() => store.find(token)).toThrow(/mode 640/)
  chmodSync(store.file, 0o600)
  expect(store.find(token)?.name).toBe('ci')
  for (const text of ['{', '[]', '{"version":2,"tokens":[]}', '{"version":1,"tokens":[{"name":"x"}]}', '{"version":1,"tokens":[{"name":"x","source":"a b","hash":"","addedAt":""}]}']) {
    writeFileSync(store.file, text)
    expect(() => store.find(token)).toThrow(/SERVE_FAILED|no source is let in/)
  }
})

test('closed: a folder above the tokens that others may write is refused with its name, also behind a link; a sticky one is not', () => {
  const above = join(place.folder, 'above')
  mkdirSync(join(above, 'state'), { recursive: true, mode: 0o700 })
  symlinkSync(join(above, 'state'), join(place.folder, 'state-link'))
  for (const folder of [join(above, 'state'), join(place.folder, 'state-link')]) {
    chmodSync(above, 0o700)
    const store = new TokenStore(folder)
    store.add({ name: `n${folder.length}`, source: 'webhook', answers: 'full', at: 0 })
    chmodSync(above, 0o777)
    const refusal = /\/above, above .*, has mode 777/
    expect(() => new TokenStore(folder).list()).toThrow(refusal)
    expect(() => pageToken(join(folder, 'page.token'))).toThrow(refusal)
    expect(existsSync(join(folder, 'page.token'))).toBe(false)
    chmodSync(above, 0o1777)
    expect(new TokenStore(folder).list().length).toBeGreaterThan(0)
  }
})

test('ingest:owns: a token is for a source that a sender may have, under a name of its own', () => {
  const store = new TokenStore(place.state)
  const add = (name: string, source: string) => () => store.add({ name, source, answers: 'full', at: 0 })
  for (const source of ['', 'a b', 'User', 'call', 'call:model', 'chat:', 'x'.repeat(200)]) expect(add('n', source)).toThrow(/--source/)
  for (const name of ['', '../x', '-x', 'a b', 'x'.repeat(61)]) expect(add(name, 'webhook')).toThrow(/token's name/)
  add('n', 'webhook')()
  expect(add('n', 'chat')).toThrow(/already/)
  for (const name of ['constructor', 'toString', 'hasOwnProperty']) expect(store.find(add(name, 'webhook')())?.name).toBe(name)
  expect([store.revoke('n'), store.revoke('n'), store.revoke('valueOf')]).toEqual([true, false, false])
})

test('secrets are told apart by kind, and compared whole', () => {
  const [page, source] = [newSecret('page'), newSecret('source')]
  expect([isSecret('page', page), isSecret('source', page), isSecret('source', source), isSecret('source', `${source}x`)]).toEqual([true, false, true, false])
  expect([sameSecret(page, page), sameSecret(page, `${page} `), sameSecret('', page)]).toEqual([true, false, false])
})

test('what is no ordinary file is not read as a secret', () => {
  mkdirSync(join(place.folder, 'dir'), { mode: 0o700 })
  expect(() => readPrivate(join(place.folder, 'dir'))).toThrow(/no ordinary file/)
  expect(readPrivate(join(place.folder, 'none'))).toBeUndefined()
})
