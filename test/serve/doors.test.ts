/** The doors beside HTTP: the Unix socket, standard input, a watched folder. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Place, until, type Outcomes, type Running } from './support.ts'

const place = new Place()
const inbox = join(place.folder, 'inbox')
let server: Running
beforeAll(async () => {
  mkdirSync(inbox, { mode: 0o700 })
  writeFileSync(join(inbox, 'early.txt'), 'write down what was there before')
  server = await place.start(['--stdin', 'lines', '--watch', inbox, '--watch-source', 'inbox'])
})
afterAll(() => place.remove())

const ran = (id: string) => place.recorded().includes(`record ${id}`)
const drop = (name: string, text: string | Buffer) => { const part = join(place.folder, `${name}.new`); writeFileSync(part, text); renameSync(part, join(inbox, name)) }
const gone = (name: string) => until(() => !existsSync(join(inbox, name)))
const eventsOf = (source: string) => place.rows('event').filter(row => row['source'] === source)

describe('the Unix socket', () => {
  test('ingest:owns: without a token an event is of the socket\'s source, with one of the token\'s', async () => {
    const plain = (await server.post({ id: 's1', text: 'write down by socket', source: 'user' }, { socket: true })).json<Outcomes>()
    expect(plain).toMatchObject({ source: 'local', outcomes: [{ kind: 'called' }] })
    const token = place.token('chat', 'chat')
    expect((await server.post({ text: 'hello', sender: 'bob' }, { socket: true, token })).json<Outcomes>().source).toBe('chat:bob')
    expect((await server.post({ text: 'hello' }, { socket: true, token: 'usher-source-wrong' })).status).toBe(401)
  })

  test('it is the owner\'s alone: mode 0600 in a folder of mode 0700', () => {
    expect((statSync(server.socket).mode & 0o777).toString(8)).toBe('600')
    expect((statSync(place.state).mode & 0o777).toString(8)).toBe('700')
  })

  test('a request with a browser\'s marks gets nothing', async () => {
    expect((await server.post({ text: 'hello' }, { socket: true, headers: { origin: 'http://127.0.0.1' } })).status).toBe(403)
    expect((await server.ask('/', { socket: true })).status).toBe(404)
  })
})

describe('standard input', () => {
  test('each line is answered with a line, bad ones too', async () => {
    server.child.stdin?.write('{"id":"i1","text":"write down by line"}\nnonsense\n\n{"id":"i2","text":"hello","source":"user"}\n')
    await until(() => server.out().trim().split('\n').length >= 3)
    const lines = server.out().trim().split('\n').map(line => JSON.parse(line) as Outcomes & { line?: number })
    expect(lines.map(line => [line.source, line.outcomes[0]?.kind])).toEqual([['lines', 'called'], [undefined, 'malformed'], ['lines', 'no-match']])
    expect(ran('i1')).toBe(true)
  })

  test('its end ends nothing else', async () => {
    server.child.stdin?.end('{"id":"last","text":"hello again"}')
    await until(() => server.out().includes('"last"'))
    await sleep(200)
    expect((await server.ask('/healthz')).status).toBe(200)
  })
})

describe('a watched folder', () => {
  test('what was there is read, and moved to done', async () => {
    await gone('early.txt')
    expect(readFileSync(join(inbox, 'done', 'early.txt'), 'utf8')).toBe('write down what was there before')
    await until(() => eventsOf('inbox').some(row => row['kind'] !== 'x'))
    expect(place.recorded().some(line => /^record file-[0-9a-f]{32}-1$/.test(line))).toBe(true)
  })

  test('JSON lines, one JSON object, and plain text', async () => {
    drop('a.jsonl', '{"id":"f1","text":"write down f1"}\n{"id":"f2","text":"write down f2"}\n')
    drop('b.json', '{\n  "id": "f3",\n  "text": "write down f3"\n}\n')
    drop('c.txt', 'hello from a file\n')
    for (const name of ['a.jsonl', 'b.json', 'c.txt']) await gone(name)
    expect(['f1', 'f2', 'f3'].map(ran)).toEqual([true, true, true])
    expect(readdirSync(join(inbox, 'done')).sort()).toEqual(expect.arrayContaining(['a.jsonl', 'b.json', 'c.txt']))
  })

  test('a file that is still being written is not read in part', async () => {
    const file = join(inbox, 'slow.jsonl')
    writeFileSync(file, '{"id":"part","text":"write down the first')
    for (const more of [' half', ' and', ' the second']) { await sleep(500); writeFileSync(file, more, { flag: 'a' }) }
    expect(existsSync(file)).toBe(true)
    writeFileSync(file, '"}\n', { flag: 'a' })
    await gone('slow.jsonl')
    expect(ran('part')).toBe(true)
    writeFileSync(join(inbox, '.hidden.jsonl'), '{"id":"hidden","text":"write down hidden"}')
    writeFileSync(join(inbox, 'x.jsonl.tmp'), '{"id":"tmp","text":"write down tmp"}')
    await sleep(2500)
    expect([ran('hidden'), ran('tmp')]).toEqual([false, false])
  })

  test('a bad file is moved to failed with the reason beside it; what was good in it was handled', async () => {
    drop('mixed.jsonl', '{"id":"m1","text":"write down m1"}\nnot json\n')
    drop('binary.txt', Buffer.from([0xff, 0xfe, 0x00]))
    drop('empty.jsonl', '')
    symlinkSync(join(place.folder, 'log.sqlite'), join(inbox, 'link.txt'))
    for (const name of ['mixed.jsonl', 'binary.txt', 'empty.jsonl', 'link.txt']) {
      await gone(name)
      await until(() => existsSync(join(inbox, 'failed', `${name}.reason.txt`)))
    }
    const reason = (name: string) => readFileSync(join(inbox, 'failed', `${name}.reason.txt`), 'utf8')
    expect(ran('m1')).toBe(true)
    expect(reason('mixed.jsonl')).toMatch(/^line 2: .*\n1 other/)
    expect(reason('binary.txt')).toContain('UTF-8')
    expect(reason('empty.jsonl')).toContain('empty')
    expect(reason('link.txt')).toContain('symbolic link')
    expect(existsSync(place.log)).toBe(true)
    await until(() => server.err().includes('mixed.jsonl'))
  })

  test('a file of the same name, later, is another event; both are kept', async () => {
    drop('again.txt', 'write down again, one')
    await gone('again.txt')
    drop('again.txt', 'write down again, two')
    await gone('again.txt')
    expect(readdirSync(join(inbox, 'done')).filter(name => name.startsWith('again')).sort()).toEqual(['again.1.txt', 'again.txt'])
  })

  test('a file that a crash left behind is handled once', async () => {
    const other = new Place()
    try {
      const folder = join(other.folder, 'inbox')
      mkdirSync(folder, { mode: 0o700 })
      const first = await other.start(['--watch', folder, '--watch-source', 'inbox'])
      writeFileSync(join(folder, 'left.txt'), 'write down what is left')
      // The move to done fails, as if the process had ended before it: the folder is not there any more.
      await until(() => other.recorded().length === 1)
      await first.end('SIGKILL')
      const done = join(folder, 'done', 'left.txt')
      if (existsSync(done)) renameSync(done, join(folder, 'left.txt'))
      await other.start(['--watch', folder, '--watch-source', 'inbox'])
      await until(() => !existsSync(join(folder, 'left.txt')))
      expect(other.recorded()).toHaveLength(1)
    } finally { await other.remove() }
  })

  test('ingest:owns: a folder that others may write into is refused', async () => {
    const other = new Place()
    try {
      const folder = join(other.folder, 'open')
      mkdirSync(folder)
      chmodSync(folder, 0o777)
      await expect(other.start(['--watch', folder, '--watch-source', 'inbox'])).rejects.toThrow(/SERVE_FAILED.*others may write/s)
      await expect(other.start(['--watch', folder])).rejects.toThrow(/BAD_OPTION.*go together/s)
    } finally { await other.remove() }
  })
})
