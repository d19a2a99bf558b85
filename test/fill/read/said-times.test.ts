import { describe, expect, test } from 'vitest'
import { isoDate, isoDateTime, isoTime, readMoments } from '../../../src/fill/read/moments.ts'
import { AT } from '../say.ts'

const read = (text: string) => readMoments(text, AT, 'Europe/Berlin')
/** `time <its characters>` of everything with a time. */
const times = (text: string) => read(text).filter(({ moment }) => moment.hasTime).map(({ moment, start, end }) => `${isoTime(moment).slice(0, 5)} <${text.slice(start, end)}>`)
const days = (text: string) => read(text).filter(({ moment }) => moment.hasDate).map(({ moment, start, end }) => `${isoDate(moment)} <${text.slice(start, end)}>`)
const instants = (text: string) => read(text).filter(({ moment }) => moment.hasTime).map(({ moment }) => isoDateTime(moment).slice(0, 16))

describe('times as people say them', () => {
  test.each([
    ['half past nine', '09:30 <half past nine>'], ['at half past 9', '09:30 <at half past 9>'], ['quarter past nine', '09:15 <quarter past nine>'], ['a quarter past nine pm', '21:15 <a quarter past nine pm>'], ['ten past six', '06:10 <ten past six>'], ['25 past 6', '06:25 <25 past 6>'], ['twenty five past six', '06:25 <twenty five past six>'], ['five minutes past six p.m.', '18:05 <five minutes past six p.m.>'],
    ['quarter to ten', '09:45 <quarter to ten>'], ['a quarter to ten', '09:45 <a quarter to ten>'], ['quarter to one pm', '12:45 <quarter to one pm>'], ['at ten to five', '04:50 <at ten to five>'], ['at 20 to 6 pm', '17:40 <at 20 to 6 pm>'],
    ['seven pm', '19:00 <seven pm>'], ['seven thirty pm', '19:30 <seven thirty pm>'], ['twelve am', '00:00 <twelve am>'], ['twelve pm', '12:00 <twelve pm>'], ['eleven p.m.', '23:00 <eleven p.m.>'], ['at seven in the evening', '19:00 <at seven in the evening>'], ['eight in the morning', '08:00 <eight in the morning>'], ['three this afternoon', '15:00 <three this afternoon>'],
    ['at nine', '09:00 <at nine>'], ['at nine thirty', '09:30 <at nine thirty>'], ['at nine oh five', '09:05 <at nine oh five>'], ['at nine and call bob', '09:00 <at nine>'], ['at ten, please', '10:00 <at ten>'], ['at twelve forty five.', '12:45 <at twelve forty five>'],
    ['nine o\'clock', '09:00 <nine o\'clock>'], ['at two o\u2019clock', '02:00 <at two o\u2019clock>'], ['at 7 in the evening', '19:00 <at 7 in the evening>'], ['7:30 in the evening', '19:30 <7:30 in the evening>'], ['12 in the afternoon', '12:00 <12 in the afternoon>'], ['3 this afternoon', '15:00 <3 this afternoon>'],
    ['at 0900', '09:00 <at 0900>'], ['at 1930 hrs', '19:30 <at 1930 hrs>'], ['at 21h', '21:00 <at 21h>'], ['at 9h30', '09:30 <at 9h30>'],
  ])('"%s" -> %s', (text, expected) => {
    expect(times(text)).toEqual([expected])
  })
  test.each([
    'at two places', 'at one point', 'at ten percent', 'at one of the shops', 'order five to ten pizzas', 'ten to five', 'from nine to five', 'half nine', 'at half past', 'at 2026', 'at 1930', 'at 1900 euros', 'at 0975', 'chat nine', 'at nineteen', 'at ninety', 'bat seven', '9h', 'at 99h', 'seven pmx',
  ])('"%s" has no time', text => {
    expect(times(text)).toEqual([])
  })
  test.each([
    ['half past nine tomorrow', '2026-12-01T09:30'], ['tomorrow at quarter to ten', '2026-12-01T09:45'], ['at nine tomorrow', '2026-12-01T09:00'], ['tomorrow evening at seven pm', '2026-12-01T19:00'], ['the 14th at 10', '2026-12-14T10:00'], ['at 9:30 on the 3rd', '2026-12-03T09:30'], ['christmas at 9', '2026-12-25T09:00'], ['tomorrow at 21h', '2026-12-01T21:00'],
  ])('with a day, "%s" is %s', (text, expected) => {
    expect(instants(text)).toEqual([expected])
  })
})

describe('days as people say them', () => {
  test.each([
    ['christmas', '2026-12-25 <christmas>'], ['Christmas Eve', '2026-12-24 <Christmas Eve>'], ['christmas day', '2026-12-25 <christmas day>'], ['boxing day', '2026-12-26 <boxing day>'], ['new year\'s eve', '2026-12-31 <new year\'s eve>'], ['New Year\u2019s Day', '2027-01-01 <New Year\u2019s Day>'], ['halloween', '2027-10-31 <halloween>'], ['valentine\'s', '2027-02-14 <valentine\'s>'],
    ['the 1st', '2026-12-01 <the 1st>'], ['monday the 14th', '2026-12-14 <monday the 14th>'],
    ['a week from today', '2026-12-07 <a week from today>'], ['a week from monday', '2026-12-14 <a week from monday>'], ['two days before friday', '2026-12-02 <two days before friday>'], ['the day before christmas', '2026-12-24 <the day before christmas>'], ['the day after the 14th', '2026-12-15 <the day after the 14th>'], ['3 days after christmas', '2026-12-28 <3 days after christmas>'], ['a fortnight after tomorrow', '2026-12-15 <a fortnight after tomorrow>'], ['two weeks before 20 january', '2027-01-06 <two weeks before 20 january>'],
    ['two days before the party on friday', '2026-12-04 <on friday>'], ['some days before friday', '2026-12-04 <friday>'], ['one day after tomorrow', '2026-12-02 <one day after tomorrow>'], ['0 days after tomorrow', '2026-12-01 <0 days after tomorrow>'], ['the day after on friday', '2026-12-05 <the day after on friday>'], ['a day since friday', '2026-12-05 <a day since friday>'], ['do it morgen', '2026-12-01 <morgen>'], ['freitag', '2026-12-04 <freitag>'],
    ['friday for one week', '2026-12-04 <friday>'], ['tomorrow week', '2026-12-01 <tomorrow>'], ['last monday or so', '2026-11-23 <last monday>'], ['friday week', '2026-12-11 <friday week>'], ['last monday', '2026-11-23 <last monday>'], ['last friday', '2026-11-27 <last friday>'], ['friday', '2026-12-04 <friday>'], ['friday weekly', '2026-12-04 <friday>'],
    ['14.12.2026', '2026-12-14 <14.12.2026>'], ['05.12.2026', '2026-12-05 <05.12.2026>'], ['12/25', '2026-12-25 <12/25>'], ['25/12', '2026-12-25 <25/12>'], ['5/5/2027', '2027-05-05 <5/5/2027>'], ['2026-12-05', '2026-12-05 <2026-12-05>'],
  ])('"%s" -> %s', (text, expected) => {
    expect(days(text)).toEqual([expected])
  })
  test.each(['next week', 'this weekend', 'the weekend', 'next month', 'in december', 'december 2026', 'next year', 'end of next week', 'the week after christmas', 'two days before the party', 'a week after the launch', 'the fortnight after christmas', 'last week', 'this quarter', 'christmas card', 'a christmas party', 'christmas-tree', 'the 14th floor', 'the 2nd version', '24/7', 'in the next hour'])('"%s" is no day', text => {
    expect(days(text)).toEqual([])
  })
  test('nor is a time beside a month, or what is no day, a moment', () => {
    expect(['next month at 9', 'in december at 9', 'december 2026 at 9', 'the week after christmas at 9'].flatMap(instants)).toEqual([])
  })
  test.each([['05/12/2026', ['2026-05-12', '2026-12-05']], ['12/5/2026', ['2026-12-05', '2026-05-12']], ['3/4', ['2027-03-04', '2027-04-03']]])('"%s" is one day in one country and another in the next', (text, expected) => {
    expect(read(text).map(({ moment, start, end }) => [isoDate(moment), text.slice(start, end)])).toEqual(expected.map(day => [day, text]))
  })
  test('the other day has its own offset', () => {
    expect(instants('05/12/2026 at 9')).toEqual(['2026-05-12T09:00', '2026-12-05T09:00'])
    expect(read('05/12/2026 at 9').map(({ moment }) => moment.offset)).toEqual([120, 60])
  })
  test('the time is said once for both days', () => {
    const text = 'monday or tuesday at 9'
    expect(read(text).map(({ moment, start, end }) => [isoDateTime(moment), text.slice(start, end)])).toEqual([['2026-12-07T09:00:00+01:00', 'monday'], ['2026-12-01T09:00:00+01:00', 'tuesday at 9']])
    expect(['monday then tuesday at 9', 'monday for bob or tuesday at 9', 'monday or maybe tuesday at 9', 'monday  or  tuesday'].map(text => instants(text))).toEqual([['2026-12-01T09:00'], ['2026-12-01T09:00'], ['2026-12-01T09:00'], []])
    expect(instants('monday  and  tuesday at 9')).toHaveLength(2)
  })
})

describe('lengths of time from now', () => {
  test.each([
    ['in an hour and a half', '2026-11-30T17:30'], ['in half an hour', '2026-11-30T16:30'], ['in a couple of hours', '2026-11-30T18:00'], ['90 minutes from now', '2026-11-30T17:30'], ['two and a half hours later', '2026-11-30T18:30'], ['in 1 hour 20', '2026-11-30T17:20'], ['in about ten minutes', '2026-11-30T16:10'], ['in 36 hours', '2026-12-02T04:00'],
  ])('"%s" is %s', (text, expected) => {
    expect(instants(text)).toEqual([expected])
    expect(read(text).map(({ start, end }) => text.slice(start, end))).toEqual([text])
  })
  test('each is one moment, told by its own characters', () => {
    expect(read('call in an hour; then 20 minutes later')).toMatchObject([{ value: 'in an hour', start: 5, end: 15, how: 'date or time', role: 'single', moment: { hasDate: true, hasTime: true } }, { value: '20 minutes later', start: 22, end: 38 }])
    expect(read('call a week from today')).toMatchObject([{ value: 'a week from today', start: 5, end: 22, how: 'date or time', role: 'single' }])
    expect(read('call friday week')).toMatchObject([{ value: 'friday week', start: 5, end: 16 }])
    expect(read('three weeks after 3 december to 7 december').map(({ role }) => role)).toEqual(['start', 'end'])
  })
  test('whole days keep no time', () => {
    expect(read('in two days').map(({ moment }) => [isoDate(moment), moment.hasTime])).toEqual([['2026-12-02', false]])
    expect(instants('three days from now at noon')).toEqual(['2026-12-03T12:00'])
  })
  test.each(['within half an hour', 'begin 20 minutes', 'for  an hour', 'in a room for 20 minutes'])('"%s" is no moment', text => {
    expect(read(text)).toEqual([])
  })
})

describe('other languages, where a word of theirs leaves no doubt', () => {
  test.each([
    ['morgen um 9 Uhr', '2026-12-01T09:00'], ['am 14. Dezember um 9:30', '2026-12-14T09:30'], ['demain \u00E0 9h', '2026-12-01T09:00'], ['le 5 mai \u00E0 14h', '2027-05-05T14:00'], ['ma\u00F1ana a las 9', '2026-12-01T09:00'], ['domani alle 9', '2026-12-01T09:00'], ['amanh\u00E3 \u00E0s 9', '2026-12-01T09:00'],
  ])('"%s" is %s', (text, expected) => {
    expect(instants(text)).toEqual([expected])
  })
  test('two languages in one text are both read, in the order of the words', () => {
    expect(instants('morgen um 9 Uhr, then at 10:30 tomorrow')).toEqual(['2026-12-01T09:00', '2026-12-01T10:30'])
    expect(instants('at 10:30 tomorrow, morgen um 9 Uhr')).toEqual(['2026-12-01T10:30', '2026-12-01T09:00'])
  })
  test('a word that two languages share is one day', () => {
    expect(days('morgen')).toEqual(['2026-12-01 <morgen>'])
  })
  test.each(['do it for me', 'send it so that mi son can', '5 mayo sandwiches', 'a mars bar', 'die hard', 'ma and pa'])('"%s" is English, and no date', text => {
    expect(read(text)).toEqual([])
  })
})
