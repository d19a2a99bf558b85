/** The small parts by themselves: which of an edit's routes decide, who is let in, what is kept, what a service manager is given. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseRoutes } from '../../src/routes/load.ts'
import { Closers } from '../../src/serve/closers.ts'
import { refusal } from '../../src/serve/guard.ts'
import { launchdFile, systemdUnit } from '../../src/serve/service-file.ts'
import { settleRoutes } from '../../src/serve/settle-routes.ts'
import { Spool } from '../../src/serve/spool.ts'
import type { Event } from '../../src/types.ts'
import { BIN, scratch } from '../cli/usher.ts'

const folder = mkdtempSync(join(tmpdir(), 'usher-serve-parts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('which routes of an edit decide (control:human)', () => {
  const route = (name: string, more: string) => `  - name: ${name}\n    tool: t\n    triggers: ["${name} it"]\n    must_fire: ["${name} it"]\n    must_not_fire: ["why ${name} it?"]\n${more}`
  const table = (...routes: string[]) => parseRoutes(`version: 1\nroutes:\n${routes.join('')}`)
  const [a, b] = [route('open', '    from: [user, chat]\n'), route('close', '    from: [user]\n')]
  const names = (settled: ReturnType<typeof settleRoutes>) => [...settled.table.routes.values()].map(({ name, from }) => `${name}:${from.join('+')}`)

  test('control:human: what narrows decides, what widens does not, whatever else is in the edit', () => {
    const accepted = table(a, b)
    const next = table(route('open', '    from: [user]\n'), route('close', '    from: [user, webhook]\n'), route('fresh', ''))
    const settled = settleRoutes(accepted, accepted, next)
    expect(names(settled)).toEqual(['open:user', 'close:user'])
    expect(settled.waiting.filter(change => change.widens).map(change => change.route)).toEqual(['close', 'fresh'])
  })

  test('control:human: what was narrowed and then widened beyond what was accepted stays narrow', () => {
    const accepted = table(a, b)
    const narrowed = table(route('open', '    from: [user]\n'), b)
    const settled = settleRoutes(accepted, narrowed, table(route('open', '    from: [user, chat, webhook]\n'), b))
    expect(names(settled)).toEqual(['open:user', 'close:user'])
    expect(names(settleRoutes(accepted, narrowed, accepted))).toEqual(['open:user+chat', 'close:user'])
  })

  test('control:human: a route that was taken out does not come back wider, and one mixed in is all or nothing', () => {
    const accepted = table(a, b)
    const settled = settleRoutes(accepted, table(b), table(route('open', '    from: [user, chat, webhook]\n'), b))
    expect(names(settled)).toEqual(['close:user'])
    const mixed = settleRoutes(accepted, accepted, table(route('open', '    from: [user]\n    allow: [browser.open]\n'), b))
    expect(names(mixed)).toEqual(['open:user+chat', 'close:user'])
    expect(mixed.waiting).toHaveLength(2)
  })

  test('nothing waits where nothing widens', () => {
    const accepted = table(a, b)
    expect(settleRoutes(accepted, accepted, accepted)).toEqual({ table: accepted, waiting: [] })
    expect(names(settleRoutes(accepted, accepted, table(b)))).toEqual(['close:user'])
  })
})

describe('who is let in', () => {
  const asked = (url: string, ...raw: string[]) => ({ url, rawHeaders: raw, headers: Object.fromEntries(raw.flatMap((value, at) => at % 2 === 1 ? [[raw[at - 1]?.toLowerCase(), value]] : [])) }) as unknown as IncomingMessage
  const reason = (...raw: string[]) => refusal(asked('/', ...raw), 8123)?.reason
  test('one host, our own, in whatever letters', () => {
    expect([reason('Host', '127.0.0.1:8123'), reason('host', 'LOCALHOST:8123')]).toEqual([undefined, undefined])
    for (const host of ['', '127.0.0.1', '127.0.0.1:80', '127.0.0.1:8123.evil.example', '[::1]:8123', '0.0.0.0:8123', '127.1:8123', 'localhost:8123@evil', ' 127.0.0.1:8123', '127.0.0.1:08123', '2130706433:8123', 'localhost.:8123']) expect([host, reason('Host', host)]).toEqual([host, 'host'])
    expect([reason(), reason('Host', '127.0.0.1:8123', 'HOST', 'evil.example')]).toEqual(['host', 'host'])
    expect(refusal(asked('/', 'Host', '127.0.0.1'), 80)).toBeUndefined()
  })
  test('no other origin, and no absolute target', () => {
    const own = ['Host', 'localhost:8123'] as const
    expect([reason(...own, 'Origin', 'http://localhost:8123'), reason(...own, 'Sec-Fetch-Site', 'none')]).toEqual([undefined, undefined])
    for (const origin of ['', 'null', 'https://localhost:8123', 'http://127.0.0.1:8123', 'http://localhost:8123/', 'http://localhost', 'http://evil.example', 'file://']) expect([origin, reason(...own, 'Origin', origin)]).toEqual([origin, 'origin'])
    for (const site of ['cross-site', 'same-site', '', 'x']) expect([site, reason(...own, 'Sec-Fetch-Site', site)]).toEqual([site, 'origin'])
    for (const url of ['http://evil.example/', '*', '', 'evil']) expect(refusal(asked(url, ...own), 8123)?.reason).toBe('target')
  })
})

describe('what was accepted with 202', () => {
  const event = (id: string, text = 'x'): Event => ({ id, source: 'user', text, at: 1 })
  const ids = (spool: Spool) => spool.pending.map(({ id }) => id)

  test('is there after a crash, without what was handled and what was cut off', () => {
    const file = join(folder, 'spool.jsonl')
    const first = new Spool(file)
    first.keep([event('a'), event('b'), event('c')])
    first.done(event('b'))
    appendFileSync(file, '{"keep":{"id":"cut","source":"us')
    const second = new Spool(file)
    expect(ids(second)).toEqual(['a', 'c'])
    second.done(event('a'))
    second.done(event('c'))
    second.done(event('never'))
    expect(readFileSync(file, 'utf8')).toBe('')
    second.close()
    first.close()
  })

  test('does not grow for ever while something always waits', () => {
    const file = join(folder, 'long.jsonl')
    const spool = new Spool(file)
    spool.keep([event('stays')])
    for (let nth = 0; nth < 60; nth++) { spool.keep([event(`n${nth}`, 'y'.repeat(500_000))]); spool.done(event(`n${nth}`)) }
    expect(readFileSync(file).length).toBeLessThan(18 * 1024 * 1024)
    expect(ids(new Spool(file))).toEqual(['stays'])
    spool.close()
  })

  test('closed: a file that others can read is refused', () => {
    const file = join(folder, 'open.jsonl')
    writeFileSync(file, '')
    chmodSync(file, 0o644)
    expect(() => new Spool(file)).toThrow(/mode 644/)
  })
})

test('what was opened is closed in reverse, all of it, and the first failure is told', async () => {
  const closed: number[] = []
  const closers = new Closers()
  for (const nth of [1, 2, 3]) closers.add(() => { closed.push(nth); if (nth > 1) throw new Error(`no ${nth}`) })
  await expect(closers.all()).rejects.toThrow('no 3')
  expect(closed).toEqual([3, 2, 1])
  await closers.all()
})

describe('service files', () => {
  const command = ['/usr/bin/node', '/opt/my "usher"/bin.js', 'serve', '--log', '/home/a/50% $HOME\\x', '<&>']
  test('systemd: nothing of an argument is a quote, a specifier or a variable', () => {
    const text = systemdUnit({ command, folder: '/home/a b/50%' })
    expect(text).toContain('ExecStart="/usr/bin/node" "/opt/my \\"usher\\"/bin.js" "serve" "--log" "/home/a/50%% $$HOME\\\\x" "<&>"\n')
    expect(text).toContain('WorkingDirectory=/home/a b/50%%\n')
    expect(() => systemdUnit({ command: ['a\nExecStartPre=/bin/evil'], folder: '/' })).toThrow(/line break/)
  })
  test('launchd: a property list whose texts are the arguments', () => {
    const text = launchdFile({ command, folder: '/home/a&b' })
    const strings = [...text.matchAll(/^ {4}<string>(.*)<\/string>$/gm)].map(found => found[1]?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'))
    expect(strings).toEqual(command)
    expect(() => launchdFile({ command, folder: '/\u0000' })).toThrow(/line break/)
    const parsed = spawnSync('python3', ['-c', 'import plistlib,sys,json; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())["ProgramArguments"]))'], { input: text, encoding: 'utf8' })
    expect(JSON.parse(parsed.stdout)).toEqual(command)
  })
  test('usher service prints them, with what follows -- for usher serve', () => {
    const place = scratch()
    const unit = place.run(['service', '--for', 'systemd', '--', '--port', '8123', '--no-reader'])
    expect([unit.status, unit.stdout]).toEqual([0, expect.stringContaining(`"${BIN}" "serve" "--port" "8123" "--no-reader"`)])
    expect(place.run(['service', '--for', 'launchd', '--json']).json()).toMatchObject({ for: 'launchd', text: expect.stringContaining('<plist') as string })
    expect(place.run(['service', '--for', 'toString']).status).toBe(2)
    place.remove()
  })
})

describe('usher token', () => {
  test('ingest:owns: adds, lists and revokes; the token is shown once and kept nowhere', () => {
    const place = scratch()
    const made = place.run(['token', 'add', 'ci', '--source', 'webhook'])
    expect([made.status, made.stdout]).toEqual([0, expect.stringMatching(/^usher-source-[A-Za-z0-9_-]{43}\n$/)])
    expect(made.stderr).toContain('no passphrase is set')
    const kept = readFileSync(join(place.folder, 'state/usher/tokens.json'), 'utf8')
    expect(kept).not.toContain(made.stdout.trim())
    expect(place.run(['token', 'list', '--json']).json()).toMatchObject([{ name: 'ci', source: 'webhook', answers: 'full' }])
    expect(place.run(['token', 'list']).stdout).toContain('webhook')
    expect(place.run(['token', 'add', 'ci', '--source', 'chat']).status).toBe(2)
    expect(place.run(['token', 'add', 'x', '--source', 'call:model']).status).toBe(2)
    expect(place.run(['token', 'add', 'x', '--source', 'chat', '--answers', 'constructor']).status).toBe(2)
    expect([place.run(['token', 'revoke', 'ci']).status, place.run(['token', 'revoke', 'ci']).status]).toEqual([0, 2])
    expect(place.run(['token', 'list']).stdout).toBe('no tokens\n')
    place.remove()
  })
})
