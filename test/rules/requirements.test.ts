import { expect, test } from 'vitest'
import { PROMISES, WAITING } from '../requirements.ts'
import { read, TESTS } from './source-files.ts'

/** Cited means: in the title of a test, as `test('id: ...` or `describe('id: ...`. */
function citedIds(): Set<string> {
  const titles = TESTS.filter(file => file.endsWith('.test.ts')).flatMap(file => [...read(file).matchAll(/\b(?:test|it|describe)(?:\.\w+)*(?:\([^'"`]*\))?\(\s*['"`]((?:\\.|[^\\])*?)['"`]\s*,/g)].map(found => found[1] ?? ''))
  const ids = Object.keys(PROMISES)
  return new Set(ids.filter(id => titles.some(title => new RegExp(`(^|[\\s,(])${id}[:,\\s)]`).test(`${title} `))))
}

test('every promise is cited by a test, or waits with a reason', () => {
  const cited = citedIds()
  expect(Object.keys(PROMISES).filter(id => !cited.has(id) && !Object.hasOwn(WAITING, id))).toEqual([])
})

test('no promise waits that a test proves already', () => {
  const cited = citedIds()
  expect(Object.keys(WAITING).filter(id => cited.has(id) || !Object.hasOwn(PROMISES, id))).toEqual([])
})
