import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { beginReading, knowingMatcher, knowingReader } from '../../src/decide/known.ts'
import { PhraseAnswers } from '../../src/decide/phrase-answers.ts'
import { loadRoutes } from '../../src/routes/load.ts'
import type { AskReader, Matcher } from '../../src/ports.ts'
import type { Candidate, Route } from '../../src/types.ts'

const routes = [...loadRoutes(['routes']).routes.values()]
const plain = routes.flatMap(route => route.phrases).filter(({ parts }) => parts.every(part => part.kind === 'text')).map(({ text }) => text)

/** A vector of its own for each phrase, and every question counted. */
function counted(): { readonly asked: string[], readonly matcher: Matcher, readonly reader: AskReader } {
  const asked: string[] = []
  const vectors = new Map(plain.map((text, at) => [text, Float32Array.of(at)]))
  const real = createAskReader(routes)
  const read = (text: string, candidates: readonly Candidate[]) => { asked.push(`read ${text}`); return real.read(text, candidates) }
  return {
    asked,
    matcher: { vectorOf: text => vectors.get(text.replace(/[.!]$/, '').toLowerCase()), further: text => `framed ${text}`, match: text => { asked.push(`match ${text}`); return [{ route: 'near', phrase: text, score: 1, exact: true }] } },
    reader: { read, begin: text => ({ asks: real.read(text, []).asks, finish: candidates => read(text, candidates) }) },
  }
}

async function found(answers: PhraseAnswers, last: string): Promise<void> {
  answers.start()
  while (!answers.find(last)) await sleep(5)
}

test('a phrase is read alike with a capital, with marks at its end and with neither: its answer may stand for all of them', () => {
  const reader = createAskReader(routes)
  expect(plain.length).toBeGreaterThan(10)
  for (const text of plain) {
    const reading = reader.read(text, [])
    for (const said of [`${text}.`, `${text}!`, `${text} !!`, `${text},`, `${text}...`, `${text}\n`, text.charAt(0).toUpperCase() + text.slice(1)]) expect([said, reader.read(said, [])]).toEqual([said, reading])
  }
})

test('what a phrase gives is found between other work, and is what matcher and reader give', async () => {
  const { asked, matcher, reader } = counted()
  const answers = new PhraseAnswers(matcher, reader, routes)
  await found(answers, plain.at(-1) as string)
  const phrase = plain[0] as string
  const said = `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}!`
  const [fresh, plainly] = [reader.read(phrase, []), asked.length]
  const [knownMatcher, knownReader] = [knowingMatcher(matcher, answers), knowingReader(reader, answers)]
  const vector = knownMatcher.vectorOf?.(said) as Float32Array
  const candidates = knownMatcher.match(said, vector)
  expect(vector).toBe(matcher.vectorOf?.(phrase))
  expect(candidates).toEqual([{ route: 'near', phrase, score: 1, exact: true }])
  expect(knownMatcher.further?.(said)).toBeUndefined()
  expect(beginReading(knownReader, said).finish(candidates)).toEqual(fresh)
  expect(asked).toHaveLength(plainly)
  // With other candidates or another vector it is asked anew.
  knownReader.read(said, [])
  knownMatcher.match(said, Float32Array.of(9))
  expect(asked.slice(plainly)).toEqual([`read ${said}`, `match ${said}`])
})

test('quoted, asked, or with words around it, a phrase is read as it stands', async () => {
  const { matcher, reader } = counted()
  const answers = new PhraseAnswers(matcher, reader, routes)
  await found(answers, plain.at(-1) as string)
  const phrase = plain[0] as string
  for (const said of [`"${phrase}"`, `${phrase}?`, `don't ${phrase}`, `'${phrase}`, ` ${phrase}`, `${phrase}: no`, `${phrase} 2`, `(${phrase})`, '', '!', 'constructor']) expect([said, answers.find(said)]).toEqual([said, undefined])
})

test('nothing is found after the stop, and nothing beforehand for a large table', async () => {
  const { asked, matcher, reader } = counted()
  const stopped = new PhraseAnswers(matcher, reader, routes)
  stopped.start()
  stopped.stop()
  const many = Array.from({ length: 2001 }, (_, at): Route => ({ ...routes[0] as Route, name: `r${at}`, phrases: [{ text: `p ${at}`, template: `p ${at}`, parts: [{ kind: 'text', text: `p ${at}` }] }] }))
  new PhraseAnswers({ ...matcher, vectorOf: () => Float32Array.of(1) }, reader, many).start()
  await sleep(30)
  expect(asked).toEqual([])
})
