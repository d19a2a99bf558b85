import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createAskReader } from '../src/ask/reader.ts'
import { tableReader } from '../src/table-reader.ts'
import type { Route } from '../src/types.ts'
import { route } from './ask/routes.ts'

const dir = mkdtempSync(join(tmpdir(), 'usher-table-reader-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const THINGS = 'ladder anvil funnel bucket trowel bellows'.split(' ')
const VERBS = 'fetch oil paint lend hide polish'.split(' ')
const table = (prefix: string): Route[] => VERBS.flatMap(verb => THINGS.map(thing => route(`${prefix}${verb}-${thing}`, Array.from({ length: 12 }, (_, i) => `${verb} the ${thing} on shelf ${i}`)) as Route))
const asked = (text: string) => ({ read: (reader: ReturnType<typeof createAskReader>) => reader.read(text, []) })
const TEXTS = ['please oil the anvil on shelf 3', 'who will paint the ladder on shelf 11?', 'hide the bucket on', 'the trowel on shelf 2, lend it', 'nothing of the kind']

test('what a table\'s reader needs of its phrases is kept, and a second start reads the same', async () => {
  const cache = join(dir, 'kept')
  const plain = createAskReader(table(''))
  for (let start = 0; start < 2; start++) {
    const reader = await tableReader(table(''), cache)
    for (const text of TEXTS) expect(asked(text).read(reader)).toEqual(asked(text).read(plain))
    expect(readdirSync(cache)).toEqual(['phrases.bin'])
  }
})

test('closed: a damaged file, and one of another table, are made anew', async () => {
  const cache = join(dir, 'damaged')
  await tableReader(table(''), cache)
  const file = join(cache, 'phrases.bin')
  const whole = readFileSync(file)
  for (const damaged of [whole.subarray(0, whole.length / 2), Buffer.concat([whole.subarray(0, -1), Buffer.from([whole.at(-1) ?? 0 ^ 1, 7])]), Buffer.from('not of ours')]) {
    writeFileSync(file, damaged)
    const reader = await tableReader(table(''), cache)
    expect(asked(TEXTS[0] ?? '').read(reader).asks.map(ask => ask.route)).toEqual(['oil-anvil'])
    expect(readFileSync(file)).toEqual(whole)
  }
  const other = table('').map(each => ({ ...each, phrases: [...each.phrases].reverse() }))
  expect(asked('please oil the anvil on shelf 3').read(await tableReader(other, cache)).asks.map(ask => ask.phrase.text)).toEqual(['oil the anvil on shelf 3'])
})

test('a small table, and one without a folder, keep nothing; a folder that cannot be written is no hindrance', async () => {
  const cache = join(dir, 'small')
  await tableReader(table('').slice(0, 3), cache)
  expect(() => readdirSync(cache)).toThrow('ENOENT')
  for (const folder of [undefined, join(dir, 'kept', 'phrases.bin', 'below-a-file')]) {
    expect(asked('please oil the anvil on shelf 3').read(await tableReader(table(''), folder)).asks).toHaveLength(1)
  }
})
