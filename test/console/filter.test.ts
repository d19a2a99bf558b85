import { describe, expect, test } from 'vitest'
import { filterQuery, readFilter } from '../../src/console/filter.ts'
import { dayWindow, windowOf } from '../../src/console/window.ts'

const NOW = new Date(2026, 2, 3, 15, 30).getTime()
const read = (query: string) => readFilter(new URLSearchParams(query), NOW)

describe('a filter in the address', () => {
  test('every part of it is read', () => {
    expect(read('source=chat:alice&outcome=called&route=r&tool=server/t&text=100%25+_x&effects=1&since=90m&until=2026-03-03T15:00&before=41')).toMatchObject({
      filter: { source: 'chat:alice', outcome: 'called', route: 'r', tool: 'server/t', text: '100% _x', effects: true, since: NOW - 5_400_000, until: new Date(2026, 2, 3, 15).getTime() }, before: 41, problems: [],
    })
  })
  test.each([['today', new Date(2026, 2, 3).getTime()], ['7d', NOW - 7 * 86_400_000], ['2026-03-01', new Date(2026, 2, 1).getTime()], ['1772496000000', 1772496000000]])('since=%s', (text, since) => {
    expect(read(`since=${text}`).filter).toEqual({ since })
  })
  test('closed: what cannot be read filters nothing, and is said', () => {
    const { filter, problems, typed } = read('source=no+name!&outcome=toString&since=yesterday&until=2026-13-45&before=x&effects=yes')
    expect(filter).toEqual({})
    expect(problems).toHaveLength(5)
    expect(problems.join()).toMatch(/since must be .*"yesterday".*until must be .*source must be .*outcome must be one of called.*"toString".*before must be /)
    expect(typed.get('since')).toBe('yesterday')
  })
  test('since after until is said', () => expect(read('since=1h&until=2h').problems).toEqual(['since is not before until, so nothing can lie between them']))
  test('it is written back as it was typed, with the page beside it', () => {
    const { typed } = read('text=a%26b&since=today&other=1')
    expect(filterQuery(typed)).toBe('?text=a%26b&since=today')
    expect(filterQuery(typed, { before: '7', text: undefined })).toBe('?since=today&before=7')
    expect(filterQuery(new Map())).toBe('')
  })
  test('a name of an object\'s own is a name like any other', () => expect(read('route=__proto__&tool=constructor').filter).toEqual({ route: '__proto__', tool: 'constructor' }))
})

describe('the time of the picture', () => {
  test('no time given: the day of now, by the hour', () => {
    const { edges, today } = windowOf({}, NOW)
    expect(today).toBe(true)
    expect([edges[0], edges.at(-1)]).toEqual([new Date(2026, 2, 3).getTime(), new Date(2026, 2, 4).getTime()])
    expect(edges).toEqual(dayWindow(NOW).edges)
  })
  test('hours up to two days, days up to two months, parts beyond', () => {
    expect(windowOf({ since: NOW - 3 * 3_600_000 }, NOW)).toMatchObject({ unit: 'hour' })
    expect(windowOf({ since: NOW - 20 * 86_400_000 }, NOW)).toMatchObject({ unit: 'day' })
    const long = windowOf({ since: NOW - 2000 * 86_400_000 }, NOW)
    expect(long.unit).toBe('part')
    expect(long.edges).toHaveLength(32)
  })
  test('columns ascend and hold the whole of the time, also over a change of the clocks', () => {
    for (const days of [1, 2, 5, 40, 400]) {
      const since = new Date(2026, 9, 24, 13, 7).getTime()
      const until = since + days * 86_400_000
      const { edges } = windowOf({ since, until }, NOW)
      expect(edges.every((edge, at) => at === 0 || edge > (edges[at - 1] ?? 0))).toBe(true)
      expect(edges[0]).toBeLessThanOrEqual(since)
      expect(edges.at(-1)).toBeGreaterThanOrEqual(until)
    }
  })
  test('no time at all: no column', () => expect(windowOf({ since: 10, until: 5 }, NOW).edges).toEqual([]))
})
