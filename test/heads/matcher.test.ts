import { describe, expect, test } from 'vitest'
import { buildHead } from '../../src/heads/build.ts'
import { HeadMatcher } from '../../src/heads/matcher.ts'
import type { Matcher } from '../../src/ports.ts'
import type { Candidate } from '../../src/types.ts'
import { MEALS, route, THREE, TRAINS, WEATHER, wordVector, wordVectors } from './support.ts'

const DOOR = ['open the door', 'unlock the door']
const routes = [...THREE, route('open-door', DOOR, { free: false })]
const head = await buildHead({ encoder: 'words@1', routes, vectors: wordVectors })
if (!head) throw new Error('no head')

/** Nearest phrases by a scan, as the real matcher gives them. */
const nearest: Matcher = {
  vectorOf: text => [...WEATHER, ...TRAINS, ...MEALS, ...DOOR].includes(text) ? wordVector(text) : undefined,
  match: (text, vector, k = 8) => routes.map(({ name, phrases }): Candidate => phrases
    .map(({ text: phrase }) => ({ route: name, phrase, score: wordVector(phrase).reduce((sum, value, at) => sum + value * (vector[at] as number), 0), exact: phrase === text }))
    .sort((a, b) => b.score - a.score)[0] as Candidate).sort((a, b) => Number(b.exact) - Number(a.exact) || b.score - a.score).slice(0, k),
}
const matcher = new HeadMatcher(nearest, head)
const match = (text: string, k?: number) => {
  const further = matcher.further(text)
  return matcher.match(text, wordVector(text), k, further === undefined ? undefined : wordVector(further))
}

describe('candidates with a head', () => {
  test('come in its order, each with a probability, those with a head with what their threshold rests on', () => {
    const found = match('is my train to the city late tonight')
    expect(found[0]).toMatchObject({ route: 'trains', head: { hash: head.hash, by: 'budget', phrases: TRAINS.length } })
    expect(found.map(({ probability }) => probability ?? -1)).toEqual(found.map(({ probability }) => probability ?? -1).sort((a, b) => b - a))
    expect(found.every(({ probability }) => probability !== undefined && probability > 0 && probability < 1)).toBe(true)
  })

  test('gate:explicit: a route with effects gets a probability, and no head that could fire it', () => {
    const door = match('please open that door').find(candidate => candidate.route === 'open-door')
    expect(door?.probability).toBeGreaterThan(0)
    expect(door).not.toHaveProperty('head')
  })

  test('a phrase to the letter stays first, and asks for no further vector', () => {
    expect(matcher.further(WEATHER[0] as string)).toBeUndefined()
    expect(match(WEATHER[0] as string)[0]).toMatchObject({ route: 'weather', exact: true })
  })

  test('closed: without the further vector no route fires by its head', () => {
    const found = matcher.match('will it rain', wordVector('will it rain'))
    expect(found.filter(candidate => candidate.head)).not.toHaveLength(0)
    expect(found.flatMap(({ head: reading }) => reading ? [reading.probability] : [0])).toEqual(found.map(() => 0))
  })

  test('no more of them come than are asked for, and each with its own phrase', () => {
    expect(match('will it rain', 2)).toHaveLength(2)
    expect(match('will it rain', 0)).toEqual([])
    for (const candidate of match('soup for lunch')) expect(routes.find(({ name }) => name === candidate.route)?.phrases.map(({ text }) => text)).toContain(candidate.phrase)
  })
})
