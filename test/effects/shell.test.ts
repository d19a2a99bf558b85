import { spawnSync } from 'node:child_process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainWords, programOf } from '../../src/effects/shell.ts'

test.each([
  ['xdg-open http://localhost:3000', ['xdg-open', 'http://localhost:3000']],
  ['xdg-open "http://localhost:3000/a?b&c"', ['xdg-open', 'http://localhost:3000/a?b&c']],
  ['open -a \'My App\' x', ['open', '-a', 'My App', 'x']],
  ['  git  push  ', ['git', 'push']],
  ['curl --data=x=1', ['curl', '--data=x=1']],
])('effect:bounded: %s is one plain command', (line, words) => {
  expect(plainWords(line)).toEqual(words)
})

test.each(['xdg-open x; rm -r y', 'a && b', 'a | b', 'a &', 'a > f', 'a $(b)', 'a `b`', 'a $HOME', 'a "$HOME"', 'A=b c', 'a\nb', 'a *', 'a ?', 'a ~', 'a #c', 'a \\b', '(a)', '{ a; }', '! a', 'a "', '\'a', '', 'a "b\\c"', 'a [b]', 'xdg-open \u00A0 x'])(
  'effect:bounded: %j stays with the shell', line => {
    expect(plainWords(line)).toBeUndefined()
    expect(programOf('/bin/sh', ['sh', '-c', line]).target).toBe('/bin/sh')
  })

test('effect:bounded: a shell with a script, other flags or more words stays a shell', () => {
  expect(programOf('/bin/sh', ['sh', 'script.sh']).target).toBe('/bin/sh')
  expect(programOf('/bin/bash', ['bash', '-lc', 'xdg-open x']).target).toBe('/bin/bash')
  expect(programOf('/bin/sh', ['sh', '-c', 'xdg-open x', 'name']).target).toBe('/bin/sh')
  expect(programOf('/usr/bin/node', ['node', '-c', 'xdg-open x']).target).toBe('/usr/bin/node')
})

test('effect:bounded: whatever is read as plain words, a real shell passes on as exactly those words', () => {
  const piece = fc.constantFrom('a', 'b1', '-x', '--k=v', '=', '"', '\'', ' ', '  ', '/', '.', ':', '$', '&', ';', '#', '~', '*', '\\', '!', '@', '%', '+', ',', '{', '}', '(', '\t', 'é')
  const plain: string[] = []
  fc.assert(fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }).map(parts => `printf_ ${parts.join('')}`), line => {
    if (plainWords(line)) plain.push(line)
  }), { seed: 7, numRuns: 4000 })
  expect(plain.length).toBeGreaterThan(100)
  // One shell for all lines: a function stands for the program and prints its words, NUL after each, and a newline at the end.
  const script = `printf_() { printf '%s\\0' printf_ "$@"; echo; }\n${plain.join('\n')}\n`
  const { stdout, status } = spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8' })
  expect(status).toBe(0)
  expect(stdout.split('\n').slice(0, -1).map(words => words.split('\0').slice(0, -1))).toEqual(plain.map(line => plainWords(line)))
})
