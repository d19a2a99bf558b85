import { describe, expect, test } from 'vitest'
import { isoDuration, readDurations, unitOf } from '../../../src/fill/read/durations.ts'

const seconds = (text: string) => readDurations(text).map(({ value }) => value / 1000)

describe('lengths of time', () => {
  test.each<readonly [string, readonly number[]]>([
    ['25 minutes', [1500]], ['twenty five minutes', [1500]], ['an hour', [3600]], ['a minute', [60]], ['half an hour', [1800]], ['a half hour', [1800]], ['an hour and a half', [5400]], ['two and a half hours', [9000]], ['2 hours and a quarter', [8100]], ['an hour and three quarters', [6300]], ['three quarters of an hour', [2700]], ['a quarter of an hour', [900]],
    ['1h30m', [5400]], ['1h30', [5400]], ['1h 30m', [5400]], ['90s', [90]], ['90 s', [90]], ['1.5h', [5400]], ['250ms', [0.25]], ['2d', [172_800]], ['two hours and ten minutes', [7800]], ['2 hours, 10 minutes', [7800]], ['1 hour 5 minutes 30 seconds', [3930]], ['a week', [604_800]], ['ten-minute', [600]], ['0.1 seconds', [0.1]], ['half hour', [1800]], ['a fortnight', [1_209_600]], ['an hour and ten', [4200]], ['two hours and twenty five.', [8700]], ['an hour and ten apples', [3600]], ['an hour and sixty', [3600]], ['an hour and one half', [3600]], ['20 Minuten', [1200]], ['2 horas', [7200]],
    ['one minute and two hours', [60, 7200]], ['5 minutes 5 minutes', [300, 300]], ['two hours,  and ten minutes', [7800]], ['1 hour , 5 minutes', [3900]], ['0 minutes', [0]], ['an hour and one', [3660]], ['an hour and fifty nine', [7140]], ['an hour and 1.5', [3600]], ['an hour and nothing', [3600]], ['an hour and five six', [3600]], ['a day and ten', [86_400]], ['5m5m', []], ['1h30m5s', [5405]], ['2 hours and 5', [7500]], ['5 minutes or 10 minutes', [300, 600]], ['5 minutes to 10 minutes', [300, 600]],
    ['2 1/2 hours', [9000]], ['zero minutes', [0]], ['0 to 5 minutes', [0, 300]], ['an hour and zero', [3600]], ['an hour five six', [3600]], ['two hours and  ten minutes', [7800]], ['1/2 hours', []], ['\u00BD hour', [1800]], ['a couple of hours', [7200]], ['couple minutes', [120]], ['1 hour 20', [4800]], ['an hour forty five', [6300]], ['1 hour 20 apples', [3600]], ['1 hour 60', [3600]], ['an hour  20', [3600]], ['quarter hour', [900]], ['a quarter hour', [900]], ['three-quarter hour', [2700]], ['three quarter hour', [2700]], ['hour and a half', [5400]], ['minute and a half', [90]], ['happy-hour and a half', []], ['hour and a halfway', []],
    ['an hour or two', [3600, 7200]], ['a day or three', [86_400, 259_200]], ['two hours or two', [7200]], ['an hour or twofold', [3600]], ['one to two hours', [3600, 7200]], ['two or three days', [172_800, 259_200]], ['25 to 30 minutes', [1500, 1800]], ['25 - 30 minutes', [1500, 1800]], ['25 and 30 minutes', [1800]], ['5-10 minutes', []], ['-2 to 5 minutes', [300]], ['5 minutes to 10 minutes or so', [300, 600]],
    ['PT25M', [1500]], ['P1DT2H', [93_600]], ['PT1H30M5S', [5405]], ['P3D', [259_200]], ['P', []], ['PT', []], ['XPT5M', []], ['PT5Mx', []], ['P1DT', []],
    ['a month', []], ['two years', []], ['minutes', []], ['hour', []], ['5', []], ['5 apples', []], ['second place', []], ['-5 minutes', []], ['5 minutes\'', [300]], ['5min', [300]], ['3hours', [10_800]], ['30m1h', []], ['v2h', []], ['a hourglass', []], ['5 days-off', []],
  ])('"%s" -> %j s', (text, expected) => {
    expect(seconds(text)).toEqual(expected)
  })
  test('minutes without their word belong to the length', () => {
    const text = 'wait an hour and ten.'
    expect(readDurations(text).map(({ start, end, how }) => [text.slice(start, end), how])).toEqual([['an hour and ten', 'duration']])
  })
  test('both ends of a choice have their own characters', () => {
    const said = (text: string) => readDurations(text).map(({ start, end }) => text.slice(start, end))
    expect(said('for an hour or two')).toEqual(['an hour', 'two'])
    expect(said('wait PT25M now, an hour 20, hour and a half')).toEqual(['PT25M', 'an hour', 'hour and a half'])
    expect(said('take one to two hours; an hour 20')).toEqual(['one', 'two hours', 'an hour 20'])
  })
  test('each has its own characters', () => {
    const text = 'wait two hours and ten minutes, then 90s, then 1h30, half an hour, an hour and a half'
    expect(readDurations(text).map(({ start, end }) => text.slice(start, end))).toEqual(['two hours and ten minutes', '90s', '1h30', 'half an hour', 'an hour and a half'])
  })
})

test.each<readonly [readonly string[], string, number | undefined]>([
  [['delay', 'seconds'], '', 1000], [['seconds', 'delay'], '', 1000], [['duration', 'ms'], 'in minutes', 1], [['minutes'], '', 60_000], [['delay', 'min'], '', 60_000], [['min', 'delay'], '', undefined], [['timeout'], 'Timeout in seconds', 1000], [['timeout'], 'How long (minutes)', 60_000], [['days'], '', 86_400_000], [['h'], '', 3_600_000], [['week'], '', 604_800_000], [['timeout'], '', undefined], [['seconds', 'minutes'], '', 60_000], [['x'], 'unit: seconds', 1000], [['x'], 'unit seconds', 1000], [['x'], 'number of minutes or seconds', 60_000], [['x'], '(ms)', 1], [['x'], 'in  hours', 3_600_000], [['x'], 'rooms', undefined], [['secs'], '', 1000], [['hrs'], '', 3_600_000], [['millis'], '', 1], [['timeout'], 'as long as needed', undefined], [['ttl'], 'Hours to live', 3_600_000],
])('the unit of %j with "%s" is %s ms', (words, description, expected) => {
  expect(unitOf(words, description)).toBe(expected)
})

test.each<readonly [number, string | undefined]>([[0, 'PT0S'], [1000, 'PT1S'], [90_000, 'PT1M30S'], [5_400_000, 'PT1H30M'], [86_400_000, 'P1D'], [90_061_000, 'P1DT1H1M1S'], [604_800_000, 'P7D'], [250, undefined], [-1000, undefined]])('%d ms in ISO 8601 is %s', (ms, expected) => {
  expect(isoDuration(ms)).toBe(expected)
})
