import type { ChildProcess } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import { WorkerPool } from '../../src/embed/pool.ts'

const file = new URL('./fixtures/moody-worker.mjs', import.meta.url)
const open: WorkerPool[] = []

function pool(size = 1, args: string[] = []): WorkerPool {
  const made = new WorkerPool({ file, args, size })
  open.push(made)
  return made
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(each => each.close()))
})

test('answers come back to the text that asked, also with many texts and two workers', async () => {
  const texts = Array.from({ length: 300 }, (_, i) => 'x'.repeat(i % 40))
  const two = pool(2)
  const answers = await Promise.all(texts.map(text => two.run(text)))
  expect(answers.map(answer => answer.vector[0])).toEqual(texts.map(text => text.length))
})

test('closed: a worker that dies rejects its texts with EMBED_FAILED, and the next text starts another', async () => {
  const one = pool()
  await expect(one.run('die')).rejects.toMatchObject({ code: 'EMBED_FAILED', message: expect.stringContaining('exit code 7') })
  expect((await one.run('abc')).vector[0]).toBe(3)
})

test('closed: a worker that its native code or the system ends costs its texts and not the host', async () => {
  const one = pool()
  await expect(one.run('abort')).rejects.toMatchObject({ code: 'EMBED_FAILED', message: expect.stringContaining('SIGABRT') })
  expect((await one.run('abcd')).vector[0]).toBe(4)
})

test('closed: texts behind the one that killed the worker are answered or rejected, none waits for ever', async () => {
  const one = pool()
  const settled = await Promise.allSettled(['a', 'die', 'bb', 'ccc', 'dddd'].map(text => one.run(text)))
  expect(settled[0]?.status).toBe('fulfilled')
  expect(settled[1]?.status).toBe('rejected')
  expect((await one.run('eeeee')).vector[0]).toBe(5)
})

test('closed: a worker that cannot start rejects every waiting text instead of being started for ever', async () => {
  const one = pool(1, ['die-at-start'])
  const settled = await Promise.allSettled(['a', 'b', 'c'].map(text => one.run(text)))
  expect(settled.map(each => each.status)).toEqual(['rejected', 'rejected', 'rejected'])
})

test('closed: a worker that says nothing is ended, its texts are rejected, and the next text starts another', async () => {
  const one = new WorkerPool({ file, args: [], size: 1, silenceMs: 1500 })
  open.push(one)
  await one.run('warm')
  await expect(one.run('hang')).rejects.toMatchObject({ code: 'EMBED_FAILED', message: expect.stringContaining('SIGKILL') })
  expect((await one.run('abc')).vector[0]).toBe(3)
})

test('the start of each worker goes through the given wrapper', async () => {
  let starts = 0
  const one = new WorkerPool({ file, args: [], size: 1, around: start => { starts++; return start() } })
  open.push(one)
  expect(starts).toBe(0)
  await Promise.all(['a', 'b', 'c'].map(text => one.run(text)))
  expect(starts).toBe(1)
})

test('a worker can be made ready before there is a text: once, and the first text finds it', async () => {
  let starts = 0
  const one = new WorkerPool({ file, args: [], size: 2, around: start => { starts++; return start() } })
  open.push(one)
  one.warm()
  one.warm()
  expect(starts).toBe(1)
  expect((await one.run('abc')).vector[0]).toBe(3)
  one.warm()
  expect(starts).toBe(1)
})

test('closed: a worker that was made ready and cannot start is told of by the first text', async () => {
  const one = pool(1, ['die-at-start'])
  one.warm()
  await expect(one.run('abc')).rejects.toMatchObject({ code: 'EMBED_FAILED' })
})

test('closed: a worker that still loads is ended at once, and after that none is made ready', async () => {
  let child: ChildProcess | undefined
  const one = new WorkerPool({ file, args: [], size: 1, around: start => child = start() })
  one.warm()
  await one.close()
  expect(child?.signalCode).toBe('SIGKILL')
  one.warm()
  expect(child?.signalCode).toBe('SIGKILL')
})

test('a text that fails says why and leaves the worker alive', async () => {
  const one = pool()
  await expect(one.run('fail')).rejects.toMatchObject({ code: 'EMBED_FAILED', message: expect.stringContaining('this text is not liked') })
  expect((await one.run('ab')).vector[0]).toBe(2)
})

test('close rejects what waits, ends the workers, and refuses later texts with CLOSED', async () => {
  const one = pool()
  await one.run('warm')
  const waiting = Promise.allSettled(['hang', 'hang', 'hang'].map(text => one.run(text)))
  await one.close()
  expect((await waiting).map(each => each.status === 'rejected' && each.reason.code)).toEqual(['CLOSED', 'CLOSED', 'CLOSED'])
  await expect(one.run('a')).rejects.toMatchObject({ code: 'CLOSED' })
})

test('making ready waits for the worker, also for one that cannot start, and rejects for neither', async () => {
  const one = pool()
  await one.warm()
  const before = performance.now()
  expect((await one.run('abc')).vector[0]).toBe(3)
  expect(performance.now() - before).toBeLessThan(1000)
  await one.warm()
  const broken = pool(1, ['die-at-start'])
  await broken.warm()
  await expect(broken.run('a')).rejects.toMatchObject({ code: 'EMBED_FAILED' })
  const closed = pool()
  const ready = closed.warm()
  await closed.close()
  await Promise.all([ready, closed.warm()])
})
