import { expect, test } from 'vitest'
import { WorkQueue } from '../../src/ingest/queue.ts'

test('events are handled one at a time, in the order they came, also after one failed', async () => {
  const queue = new WorkQueue()
  const seen: string[] = []
  const work = (name: string, wait: number, fails = false) => queue.push(async () => {
    seen.push(`${name} starts`)
    await new Promise(resolve => setTimeout(resolve, wait))
    seen.push(`${name} ends`)
    if (fails) throw new Error(name)
    return name
  })
  const results = await Promise.allSettled([work('a', 20), work('b', 0, true), work('c', 0)])
  expect(seen).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends'])
  expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('work beside runs together, after the events before it and before those after it', async () => {
  const queue = new WorkQueue()
  const seen: string[] = []
  const work = (name: string, way: 'push' | 'beside', fails = false) => queue[way](async () => {
    seen.push(`${name} starts`)
    await new Promise(resolve => setTimeout(resolve, 5))
    seen.push(`${name} ends`)
    if (fails) throw new Error(name)
  })
  const results = await Promise.allSettled([work('a', 'push'), work('b', 'beside', true), work('c', 'beside'), work('d', 'push'), work('e', 'beside')])
  expect(seen).toEqual(['a starts', 'a ends', 'b starts', 'c starts', 'b ends', 'c ends', 'd starts', 'd ends', 'e starts', 'e ends'])
  expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
  const last = work('f', 'beside')
  await queue.close()
  expect(seen.at(-1)).toBe('f ends')
  await last
  await expect(queue.beside(async () => 'late')).rejects.toMatchObject({ code: 'CLOSED' })
})

test('a full queue tells the caller, and drops nothing that waits', async () => {
  const queue = new WorkQueue(2)
  let release = () => {}
  const first = queue.push(() => new Promise<void>(resolve => { release = resolve }))
  const second = queue.push(async () => 'second')
  await expect(queue.push(async () => 'third')).rejects.toMatchObject({ code: 'QUEUE_FULL' })
  await Promise.resolve()
  release()
  await first
  expect(await second).toBe('second')
  expect(await queue.push(async () => 'fourth')).toBe('fourth')
})

test('after close nothing is taken, and what waits is done', async () => {
  const queue = new WorkQueue()
  const work = queue.push(async () => 'done')
  await queue.close()
  expect(await work).toBe('done')
  await expect(queue.push(async () => 'late')).rejects.toMatchObject({ code: 'CLOSED' })
})

test.each([0, -1, 1.5, Number.NaN])('a length of %s is refused', length => {
  expect(() => new WorkQueue(length)).toThrow(/whole number above 0/)
})
