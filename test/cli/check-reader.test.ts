/** `usher check` runs a route's own tests as loading does: with the second reader. */
import { afterAll, describe, expect, test } from 'vitest'
import { scratch } from './usher.ts'

const place = scratch()
const route = (name: string, lines: string): string => place.write(`${name}.yaml`, `version: 1\nroutes:\n  - name: ${name}\n    tool: append_note\n    preset: { text: noted }\n${lines}`)
const lists = route('lists', '    triggers: ["note {item:things}"]\n    lists: { things: [milk, { in: [bread, loaf], out: bread }] }\n    allow: [fs.write]\n')
/** The rules take it for an ask; the second reader does not. */
const OBJECTED = 'put on weight'
const songs = route('songs', `    triggers: ["put on {song}", "play {song}"]\n    allow: [fs.write]\n    must_fire: ["${OBJECTED}"]\n    must_not_fire: ["the song"]\n`)

afterAll(() => { place.remove() })

describe('usher check', () => {
  test('a sentence that the second reader objects to fails the route\'s test, as at load', () => {
    const found = place.run(['check', songs])
    const loaded = place.run(['decide', 'put on Yesterday', '--routes', songs])
    expect([found.status, loaded.status]).toEqual([1, 1])
    expect(found.stdout).toContain(`"${OBJECTED}" must fire this route`)
    expect(loaded.stderr).toContain(`"${OBJECTED}" must fire this route`)
  })

  test('with --no-reader the rules alone are asked, in both places', () => {
    expect([place.run(['check', songs, '--no-reader']).status, place.run(['decide', 'put on Yesterday', '--no-reader', '--routes', songs]).status]).toEqual([0, 0])
  })

  test('--expand prints what a list may hold', () => {
    expect(place.run(['check', lists, '--expand']).stdout).toContain('note {item}  (item: things: milk | bread | loaf)')
  })
})

test('usher decide --routes FILE TEXT: one file, and the words after it are the text', () => {
  const { status, stdout } = place.run(['decide', '--routes', lists, 'note milk'])
  expect([status, stdout]).toEqual([0, expect.stringContaining('lists')])
})
