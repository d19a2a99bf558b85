import { describe, expect, test } from 'vitest'
import { lintRoutes } from '../../src/routes/lint/lint.ts'
import type { LintOptions } from '../../src/routes/lint/context.ts'
import { table, tool, tools } from './helpers.ts'

const EFFECT = 'allow: [browser.open]\nmust_fire: [x]\nmust_not_fire: [y]'
const lint = (routes: { readonly [name: string]: readonly string[] }, lines = EFFECT, options: LintOptions = {}) =>
  lintRoutes(table(routes, lines), options).filter(({ rule }) => rule !== 'one-phrase').map(({ level, rule, route }) => `${level} ${rule} ${route}`)

describe('a trigger that would fire on talk', () => {
  test.each(['yes', 'go ahead', 'do it', 'Good morning!', 'let\'s go', 'thank you', 'do that for me', 'get it', 'what time is it', 'thank you very much', 'no problem', 'good job', 'wait a minute', 'see you tomorrow', 'one moment please', 'hold on a second', 'have a nice weekend', 'how are you doing'])('"%s" is an everyday sentence', trigger => {
    expect(lint({ r: [trigger] })).toEqual(['error everyday-sentence r'])
  })
  test('of a route without effects it is a warning only', () => {
    expect(lint({ r: ['good morning'] }, '')).toEqual(['warning everyday-sentence r'])
  })
  test.each(['lights', 'deploy', 'build', 'Play', 'mute', 'lamp', 'oven'])('"%s" is one common word', trigger => {
    expect(lint({ r: [trigger] })).toEqual(['error one-common-word r'])
  })
  test.each(['open the console', 'zephyrize', 'show me the call log', 'turn on the heater', 'start the backup', 'wait for the backup', 'see the doctor tomorrow', 'show the good photos'])('"%s" is fine', trigger => {
    expect(lint({ r: [trigger] })).toEqual([])
  })
  test.each(['put on {x}', 'note down {x}', 'call {person}', 'tell {person} that {message:rest}', 'remind me to {x:rest}'])('"%s" is a bare verb and an open slot', trigger => {
    expect(lint({ r: [trigger] })).toEqual(['warning bare-verb-slot r'])
  })
  test.each(['set a timer for {x:duration}', 'call {person:people}', 'add {x} to the shopping list', 'play the album {x}'])('"%s" is strict enough', trigger => {
    expect(lint({ r: [trigger] }, `lists: { people: [anna, ben] }\n${EFFECT}`).filter(found => !found.includes('list-unused'))).toEqual([])
  })
  test('one finding a trigger, however many sentences it has', () => {
    expect(lint({ r: ['(put|switch|turn) on {x}'] })).toEqual(['warning bare-verb-slot r'])
  })
  test('two open slots side by side', () => {
    expect(lint({ r: ['send the letter {person} {message}'] })).toEqual(['warning slots-touch r'])
  })
})

describe('a dead alternative', () => {
  const dead = (...triggers: readonly string[]) => lintRoutes(table({ r: triggers }, '')).filter(({ rule }) => rule === 'dead-alternative').map(({ message }) => message)
  test('one that is there twice is named once, the later one', () => {
    expect(dead('open (the|my|the) console')).toEqual([expect.stringContaining('the alternative "the" in "open (the|my|the) console"')])
  })
  test('one whose sentences come from an optional part anyway', () => {
    expect(dead('open ([the] old|the old) console')).toHaveLength(1)
  })
  test('a trigger whose sentences another trigger has', () => {
    expect(dead('open [the] console', 'open the console')).toEqual([expect.stringContaining('the trigger "open the console" adds no sentence')])
  })
  test('an alternative that differs in case only', () => {
    expect(dead('open (the|THE) console')).toHaveLength(1)
  })
  test('nothing is dead in a trigger of which each part adds a sentence', () => {
    expect(dead('[please] (open|show) [me] (the|my) [old] console', 'bring up the console')).toEqual([])
  })
})

describe('two routes that people would mix up', () => {
  test('sentences that differ in small words, number or order', () => {
    expect(lint({ a: ['archive the old report'], b: ['archive my old reports'] })).toEqual(['warning near-duplicate b'])
    expect(lint({ a: ['print report weekly'], b: ['print weekly report please'] })).toEqual(['warning near-duplicate b'])
  })
  test.each([['lock the front door', 'unlock the front door'], ['turn on the heater', 'turn off the heater'], ['check in at work', 'check out at work'], ['open the blue door', 'open the red door']])('"%s" and "%s" differ in a word that counts', (a, b) => {
    expect(lint({ a: [a], b: [b] })).toEqual([])
  })
  test('a definite and an indefinite object', () => {
    expect(lint({ a: ['open a ticket'], b: ['open the ticket'] })).toEqual(['warning article-clash b'])
  })
  test('a slot of one route that takes in a sentence of the other', () => {
    expect(lint({ a: ['play the album {x}'], b: ['play the album of the week'] })).toEqual(['info covered-by-slot b'])
  })
  test('with a similarity: nearer to another route than to its own', () => {
    const near = new Set(['show the heap graph|draw the memory map', 'draw the memory map|show the heap graph'])
    const score = (x: string, y: string) => near.has(`${x}|${y}`) ? 0.8 : 0.3
    expect(lint({ a: ['show the heap graph', 'print the statement'], b: ['draw the memory map', 'list the caches'] }, EFFECT, { score })).toEqual(['warning nearer-to-another a', 'warning nearer-to-another b'])
    expect(lint({ a: ['show the heap graph', 'print the statement'], b: ['draw the memory map', 'list the caches'] }, EFFECT, { score: () => 0.3 })).toEqual([])
  })
  test('with a similarity: nearly the same meaning', () => {
    expect(lint({ a: ['show the heap graph'], b: ['display the heap chart'] }, EFFECT, { score: () => 0.97 })).toEqual(['warning near-duplicate a', 'warning near-duplicate b'])
  })
  test('names that differ in case and separators only', () => {
    expect(lint({ 'open-console': ['open the console'], Open_Console: ['bring the console up'] })).toEqual(['warning names-alike Open_Console'])
  })
})

describe('a route as a whole', () => {
  const route = (lines: string, options?: LintOptions) => lint({ r: ['open the console'] }, lines, options)
  test('effects without must_not_fire', () => {
    expect(route('allow: [browser.open]')).toEqual(['warning no-must-not-fire r', 'info no-must-fire r'])
    expect(route('')).toEqual([])
  })
  test('effects that only the tool declares count too', () => {
    expect(route('', { tools: tools(tool({ effects: { always: ['browser.open'] } })) })).toContain('warning no-must-not-fire r')
  })
  test.each(['notification', 'webhook', 'model', 'log', 'webhook:ci'])('gate:explicit: %s may fire an effectful route', source => {
    expect(route(`from: [user, "${source}"]\n${EFFECT}`)).toEqual(['warning machine-source r'])
    expect(route(`from: [user, "${source}"]`)).toEqual([])
  })
  test('everybody in any chat is wide, one person in it is not', () => {
    expect(route(`from: [chat]\n${EFFECT}`)).toEqual(['info wide-source r'])
    expect(route(`from: ["chat:alice", voice]\n${EFFECT}`)).toEqual([])
  })
  test('one sentence only', () => {
    expect(lintRoutes(table({ r: ['open the console'] })).map(({ rule }) => rule)).toEqual(['one-phrase'])
  })
  test('a list that nothing uses', () => {
    expect(route('lists: { room: [kitchen] }')).toEqual(['info list-unused r'])
  })
})

describe('characters that nobody sees, or takes for others (E6)', () => {
  test.each([
    ['a zero-width space', 'open the con\u200Bsole'], ['a bidirectional mark', 'open \u202Ethe console'], ['tag letters', 'open the console\u{E0073}\u{E0065}'], ['a variation selector', 'open the console\uFE01'],
    ['a soft hyphen', 'open the con\u00ADsole'], ['a Hangul filler', 'open\u3164the console'],
  ])('%s in a trigger', (_, trigger) => {
    expect(lint({ r: [trigger] }, '')).toEqual(['error invisible-character r'])
  })
  test.each([['one Cyrillic letter in a Latin word', 'open the c\u043Ensole'], ['a word of Cyrillic letters only, that looks Latin', '\u0441\u043E\u0440 the console'], ['a Greek letter', 'open the c\u03BFnsole']])('%s', (_, trigger) => {
    expect(lint({ r: [trigger] }, '')).toEqual(['error confusable-character r'])
  })
  test.each(['открой консоль', 'öffne die Konsole', 'コンソールを開いて', 'öffne 👩‍💻 console', 'open the ❤️ console'])('%s is as it looks', trigger => {
    expect(lint({ r: [trigger] }, '')).toEqual([])
  })
  test('in lists, tests, `not` and presets too', () => {
    for (const lines of ['lists: { l: ["a\u200Bb"] }', 'must_fire: ["a\u200Bb"]', 'not: ["a\u200Bb"]', 'preset: { a: ["x\u200By"] }', 'preset: { "x\u200By": 1 }']) expect(lint({ r: ['open the console'] }, lines)).toContain('error invisible-character r')
  })
})

test('findings come worst first, with file, line, the reason and a way out', () => {
  const findings = lintRoutes(table({ r: ['put on {x}', 'yes'] }, 'allow: [browser.open]'))
  expect(findings.map(({ level }) => level)).toEqual(['error', 'warning', 'warning', 'info'])
  for (const { file, line, message } of findings) {
    expect([file, typeof line]).toEqual(['r.yaml', 'number'])
    expect(message).toMatch(/[;,].+/)
  }
})
