import { expect, test } from 'vitest'
import { SoundIndex, soundDistance } from '../../src/ask/phones.ts'
import { pronounce } from '../../src/ask/pronunciation.ts'

test('the dictionary gives one letter for each phoneme, and nothing for a word that it does not have', () => {
  expect(pronounce('weigh')).toBe(pronounce('way'))
  expect(pronounce('ship')).toBe('5iP')
  expect(pronounce('a')).toBe('u')
  for (const word of ['zzyqx', 'toString', '__proto__', '', 'naïve', '12', 'constructor\n']) expect(pronounce(word)).toBeUndefined()
})

test('sounds that are mixed up cost less than others, and too far is infinitely far', () => {
  const between = (a: string, b: string): number => soundDistance(pronounce(a) ?? '', pronounce(b) ?? '', 3)
  expect(between('way', 'weigh')).toBe(0)
  expect(between('pond', 'bond')).toBeLessThan(between('pond', 'fond'))
  expect(between('hens', 'hands')).toBeLessThan(1)
  expect(soundDistance('5iP', '5iPI9', 0.5)).toBe(Infinity)
})

test('the index finds the homophones at distance 0 and the near ones farther off', () => {
  const index = new SoundIndex()
  for (const word of ['weigh', 'hens', 'flour', 'barn', 'print']) index.add(word, pronounce(word) ?? '')
  expect(index.near(pronounce('way') ?? '').get('weigh')).toBe(0)
  expect(index.near(pronounce('flower') ?? '').get('flour')).toBeLessThanOrEqual(0.6)
  expect(index.near(pronounce('prince') ?? '').get('print')).toBeGreaterThan(0)
  expect([...index.near(pronounce('garage') ?? '').keys()]).toEqual([])
})
