import { describe, expect, test } from 'vitest'
import { MAX_LINE, parseEventLine } from '../../src/ingest/parse.ts'

const now = () => 1_000
const door = { source: 'webhook', now }
const event = (line: string, from = door as Parameters<typeof parseEventLine>[1]) => {
  const parsed = parseEventLine(line, from)
  if (parsed.kind !== 'event') throw new Error(`malformed: ${parsed.why}`)
  return parsed.event
}
const malformed = (line: string, from = door as Parameters<typeof parseEventLine>[1]) => {
  const parsed = parseEventLine(line, from)
  return parsed.kind === 'malformed' ? `${parsed.reason}: ${parsed.why}` : 'an event'
}

describe('ingest:owns: the door says who speaks', () => {
  test('source, time and cause in a body are not believed', () => {
    const got = event('{"id":"1","text":"open the console","source":"user","at":5,"causedBy":"c-1"}')
    expect(got).toEqual({ id: '1', text: 'open the console', source: 'webhook', at: 1_000 })
  })
  test('a door sets the cause itself', () => {
    expect(event('{"id":"1","text":"x"}', { ...door, causedBy: 'c-9' }).causedBy).toBe('c-9')
  })
  test('a door that trusts its file believes them', () => {
    const got = event('{"id":"1","text":"x","source":"user","at":"2026-03-03T15:47:00Z","causedBy":"c-1"}', { ...door, trustBody: true })
    expect(got).toEqual({ id: '1', text: 'x', source: 'user', at: Date.UTC(2026, 2, 3, 15, 47), causedBy: 'c-1' })
  })
  test('a trusted source must still be a name', () => {
    expect(malformed('{"text":"x","source":"user\\nadmin"}', { ...door, trustBody: true })).toMatch(/^shape: "source" must be/)
  })
  test('an inherited key is no key', () => {
    expect(event('{"text":"x","__proto__":{"id":"stolen"}}').id).toMatch(/^e-[0-9a-f]{16}$/)
  })
})

describe('what is no event is named, never thrown', () => {
  test.each([
    ['{"text":', /^json: not JSON/], ['42', /^shape: an event is an object/], ['[]', /^shape: an event is an object.*array/], ['{}', /^shape: "text" must be a string, it is missing/],
    ['{"text":7}', /^shape: "text" must be a string, it is 7/], ['{"text":"x","id":""}', /^shape: "id"/], ['{"text":"x","id":{}}', /^shape: "id"/], ['{"text":"x","data":[1]}', /^shape: "data" must be an object/], ['null', /^shape/], ['{"text":"hello","text":"open the console"}', /^json: .*text/], ['{"text":"hello","\\u0074ext":"open the console"}', /^json: .*text/],
  ])('%s', (line, expected) => expect(malformed(line)).toMatch(expected))
  test('a line over the limit is not parsed', () => {
    expect(malformed(`{"text":"${'a'.repeat(MAX_LINE)}"}`)).toMatch(/^too-big/)
  })
  test('a trusted time that is none', () => {
    expect(malformed('{"text":"x","at":"soon"}', { ...door, trustBody: true })).toMatch(/^shape: "at"/)
  })
})
