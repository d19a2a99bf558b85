import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deniedNames } from '../../../src/integrations/gate/tool-names.ts'

test('control:human: a denied name is the tool\'s in any casing, and * stands for any characters', () => {
  const denied = deniedNames(['bash', 'mcp__gmail__*', '*delete*all'])
  for (const name of ['Bash', 'BASH', 'mcp__gmail__send', 'MCP__Gmail__', 'mcp__x__delete_all', 'DeleteThemAll']) expect([name, denied.has(name)]).toEqual([name, true])
  for (const name of ['Bash2', 'xbash', 'mcp__gmai__send', 'delete_all_of_it', 'all', 'Edit', '']) expect([name, denied.has(name)]).toEqual([name, false])
  expect(deniedNames(['a*a']).has('a')).toBe(false)
  expect(deniedNames().has('Bash')).toBe(false)
})

test('a name that no tool has is refused in words', () => {
  for (const wrong of ['', 'Bash(rm:*)', 'Bash,Edit', 'Bash Edit']) expect(() => deniedNames([wrong])).toThrow(expect.objectContaining({ code: 'BAD_OPTION' }))
})

test('it matches what a regular expression of the same pattern does', () => {
  const text = fc.stringMatching(/^[ab*_]{0,8}$/)
  fc.assert(fc.property(text.filter(pattern => pattern !== ''), text, (pattern, name) => deniedNames([pattern]).has(name) === new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name)), { seed: 20261130, numRuns: 2000 })
})
