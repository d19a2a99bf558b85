import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseStrace, straceArgs, StraceReader } from '../../src/effects/strace.ts'
import type { Effect } from '../../src/types.ts'
import { makeWorld, type World } from './tables/world.ts'

const brief = (effects: readonly Effect[]) => effects.map(({ kind, target }) => `${kind} ${target}`)
const of = (...lines: readonly string[]) => brief(parseStrace(lines.map(line => `7 100.5 ${line}`), '/home'))

describe('what a line means', () => {
  test.each([
    ['execve("/usr/bin/git", ["git", "push"], 0x7ffd /* 35 vars */) = 0', 'process.start /usr/bin/git'],
    ['execve("/bin/sh", ["sh", "-c", "xdg-open \'http://a/?b\'"], 0x7ffd /* 3 vars */) = 0', 'process.start xdg-open'],
    ['execve("/bin/sh", ["sh", "-c", "a | b"], 0x7ffd /* 3 vars */) = 0', 'process.start /bin/sh'],
    ['openat(AT_FDCWD</w>, "a.txt", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</w/a.txt>', 'fs.write /w/a.txt'],
    ['openat(AT_FDCWD</w>, "link", O_RDWR) = 3</real/file>', 'fs.write /real/file'],
    ['openat(5</srv>, "b", O_RDWR|O_CREAT, 0644) = 6', 'fs.write /srv/b'],
    ['creat("c", 0644) = 3</home/c>', 'fs.write /home/c'],
    ['unlink("pyout2 \\303\\244,<b>.txt") = 0', 'fs.delete /home/pyout2 ä,<b>.txt'],
    ['unlinkat(AT_FDCWD</w>, "d\\"q\\\\", 0) = 0', 'fs.delete /w/d"q\\'],
    ['rmdir("/x")     = 0', 'fs.delete /x'],
    ['rename("a", "b") = 0', 'fs.rename /home/b'],
    ['renameat2(AT_FDCWD</w>, "a", 4</v>, "b", RENAME_NOREPLACE) = 0', 'fs.rename /v/b'],
    ['mkdir("pd", 0777) = 0', 'fs.write /home/pd'],
    ['symlink("/etc/passwd", "l") = 0', 'fs.write /home/l'],
    ['ftruncate(3</home/f>, 0) = 0', 'fs.write /home/f'],
    ['fchmodat(AT_FDCWD</w>, "f", 0600) = 0', 'fs.chmod /w/f'],
    ['fchmod(3</w/f>, 0600) = 0', 'fs.chmod /w/f'],
    ['utimensat(AT_FDCWD</w>, "f", NULL, 0) = 0', 'fs.chmod /w/f'],
    ['utimensat(1</w/f>, NULL, NULL, 0) = 0', 'fs.chmod /w/f'],
    ['kill(8, SIGTERM) = 0', 'process.signal 8'],
    ['connect(3<TCP:[87986]>, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("203.0.113.9")}, 16) = -1 EINPROGRESS (Operation now in progress)', 'net.connect 203.0.113.9:443'],
    ['connect(3<TCPv6:[1]>, {sa_family=AF_INET6, sin6_port=htons(80), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr), sin6_scope_id=0}, 28) = -1 ENETUNREACH (Network is unreachable)', 'net.connect [2001:db8::1]:80'],
    ['connect(3<UNIX-STREAM:[1]>, {sa_family=AF_UNIX, sun_path="/run/x.sock"}, 110) = 0', 'net.connect unix:/run/x.sock'],
    ['connect(3<UNIX-STREAM:[1]>, {sa_family=AF_UNIX, sun_path=@"/tmp/.X11-unix/X0"}, 20) = 0', 'net.connect unix:@/tmp/.X11-unix/X0'],
    ['bind(3<TCP:[1]>, {sa_family=AF_INET, sin_port=htons(8080), sin_addr=inet_addr("0.0.0.0")}, 16) = 0', 'net.listen 0.0.0.0:8080'],
    ['sendto(3<UDP:[1]>, "hi", 2, 0, {sa_family=AF_INET, sin_port=htons(9999), sin_addr=inet_addr("127.0.0.1")}, 16) = 2', 'udp.send 127.0.0.1:9999'],
    ['sendto(3<UDP:[10.0.0.1:5->10.0.0.2:514]>, "x", 1, 0, NULL, 0) = 1', 'udp.send 10.0.0.2:514'],
    ['connect(4<UDP:[1]>, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("9.9.9.9")}, 16) = -1 ENETUNREACH (Network is unreachable)', 'udp.send 9.9.9.9:53'],
  ])('effect:observed: %s', (line, expected) => {
    expect(of(line)).toEqual([expected])
  })

  test('effect:observed: a name look-up is read out of the datagram', () => {
    const line = 'sendmmsg(4<UDP:[192.0.2.2:4->10.0.0.53:53]>, [{msg_hdr={msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base="\\223\\21\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0\\1a\\7invalid\\0\\0\\1\\0\\1", iov_len=27}], msg_iovlen=1}, msg_len=27}], 1, MSG_NOSIGNAL) = 1'
    expect(of(line)).toEqual(['udp.send 10.0.0.53:53', 'dns.lookup a.invalid'])
  })

  test.each([
    'openat(AT_FDCWD</w>, "a", O_RDONLY|O_CLOEXEC) = 3</w/a>',
    'openat(AT_FDCWD</w>, "/dev/null", O_WRONLY|O_CREAT) = 3</dev/null<char 1:3>>',
    'openat(AT_FDCWD</w>, "a", O_WRONLY|O_CREAT, 0666) = -1 EACCES (Permission denied)',
    'execve("/usr/local/bin/git", ["git"], 0x1 /* 3 vars */) = -1 ENOENT (No such file or directory)',
    'connect(4<UNIX-STREAM:[1]>, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT (No such file or directory)',
    'connect(4<UDP:[1]>, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("9.9.9.9")}, 16) = 0',
    'connect(4<NETLINK:[1]>, {sa_family=AF_NETLINK, nl_pid=0, nl_groups=00000000}, 12) = 0',
    'sendto(3<TCP:[1:1->2:2]>, "GET /", 5, MSG_NOSIGNAL, NULL, 0) = 5',
    'kill(7, SIGTERM) = 0',
    'kill(8, 0) = 0',
    '--- SIGCHLD {si_signo=SIGCHLD} ---',
    '+++ exited with 0 +++',
    'vfork( <unfinished ...>',
  ])('effect:observed: no effect: %s', line => {
    expect(of(line)).toEqual([])
  })
})

describe('the order of lines', () => {
  test('effect:observed: calls that were cut in two are put together by process', () => {
    expect(brief(parseStrace([
      '7 1.0 openat(AT_FDCWD</w>, "one, (two)", O_WRONLY|O_CREAT, 0666 <unfinished ...>',
      '8 1.1 unlink("x" <unfinished ...>',
      '7 1.2 <... openat resumed>) = 3</w/one, (two)>',
      '8 1.3 <... unlink resumed>)        = 0',
    ], '/h'))).toEqual(['fs.write /w/one, (two)', 'fs.delete /h/x'])
  })

  test('effect:observed: relative names follow each process\'s working folder, also of a child before its fork has returned', () => {
    expect(brief(parseStrace([
      '7 1.0 chdir("a") = 0',
      '7 1.1 vfork( <unfinished ...>',
      '8 1.2 unlink("x") = 0',
      '8 1.3 chdir("b") = 0',
      '8 1.4 unlink("y") = 0',
      '7 1.5 <... vfork resumed>) = 8',
      '7 1.6 unlink("z") = 0',
      '8 1.7 unlink("w") = 0',
    ], '/h'))).toEqual(['fs.delete /h/a/x', 'fs.delete /h/a/b/y', 'fs.delete /h/a/z', 'fs.delete /h/a/b/w'])
  })

  test('effect:observed: lines that are none are counted and skipped, and a piece may end anywhere', () => {
    const text = '7 1.0 unlink("x") = 0\nrubbish\n7 1.1 unlink(\n7 1.2 unlink("y") = 0\n'
    const reader = new StraceReader('/h')
    const seen = [...text].flatMap(char => reader.push(char, 'c'))
    expect(brief(seen)).toEqual(['fs.delete /h/x', 'fs.delete /h/y'])
    expect(seen[0]).toMatchObject({ callId: 'c', watcher: 'strace', at: 1000, detail: { pid: 7, syscall: 'unlink' } })
    expect(reader.malformed).toBe(2)
  })
})

const traces = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0

describe.skipIf(!traces)('a real trace', () => {
  let world: World
  beforeEach(async () => { world = await makeWorld() })
  afterEach(() => world.close())

  const trace = (...command: readonly string[]): { readonly effects: readonly Effect[], readonly stdout: string, readonly malformed: number } => {
    const file = join(world.dir, 'trace')
    const [program = '', ...args] = [...straceArgs(file), ...command]
    const { stdout } = spawnSync(program, args, { encoding: 'utf8', cwd: world.folder })
    const reader = new StraceReader(world.folder)
    return { effects: reader.push(readFileSync(file, 'utf8'), 'c'), stdout, malformed: reader.malformed }
  }

  test('effect:observed: a program in no language of ours, by relative names', () => {
    const { effects, malformed } = trace('sh', '-c', 'touch "new, file" && mv "new, file" moved && rm moved && mkdir made && chmod 700 made')
    const own = brief(effects).filter(effect => effect.includes(world.folder))
    expect(own).toEqual(['fs.write new, file', 'fs.chmod new, file', 'fs.rename moved', 'fs.delete moved', 'fs.write made', 'fs.chmod made'].map(effect => effect.replace(/ /, ` ${world.folder}/`)))
    expect(brief(effects)).toEqual(expect.arrayContaining([expect.stringMatching(/^process\.start .*\/touch$/), expect.stringMatching(/^process\.start .*\/rm$/)]))
    expect(malformed).toBe(0)
  })

  test('effect:observed: a Node child, its connection and its threads', () => {
    const acts = fileURLToPath(new URL('../fixtures/effects/acts.mjs', import.meta.url))
    const { effects, stdout, malformed } = trace(process.execPath, acts, 'worker', world.fresh)
    expect(stdout).toBe('done\n')
    expect(brief(effects)).toContain(`fs.write ${world.fresh}`)
    expect(malformed).toBe(0)
    // Nobody listens on port 1: an attempt counts.
    expect(brief(trace(process.execPath, acts, 'connect', '', '1').effects)).toContain('net.connect 127.0.0.1:1')
  })
})
