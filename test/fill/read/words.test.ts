import { describe, expect, test } from 'vitest'
import { splitList } from '../../../src/fill/read/lists.ts'
import { listSayings, readSayings, sayingsOf } from '../../../src/fill/read/words.ts'

const read = (values: readonly (string | number)[], text: string) => readSayings(text, sayingsOf(values, [])).map(({ value, start, end }) => [value, text.slice(start, end)])

describe('listed values by word', () => {
  test.each<readonly [readonly (string | number)[], string, unknown]>([
    [['low', 'high'], 'a HIGH one', [['high', 'HIGH']]], [['in_progress', 'progress'], 'now in progress', [['in_progress', 'in progress']]], [['inProgress'], 'in progress', [['inProgress', 'in progress']]], [['high'], 'highway', []], [['high'], 'high-way', [['high', 'high']]], [['a', 'b'], 'a thing', []], [['a', 'b'], 'b', [['b', 'b']]], [['to', 'on'], 'to turn on', [['on', 'on']]], [['GPT4'], 'use gpt4', [['GPT4', 'gpt4']]], [['x', 'low'], 'low, low', [['low', 'low'], ['low', 'low']]], [['on'], 'to', []],
  ])('%j in "%s"', (values, text, expected) => {
    expect(read(values, text)).toEqual(expected)
  })
  test('synonyms count for listed values only', () => {
    const sayings = sayingsOf(['high', true], [{ in: ['top'], out: 'high' }, { in: ['odd'], out: 'other' }, { in: ['sure'], out: true }, { in: ['...'], out: 'high' }])
    expect(sayings.map(({ words, value }) => [words.join(' '), value])).toEqual([['high', 'high'], ['top', 'high']])
  })
  test('each says how it was said', () => {
    const sayings = [...sayingsOf(['high', 3], [{ in: ['top'], out: 'high' }]), ...listSayings([{ in: ['...', 'hall'], out: 'r' }])]
    expect(sayings.map(({ words, how }) => [words.join(' '), how])).toEqual([['high', 'listed value'], ['3', 'listed value'], ['top', 'synonym "top"'], ['hall', 'list entry "hall"']])
    expect(readSayings('x', [{ words: ['x', 'y'], value: 1, how: '' }])).toEqual([])
    expect(readSayings('b c', sayingsOf(['b', 'x'], []))).toEqual([])
    expect(readSayings(' b ', sayingsOf(['b', 'x'], [])).map(({ value }) => value)).toEqual(['b'])
    expect(readSayings('bc', sayingsOf(['b'], []))).toEqual([])
    expect(readSayings('don\'t stop', sayingsOf(['stop', 'dont_stop'], [])).map(({ value }) => value)).toEqual(['dont_stop'])
  })
  test('entries of a list, with how they were said', () => {
    expect(readSayings('the big room', listSayings([{ in: ['big room', 'hall'], out: 'r1' }]))).toEqual([{ value: 'r1', start: 4, end: 12, how: 'list entry "big room"' }])
  })
})

describe('enumerations', () => {
  test.each<readonly [string, readonly string[]]>([
    ['milk', ['milk']], ['milk, eggs', ['milk', 'eggs']], ['milk and eggs', ['milk', 'eggs']], ['milk, eggs and bread', ['milk', 'eggs', 'bread']], ['milk, eggs, and bread', ['milk', 'eggs', 'bread']], ['milk; eggs, or bread', ['milk', 'eggs', 'bread']], ['milk plus eggs', ['milk', 'eggs']], ['a & b', ['a', 'b']], ['sand', ['sand']], ['android plus', ['android plus']], [' , milk,, ', ['milk']], ['"a, b" and c', ['a, b', 'c']], ['""', []], ['', []], ['"ab, c', ['"ab, c']], ['ab"', ['ab"']], ['"', ['"']], ['a,"b"', ['a', 'b']], ['a , b', ['a', 'b']],
  ])('"%s"', (text, expected) => {
    expect(splitList(text).map(item => { expect(text.slice(item.start, item.end)).toBe(item.text); return item.text })).toEqual(expected)
  })
})
