import { expect, test } from 'vitest'
import { portNumber, secondsOption, wholeNumber } from '../../src/cli/number-option.ts'
import { scratch } from './usher.ts'

test.each(['abc', '', ' ', '-1', '1e3', '0x10', '1.5', 'NaN', 'Infinity', '65536', '9'.repeat(20)])('%j is no port, and the message has it as it was typed', text => {
  expect(() => portNumber('--port', text)).toThrow(`--port must be a whole number from 0 to 65535, got ${JSON.stringify(text)}`)
})

test('what is a number is taken', () => {
  expect([portNumber('--port', '0'), portNumber('--port', '65535'), wholeNumber('--queue', '7', 1), secondsOption('--grace', '1.5'), secondsOption('--grace', '30')]).toEqual([0, 65535, 7, 1500, 30_000])
  expect(() => wholeNumber('--queue', '0', 1)).toThrow('--queue must be a whole number from 1, got "0"')
  for (const text of ['0', '-1', '', 'abc', '1e9', '86401', '0.0001']) expect(() => secondsOption('--grace', text)).toThrow('--grace must be a number of seconds above 0')
})

test('a wrong number is wrong use', () => {
  const place = scratch()
  try {
    for (const [option, value] of [['--port', 'abc'], ['--grace', '-1'], ['--queue', '0']] as const) {
      const ran = place.run(['serve', `${option}=${value}`])
      expect([ran.status, ran.stderr]).toEqual([2, expect.stringContaining(`BAD_OPTION: ${option} must be`)])
      expect(ran.stderr).not.toContain('NaN')
    }
  } finally {
    place.remove()
  }
})
