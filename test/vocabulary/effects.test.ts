import { describe, expect, test } from 'vitest'
import { covers, declaredEffects, parseEffect, permits, targetCovers } from '../../src/vocabulary/effects.ts'

describe('the vocabulary is closed', () => {
  test.each(['browser.open', 'fs.write:/a:b', 'net.connect:example.org:443', 'unknown'])('%s is an effect', pattern => expect(parseEffect(pattern)).toBeDefined())
  test.each(['browser', 'fs.write:', 'toString', 'constructor:x', '', 'Browser.Open'])('"%s" is none', pattern => expect(parseEffect(pattern)).toBeUndefined())
  test('the target begins at the first colon', () => expect(parseEffect('net.connect:host:80')).toEqual({ kind: 'net.connect', target: 'host:80' }))
})

describe('which seen effect fulfils a declared one', () => {
  test.each([
    ['browser.open', 'process.start', '/usr/bin/xdg-open', true], ['browser.open', 'process.start', 'xdg-open', true], ['browser.open', 'process.start', '/usr/bin/curl', false], ['browser.open', 'net.connect', 'a:1', false],
    ['message.send', 'net.connect', 'mail.example:25', true], ['message.send:mail.example:*', 'net.connect', 'mail.example:25', true], ['message.send:mail.example:*', 'net.connect', 'evil.example:25', false],
    ['fs.write:/notes/*', 'fs.write', '/notes/a.txt', true], ['fs.write:/notes/*', 'fs.write', '/notes', false], ['fs.write', 'fs.delete', '/notes/a.txt', false], ['timer.set', 'fs.write', '/x', false],
    ['http.get', 'http.request', 'GET https://a.example', true], ['http.get', 'http.request', 'POST https://a.example', false], ['unknown', 'fs.write', '/x', false], ['no-such-kind', 'fs.write', '/x', false],
  ])('%s covers %s %s: %s', (declared, kind, target, expected) => expect(covers(declared, { kind, target })).toBe(expected))
})

test.each([
  ['*', '', true], ['a*', 'abc', true], ['*c', 'abc', true], ['a*c', 'ac', true], ['a*a', 'a', false], ['*b*', 'abc', true], ['a*b*c', 'axbxc', true], ['a*b*c', 'acb', false], ['a.c', 'abc', false],
])('target pattern %s against %s: %s', (pattern, target, expected) => expect(targetCovers(pattern, target)).toBe(expected))

test('an allow may narrow a target, never widen it', () => {
  expect(permits(['fs.write'], 'fs.write:/notes/*')).toBe(true)
  expect(permits(['fs.write:/notes/*'], 'fs.write')).toBe(false)
  expect(permits(['fs.write:/notes/*'], 'fs.write:/notes/a')).toBe(true)
  expect(permits(['browser.open'], 'message.send')).toBe(false)
  expect(permits([], 'browser.open')).toBe(false)
})

describe('gate:default-only: which effects a tool declares for its arguments', () => {
  test('nobody said: unknown, which counts as destructive', () => expect(declaredEffects(undefined, {})).toEqual(['unknown']))
  test('a key arms only when it is set', () => {
    const effects = { open: ['browser.open'] }
    expect([{}, { open: false }, { open: null }, { open: true }, { open: 'yes' }].map(args => declaredEffects(effects, args).length)).toEqual([0, 0, 0, 1, 1])
  })
  test('a value arms where values are named', () => {
    const effects = { mode: { send: ['message.send'] } }
    expect(declaredEffects(effects, { mode: 'send' })).toEqual(['message.send'])
    expect(declaredEffects(effects, { mode: 'draft' })).toEqual([])
    expect(declaredEffects(effects, { mode: 'toString' })).toEqual([])
  })
  test('an inherited key arms nothing', () => expect(declaredEffects({ open: ['browser.open'] }, Object.create({ open: true }) as object as Record<string, unknown>)).toEqual([]))
})
