import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DOORS, MEALS, TRAINS, WEATHER } from '../heads/support.ts'
import { ROOT } from '../rules/source-files.ts'
import { scratch } from './usher.ts'

const place = scratch()
const ROUTES = `version: 1
routes:
  - { name: weather, tool: weather, triggers: ${JSON.stringify(WEATHER)} }
  - { name: trains, tool: trains, triggers: ${JSON.stringify(TRAINS)} }
  - { name: meals, tool: meals, triggers: ${JSON.stringify(MEALS)} }
  - { name: open-door, tool: door, triggers: ${JSON.stringify(DOORS)}, allow: [device.actuate] }
`
const TOOLS = `
import { defineTool } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/index.js')).href)}
import * as z from ${JSON.stringify(pathToFileURL(join(ROOT, 'node_modules/zod/index.js')).href)}
const reads = name => defineTool({ name, description: 'reads ' + name, input: z.object({}), effects: {}, run: () => undefined })
export default [reads('weather'), reads('trains'), reads('meals'), defineTool({ name: 'door', description: 'opens the door', input: z.object({}), effects: { always: ['device.actuate'] }, run: () => undefined })]
`
const calibrate = (...more: string[]) => place.run(['calibrate', '--routes', 'routes', '--tools', 'tools.mjs', ...more])
const side = () => JSON.parse(readFileSync(join(place.folder, 'routes/calibration.json'), 'utf8')) as { who: string, budget: number, encoder: string, thresholds: { route: string, threshold: number }[] }

beforeAll(() => {
  mkdirSync(join(place.folder, 'routes'))
  place.write('routes/all.yaml', ROUTES)
  place.write('tools.mjs', TOOLS)
})
afterAll(place.remove)

describe('usher calibrate', () => {
  test('writes what it chose beside the routes, draws it, and says where the evidence is thin', () => {
    const { status, stdout } = calibrate('--as', 'alice', '--budget', '5%')
    expect(status).toBe(0)
    expect(stdout).toContain('false fires')
    expect(stdout).toMatch(/thin .*weather \(8\)/)
    expect(side()).toMatchObject({ who: 'alice', budget: 0.05 })
    expect(side().thresholds.map(({ route }) => route)).toEqual(['weather', 'trains', 'meals'])
    expect(readFileSync(join(place.folder, 'routes/calibration.svg'), 'utf8')).toMatch(/^<svg .*polyline/)
  })

  test('a smaller budget raises the thresholds; control:human: a lower one waits for --yes', () => {
    const before = side()
    expect(calibrate('--budget', '0.1%').status).toBe(0)
    const raised = side()
    raised.thresholds.forEach(({ threshold }, at) => { expect(threshold).toBeGreaterThan(before.thresholds[at]?.threshold ?? 1) })
    const held = calibrate('--budget', '5%')
    expect(held.status).toBe(1)
    expect(held.stdout).toContain('--yes')
    expect(side()).toEqual(raised)
    expect(calibrate('--budget', '5%', '--yes').status).toBe(0)
    expect(side().thresholds).toEqual(before.thresholds)
  })

  test('its thresholds are what decides afterwards, and each decision says so', () => {
    const decided = place.run(['decide', '--routes', 'routes', '--tools', 'tools.mjs', '--no-reader', '--json', 'should I take an umbrella with me']).json() as { head: { by: string, threshold: number, budget: number } }[]
    expect(decided[0]?.head).toMatchObject({ by: 'calibrated', budget: 0.05, threshold: side().thresholds[0]?.threshold })
  })

  test('labelled texts are read in the form of usher eval; --json and --dry-run write nothing', () => {
    const before = side()
    place.write('labelled.json', JSON.stringify({ routes: [{ name: 'weather', triggers: ['weather'] }], cases: [{ text: 'rain at the weekend', route: 'weather' }, { text: 'the forecast for the economy', route: null }] }))
    const said = calibrate('--labelled', 'labelled.json', '--dry-run', '--json').json() as { written: null, routes: { route: string, texts: number }[], why: string[] }
    expect(said.written).toBeNull()
    expect(said.routes[0]).toMatchObject({ route: 'weather', texts: WEATHER.length + 1 })
    expect(said.why.join(' ')).toContain('2 labelled texts')
    expect(side()).toEqual(before)
  })

  test('a budget that is no share is wrong use; routes without several phrases are left as they are', () => {
    for (const budget of ['0', '100%', 'many', '-1%', 'constructor']) expect(calibrate('--budget', budget).status).toBe(2)
    const alone = place.run(['calibrate', '--routes', join(ROOT, 'routes')])
    expect(alone.status).toBe(0)
    expect(alone.stdout).toContain('nearest phrase')
    expect(existsSync(join(ROOT, 'routes/calibration.json'))).toBe(false)
  })
})
