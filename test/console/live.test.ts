import { expect, test } from 'vitest'
import { actOf, callOf, decisionOf, endOf, eventOf, tempLog, wholeCall } from '../log/support/rows.ts'
import { openPage } from './support/page.ts'

async function* messages(response: Response): AsyncGenerator<{ event: string, data: string }> {
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString()
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = new Map(text.slice(0, end).split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]))
      text = text.slice(end + 2)
      yield { event: fields.get('event') ?? '', data: fields.get('data') ?? '' }
    }
  }
}

test('an open page hears that rows came, how many lines they are, and nothing of what is in them', async () => {
  const { log, file } = tempLog()
  wholeCall(log)
  const page = await openPage({ log: file })
  const seq = Number(/data-seq="(\d+)"/.exec((await page.get('/')).text)?.[1])
  const stream = await fetch(`${page.origin}/live?after=${seq}`, { headers: { authorization: `Bearer ${page.token}` } })
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  const heard = messages(stream)
  expect((await heard.next()).value).toEqual({ event: 'still', data: '' })
  log.event(eventOf({ eventId: 'e-2', senderId: 's-2', text: 'a secret word' }))
  log.decision(decisionOf({ eventId: 'e-2', decisionId: 'd-2', callId: 'c-2' }))
  log.begin(callOf({ eventId: 'e-2', decisionId: 'd-2', callId: 'c-2' }))
  log.end(endOf({ callId: 'c-2' }))
  const said: string[] = []
  const news: { seq: number, entries: number }[] = []
  while (news.at(-1)?.seq !== seq + 4) {
    const { value } = await heard.next()
    said.push(value?.data ?? '')
    if (value?.event === 'news') news.push(JSON.parse(value.data) as { seq: number, entries: number })
  }
  expect(said.join()).not.toContain('secret')
  expect(news.reduce((sum, one) => sum + one.entries, 0)).toBe(1)
  await stream.body?.cancel().catch(() => undefined)
})

test('what came between the page and its stream is heard at once', async () => {
  const { log, file } = tempLog()
  const page = await openPage({ log: file })
  await page.get('/')
  wholeCall(log)
  log.act(actOf())
  const stream = await fetch(`${page.origin}/live?after=1`, { headers: { authorization: `Bearer ${page.token}` } })
  const { value } = await messages(stream).next()
  expect(value).toMatchObject({ event: 'news' })
  expect(JSON.parse(value?.data ?? '{}')).toMatchObject({ entries: 1 })
})

test('a server with too many open pages says so, and one that closes ends its streams', async () => {
  const { file } = tempLog()
  const page = await openPage({ log: file })
  const headers = { authorization: `Bearer ${page.token}` }
  const open = await Promise.all(Array.from({ length: 32 }, () => fetch(`${page.origin}/live`, { headers })))
  expect(open.every(one => one.status === 200)).toBe(true)
  expect((await fetch(`${page.origin}/live`, { headers })).status).toBe(503)
})
