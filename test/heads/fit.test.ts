import { expect, test } from 'vitest'
import { fitRows, standing, type Standing } from '../../src/heads/fit.ts'
import { KERNEL, KernelRows, kernelRow, type KernelRow } from '../../src/heads/kernel.ts'
import type { Row } from '../../src/heads/rows.ts'
import { inverse } from '../../src/heads/symmetric.ts'
import { MEALS, TRAINS, WEATHER, wordVector } from './support.ts'

const NEUTRAL = ['the roses came out early', 'bump the parser', 'my knee hurts since the hike']
const rows: Row[] = [WEATHER, TRAINS, MEALS].flatMap((texts, route) => texts.map((text, nth) => ({ text, route, group: `${route}:${Math.floor(nth / 2)}` })))
  .concat(NEUTRAL.map(text => ({ text, route: -1, group: 'neutral' })))
const kernelOf = (text: string): KernelRow => kernelRow(text, { plain: wordVector(text), framed: wordVector(`in a frame ${text}`) })

const fit = (of: readonly Row[]) => {
  const kernels = of.map(({ text }) => kernelOf(text))
  const likeness = new KernelRows(kernels)
  const values = Float64Array.from(kernels.flatMap((row, i) => [...likeness.against(row)].map((value, j) => i === j ? value + KERNEL.ridge : value)))
  return { fitted: fitRows(of, kernels, 3, inverse({ size: of.length, values })), likeness }
}

/** What the fitted rows say of a text, by plain arithmetic. */
const judge = ({ fitted, likeness }: ReturnType<typeof fit>, text: string, except?: number): Standing => {
  const row = kernelOf(text)
  const scores = new Float64Array(4)
  likeness.against(row).forEach((value, at) => { for (let k = 0; k < 4; k++) scores[k] = (scores[k] as number) + value * (fitted.weights[at * 4 + k] as number) })
  for (let route = 0; route < 3; route++) scores[route] = (scores[route] as number) + KERNEL.centre * row.plain.reduce((sum, value, k) => sum + value * (fitted.centres[route * 64 + k] as number), 0)
  return standing(scores, 3, except)
}

const whole = fit(rows)

test('a row judged without its trigger gets what a fit without that trigger gives it', () => {
  for (const group of ['0:0', '1:2', '2:3']) {
    const rest = fit(rows.filter(row => row.group !== group))
    rows.forEach((row, at) => {
      if (row.group !== group) return
      const [made, expected] = [whole.fitted.held[at] as Standing, judge(rest, row.text)]
      expect(made.top).toBe(expected.top)
      expect(made.first).toBeCloseTo(expected.first, 5)
      expect(made.second).toBeCloseTo(expected.second, 5)
    })
  }
})

test('a row judged without its route gets what a fit without that route gives it, and is never taken for it', () => {
  const rest = fit(rows.filter(row => row.route !== 1))
  rows.forEach((row, at) => {
    if (row.route !== 1) return
    const made = whole.fitted.stranger[at] as Standing
    const expected = judge(rest, row.text, 1)
    expect(made.top).toBe(expected.top)
    expect(made.top).not.toBe(1)
    expect(made.first).toBeCloseTo(expected.first, 5)
  })
})

test('neutral text is judged without itself, and belongs to no route', () => {
  const at = rows.findIndex(row => row.text === NEUTRAL[1])
  expect(whole.fitted.stranger[at]).toBeUndefined()
  const rest = fit(rows.filter((_, other) => other !== at))
  expect((whole.fitted.held[at] as Standing).first).toBeCloseTo(judge(rest, NEUTRAL[1] as string).first, 5)
})

test('the phrases of a route are taken for it', () => {
  const ofRoutes = rows.filter(row => row.route >= 0)
  expect(ofRoutes.map(row => judge(whole, row.text).top)).toEqual(ofRoutes.map(row => row.route))
})
