import { expect, test } from 'vitest'
import { durationText } from '../../src/routes/describe.ts'
import { parseDays, parseDuration, parseHours } from '../../src/routes/units.ts'

test.each([['500ms', 500], ['10s', 10_000], ['5m', 300_000], ['2h', 7_200_000], ['1d', 86_400_000], ['90m', 5_400_000]])('%s is %d ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})
test.each(['', '10', 's', '0s', '01s', '1.5h', '-1s', '+1s', '1 s', '1S', '1min', '1m30s', '1s ', '10s\n', '1e3s', '1234567s', '１s', 'constructor'])('%j is no duration', text => {
  expect(parseDuration(text)).toBeUndefined()
})
test('what is parsed is written back in the largest whole unit', () => {
  for (const text of ['500ms', '10s', '5m', '2h', '1d', '90m']) expect(parseDuration(durationText(parseDuration(text) ?? 0))).toBe(parseDuration(text))
  expect([durationText(90_000), durationText(3_600_000), durationText(0)]).toEqual(['90s', '1h', '0ms'])
})
test.each([['08:00-22:00', [{ from: 480, to: 1320 }]], ['22:00-06:00', [{ from: 1320, to: 1440 }, { from: 0, to: 360 }]], ['18:00-24:00', [{ from: 1080, to: 1440 }]], ['22:00-00:00', [{ from: 1320, to: 1440 }]], ['00:00-24:00', [{ from: 0, to: 1440 }]]])('%s are these minutes of the day', (text, hours) => {
  expect(parseHours(text)).toEqual(hours)
})
test.each(['8-22', '8:00-22:00', '08:00', '08:00-08:00', '24:00-08:00', '08:60-09:00', '08:00 - 09:00', '25:00-26:00'])('%s are no hours', text => {
  expect(parseHours(text)).toBeUndefined()
})
test.each([['mon', [1]], ['mon-fri', [1, 2, 3, 4, 5]], ['fri-mon', [5, 6, 0, 1]], ['sun-sat', [0, 1, 2, 3, 4, 5, 6]], ['mon-mon', [1]]])('%s are these days', (text, days) => {
  expect(parseDays(text)).toEqual(days)
})
test.each(['monday', 'Mon', 'mon-', '1', 'mon-fri-sun', ''])('%s are no days', text => {
  expect(parseDays(text)).toBeUndefined()
})
