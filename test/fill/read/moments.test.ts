import { describe, expect, test } from 'vitest'
import { clockTime, isoDate, isoDateTime, isoTime, localDateTime, localTime, readMoments, utcDateTime, zoneOffset } from '../../../src/fill/read/moments.ts'
import { UsherError } from '../../../src/errors.ts'
import { AT } from '../say.ts'

const berlin = (text: string, at = AT) => readMoments(text, at, 'Europe/Berlin')

describe('dates and times are the owner\'s', () => {
  test.each([
    ['tomorrow at 9', '2026-12-01T09:00:00+01:00'], ['tomorrow at 5pm', '2026-12-01T17:00:00+01:00'], ['on 3 december at 14:30', '2026-12-03T14:30:00+01:00'], ['in two hours', '2026-11-30T18:00:00+01:00'], ['in 20 minutes', '2026-11-30T16:20:00+01:00'], ['2 hours from now', '2026-11-30T18:00:00+01:00'], ['1 July 2027 at 8am', '2027-07-01T08:00:00+02:00'], ['2026-12-24 at 18:00', '2026-12-24T18:00:00+01:00'], ['tomorrow at noon', '2026-12-01T12:00:00+01:00'],
  ])('"%s" is %s', (text, expected) => {
    const [moment] = berlin(text)
    expect(moment && isoDateTime(moment.moment)).toBe(expected)
  })
  test('an offset in the words is kept as an instant', () => {
    const [moment] = berlin('tomorrow at 9am UTC')
    expect(moment && isoDateTime(moment.moment)).toBe('2026-12-01T10:00:00+01:00')
  })
  test('so is one west of there, and seconds are kept', () => {
    expect(berlin('tomorrow at 9am EST').map(({ moment }) => isoDateTime(moment))).toEqual(['2026-12-01T15:00:00+01:00'])
    expect(berlin('at 9:30:15').map(({ moment }) => localTime(moment))).toEqual(['09:30:15'])
  })
  test('the same words at another time and in another zone are read anew', () => {
    const read = (at: number, zone: string) => readMoments('tomorrow at 9', at, zone).map(({ moment }) => isoDateTime(moment))
    expect([read(AT, 'UTC'), read(AT + 86_400_000, 'UTC'), read(AT + 86_400_000, 'Asia/Kolkata')]).toEqual([['2026-12-01T09:00:00+00:00'], ['2026-12-02T09:00:00+00:00'], ['2026-12-02T09:00:00+05:30']])
  })
  test('the owner\'s tomorrow is not the machine\'s', () => {
    const late = Date.parse('2026-11-30T23:30:00Z')
    expect(readMoments('tomorrow', late, 'Europe/Berlin').map(({ moment }) => isoDate(moment))).toEqual(['2026-12-02'])
    expect(readMoments('tomorrow', late, 'America/New_York').map(({ moment }) => isoDate(moment))).toEqual(['2026-12-01'])
  })
  test('what is only implied is no evidence', () => {
    expect(berlin('tomorrow').map(({ moment }) => [moment.hasDate, moment.hasTime])).toEqual([[true, false]])
    expect(berlin('at 9:30').map(({ moment }) => [moment.hasDate, moment.hasTime])).toEqual([[false, true]])
    expect(berlin('on friday').map(({ moment }) => [moment.hasDate, moment.hasTime])).toEqual([[true, false]])
  })
  test('a time that has passed today is the next one', () => {
    expect(berlin('at 9:30').map(({ moment }) => isoDateTime(moment))).toEqual(['2026-12-01T09:30:00+01:00'])
  })
  test.each([['the 14th', '2026-12-14'], ['on the 30th', '2026-11-30'], ['the 31st', '2026-12-31'], ['the 1st', '2026-12-01']])('"%s" is the next day of that number', (text, expected) => {
    expect(berlin(text).map(({ moment }) => [isoDate(moment), moment.hasDate, moment.hasTime])).toEqual([[expected, true, false]])
  })
  test.each(['the 14th row', 'the 32nd', 'the 0th', '14th', 'the 5the'])('"%s" is no day', text => {
    expect(berlin(text)).toEqual([])
  })
  test('a day number is the owner\'s, with its own characters', () => {
    const late = Date.parse('2026-11-30T23:30:00Z')
    expect(berlin('on the 1st', late)).toMatchObject([{ value: 'the 1st', start: 3, end: 10, how: 'date or time', role: 'single', moment: { year: 2026, month: 12, day: 1, offset: 60 } }])
    expect(berlin('the 30th', late).map(({ moment }) => isoDate(moment))).toEqual(['2026-12-30'])
    expect(readMoments('the 30th', late, 'America/New_York').map(({ moment }) => isoDate(moment))).toEqual(['2026-11-30'])
    expect(readMoments('the 1st', late, 'America/New_York').map(({ moment }) => isoDate(moment))).toEqual(['2026-12-01'])
    expect(berlin('tomorrow at 9')[0]).toMatchObject({ how: 'date or time', role: 'single', value: 'tomorrow at 9' })
  })
  test('a day and its month are read once', () => {
    expect(berlin('on the 14th of June').map(({ moment }) => isoDate(moment))).toEqual(['2027-06-14'])
  })
  test('a range has two ends in one place', () => {
    const text = 'from 3 december to 7 december'
    expect(berlin(text).map(({ moment, role, start, end }) => [isoDate(moment), role, text.slice(start, end)])).toEqual([['2026-12-03', 'start', '3 december to 7 december'], ['2026-12-07', 'end', '3 december to 7 december']])
  })
  test.each(['two hours', 'wait 5 minutes', 'for an hour', 'within 2 days', 'may I go', 'I sat there', 'the sun', 'march on', '5', '1.5', 'nothing at all'])('"%s" has no date', text => {
    expect(berlin(text)).toEqual([])
  })
  test('the parts that formats ask for', () => {
    const [moment] = berlin('tomorrow at 7:05')
    expect(moment && [isoDate, isoTime, clockTime, localTime, localDateTime, utcDateTime].map(write => write(moment.moment))).toEqual(['2026-12-01', '07:05:00+01:00', '07:05', '07:05:00', '2026-12-01T07:05:00', '2026-12-01T06:05:00Z'])
  })
})

describe('zones', () => {
  test.each([['Europe/Berlin', '2026-07-01T00:00:00Z', 120], ['Europe/Berlin', '2026-12-01T00:00:00Z', 60], ['America/New_York', '2026-12-01T00:00:00Z', -300], ['Asia/Kolkata', '2026-12-01T00:00:00Z', 330], ['UTC', '2026-12-01T00:00:00.999Z', 0], ['Pacific/Marquesas', '1969-12-31T23:59:59.500Z', -570]])('%s at %s', (zone, at, minutes) => {
    expect(zoneOffset(Date.parse(at), zone)).toBe(minutes)
  })
  test('negative and half-hour offsets are written out', () => {
    expect(readMoments('tomorrow at 9', AT, 'America/St_Johns').map(({ moment }) => isoDateTime(moment))).toEqual(['2026-12-01T09:00:00-03:30'])
  })
  test('no offset at all is written with a plus', () => {
    expect(readMoments('tomorrow at 9', AT, 'UTC').map(({ moment }) => isoDateTime(moment))).toEqual(['2026-12-01T09:00:00+00:00'])
  })
  test('the day of a clock change', () => {
    const before = Date.parse('2027-03-27T12:00:00Z')
    expect(berlin('tomorrow at 9', before).map(({ moment }) => isoDateTime(moment))).toEqual(['2027-03-28T09:00:00+02:00'])
    expect(berlin('tomorrow at 1', before).map(({ moment }) => isoDateTime(moment))).toEqual(['2027-03-28T01:00:00+01:00'])
  })
  test('an unknown zone is an error that says so', () => {
    const thrown = (() => { try { readMoments('x', AT, 'Mars/Base'); return undefined } catch (error) { return error } })()
    expect(UsherError.is(thrown) && [thrown.code, thrown.message]).toEqual(['BAD_OPTION', expect.stringContaining('Mars/Base')])
    expect((thrown as Error).cause).toBeInstanceOf(RangeError)
  })
})
