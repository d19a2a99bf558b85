import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { scratch } from './usher.ts'
import { ROOT } from '../rules/source-files.ts'

let here: ReturnType<typeof scratch>
beforeEach(() => { here = scratch() })
afterEach(() => { here.remove() })

const HONEST = join(ROOT, 'test/fixtures/servers/honest.mjs')
/** A schema whose serialised form has so many UTF-16 units. */
function sized(units: number, fill = 'x'): object {
  const schema = (text: string) => ({ type: 'object', properties: { a: { type: 'string', description: text } } })
  const text = fill.repeat(Math.floor((units - JSON.stringify(schema('')).length) / fill.length))
  return schema(text + 'x'.repeat(units - JSON.stringify(schema(text)).length))
}
const tools = (...schemas: readonly object[]) => here.write('tools.json', JSON.stringify(schemas.map((inputSchema, at) => ({ name: `t${at}`, description: 'Does its work.', inputSchema }))))
const measure = (...args: readonly string[]) => here.run(['schema', '--tools-json', 'tools.json', ...args])

interface Told { readonly unit: string, readonly tools: readonly { readonly tool: string, readonly chars: number, readonly over: boolean }[], readonly percent: number, readonly advice: readonly string[], readonly findings: readonly { readonly rule: string, readonly tool: string }[], readonly passed: boolean }

describe('usher schema', () => {
  test.each([[16_383, 'x', 0], [16_384, 'x', 1], [16_383, '\u{1F600}', 0], [16_384, '\u{1F600}', 1]])('a schema of %d UTF-16 units, mostly %s: exit %d', (units, fill, exit) => {
    tools(sized(units, fill))
    const { status, json } = measure('--json')
    expect(json() as Told).toMatchObject({ unit: 'UTF-16 units', tools: [{ tool: 't0', chars: units, over: exit === 1 }], passed: exit === 0 })
    expect(status).toBe(exit)
  })

  test('the limits are the caller\'s, and what to do is told', () => {
    tools({ type: 'object', properties: { a: { type: 'string' }, b: { type: 'string', description: 'Which one.' } } })
    expect(measure('--min-described', '0.5').status).toBe(0)
    const { status, stdout } = measure('--max-chars', '20')
    expect(stdout).toMatch(/t0: \d+ UTF-16 units reach the limit of 20; .*\$defs/)
    expect(stdout).toMatch(/t0: 1 of 2 parts have no description/)
    expect(stdout).toContain('1 of 2 nested properties described (50 %)')
    expect(status).toBe(1)
  })

  test('the ratchet only tightens: worse fails, better fails until it is written', () => {
    const ratchet = ['--min-described', '0', '--ratchet', 'budget.json']
    const read = () => readFileSync(join(here.folder, 'budget.json'), 'utf8')
    tools(sized(500))
    expect(measure(...ratchet).status).toBe(2)
    expect(measure(...ratchet, '--write').status).toBe(0)
    expect(JSON.parse(read())).toEqual({ version: 1, largest: 500, total: 500, percent: 100 })
    expect(measure(...ratchet).status).toBe(0)
    tools(sized(501))
    expect(measure(...ratchet)).toMatchObject({ status: 1, stdout: expect.stringContaining('worse: largest schema 500 -> 501') as string })
    expect(measure(...ratchet, '--write')).toMatchObject({ status: 2, stderr: expect.stringContaining('only tightens') as string })
    tools(sized(400))
    expect(measure(...ratchet)).toMatchObject({ status: 1, stdout: expect.stringContaining('keep it with --write') as string })
    expect(measure(...ratchet, '--write').status).toBe(0)
    expect(measure(...ratchet).status).toBe(0)
    expect(JSON.parse(read())).toMatchObject({ largest: 400 })
  })

  test('a server is asked, and our own tools are measured as they go out', () => {
    const { json } = here.run(['schema', '--min-described', '0', '--json', '--', process.execPath, HONEST])
    expect((json() as Told).tools.length).toBeGreaterThan(0)
    const own = here.run(['schema', '--json'])
    expect((own.json() as Told).tools.map(({ tool }) => tool)).toContain('call_console')
    expect(own.status).toBe(0)
  })

  test('what a person should know of each schema stands below', () => {
    tools({ type: 'object', properties: { notify: { type: 'boolean', default: true, description: 'Tell them.' } } }, { type: 'object', properties: { a: { $ref: 'https://x.example/a' } } })
    const { json } = measure('--json')
    expect((json() as Told).findings.map(({ rule, tool }) => [rule, tool])).toEqual([['armed-default', 't0'], ['refused', 't1']])
  })

  test('fill:blind: a description that names what is hidden is a finding, until the owner accepts the name', () => {
    here.write('mine.mjs', `export default [{ name: 'page', description: 'Gives the address; open_tab shows it.', visible: { type: 'object', properties: {} }, presetOnly: { open_tab: { type: 'boolean' } }, effects: { open_tab: ['browser.open'] }, origin: { kind: 'code' }, run: () => 'x' }]`)
    const rules = (...more: readonly string[]) => (here.run(['schema', '--tools', 'mine.mjs', '--json', ...more]).json() as Told).findings.map(({ rule }) => rule)
    expect(rules()).toContain('names-preset-only')
    expect(rules('--accept', 'open_tab')).not.toContain('names-preset-only')
    expect(rules('--accept', 'other')).toContain('names-preset-only')
  })

  test('a server that does not start is no pass', () => {
    expect(here.run(['schema', '--', '/no/such/program'])).toMatchObject({ status: 1, stderr: expect.stringContaining('no program "/no/such/program"') as string })
  })

  test.each<readonly [readonly string[], RegExp]>([
    [['--max-chars', '0'], /--max-chars cannot be "0"/], [['--max-chars', '1.5'], /--max-chars/], [['--min-described', '2'], /--min-described cannot be "2"/], [['--min-described', ''], /--min-described/], [['--write'], /--write needs --ratchet/], [['--tools-json', 'none.json'], /none\.json/], [['--tools', 'none.js'], /none\.js/], [['--tools', 'a.js', '--tools-json', 'b.json'], /name one thing/], [['--tools-json', 'b.json', '--', 'node'], /name one thing/],
  ])('used wrongly: %j', (args, words) => {
    const { status, stderr } = here.run(['schema', ...args])
    expect(stderr).toMatch(words)
    expect(status).toBe(2)
  })
})
