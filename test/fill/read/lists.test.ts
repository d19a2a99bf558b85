import { expect, test } from 'vitest'
import { splitList } from '../../../src/fill/read/lists.ts'

test.each<readonly [string, readonly string[]]>([
  ['milk, eggs and bread', ['milk', 'eggs', 'bread']], [' milk ,  eggs ', ['milk', 'eggs']], ['milk', ['milk']], ['milk, and eggs', ['milk', 'eggs']], ['milk plus eggs', ['milk', 'eggs']], ['milk & eggs', ['milk', 'eggs']], ['milk, or eggs', ['milk', 'eggs']], ['milk or eggs', ['milk or eggs']], ['sand and hand', ['sand', 'hand']], ['"a, b" and c', ['a, b', 'c']], ['"a" b, c', ['"a" b', 'c']], ['b "a", c', ['b "a"', 'c']], ['', []], [' , ', []], [',,a', ['a']], ['""', []],
])('"%s" has the items %j, each at its place', (text, expected) => {
  const items = splitList(text)
  expect(items.map(item => item.text)).toEqual(expected)
  expect(items.map(({ start, end }) => text.slice(start, end))).toEqual(expected)
})
