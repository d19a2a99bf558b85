import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { diskPlan } from '../../src/audit/isolate.ts'
import { merge, type MergeOptions, type Sighting } from '../../src/audit/merge.ts'
import { OpenConnections } from '../../src/audit/open-connections.ts'
import { endProcesses, isIdle, MARK, processesOf } from '../../src/audit/processes.ts'

const line = (at: string): string => `1 2 3:4 / ${at} rw - ext4 /dev/x rw`

describe('the plan for the disk', () => {
  test('every folder of the root gets an overlay, and the kernel\'s own none', () => {
    const { overlay } = diskPlan(line('/'))
    expect(overlay).toContain('/etc')
    expect(overlay.filter(path => /^\/(proc|sys|dev|run)/.test(path))).toEqual([])
  })

  test('a mount below another is covered for itself, and the upper one is made read-only', () => {
    const plan = diskPlan(['/', '/home', '/home/me/data', '/home/me/odd\\040name', '/proc', '/run/user/1'].map(line).join('\n'))
    expect(plan.overlay).toContain('/home/me/data')
    expect(plan.overlay).not.toContain('/home')
    expect(plan.readOnly).toEqual(['/', '/home', '/home/me/odd name'])
  })
})

describe.skipIf(process.platform !== 'linux')('is anything still to come?', () => {
  const started = async (code: string, ready = true) => {
    const mark = `test-${Math.random().toString(16).slice(2)}`
    const child = spawn(process.execPath, ['-e', `${code};${ready ? 'console.log(1)' : ''}`], { env: { PATH: process.env['PATH'], [MARK]: mark }, stdio: ['pipe', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    return { mark, child }
  }
  const settledAs = async (mark: string, ms: number, wanted: boolean): Promise<boolean> => {
    for (let tries = 0; tries < 400; tries++) {
      if (isIdle(mark, ms) === wanted) return true
      await new Promise(resolve => { setTimeout(resolve, 10) })
    }
    return false
  }

  test('a process that waits for its input is idle; one with a timer is not, unless it fires later than anybody waits', async () => {
    const waiting = await started('process.stdin.resume()')
    const timed = await started('setTimeout(() => 0, 60000)')
    expect(await settledAs(waiting.mark, 2000, true)).toBe(true)
    expect(isIdle(timed.mark, 120_000)).toBe(false)
    expect(await settledAs(timed.mark, 2000, true)).toBe(true)
    for (const { mark, child } of [waiting, timed]) {
      endProcesses(mark)
      await once(child, 'exit')
      expect(processesOf(mark)).toEqual([])
    }
  })
})

describe('data over a connection that was open before', () => {
  const traced = (...calls: readonly string[]) => new OpenConnections().push(calls.map(call => `7 100.5 ${call}\n`).join('')).map(({ kind, target }) => `${kind} ${target}`)
  const tcp = 'connect(20<TCP:[55]>, {sa_family=AF_INET, sin_port=htons(5432), sin_addr=inet_addr("203.0.113.5")}, 16) = 0'

  test('is told with the place; replies of an own server are not', () => {
    expect(traced(tcp, 'write(20<TCP:[10.0.0.1:40000->203.0.113.5:5432]>, "x", 1) = 1')).toEqual(['net.connect 203.0.113.5:5432'])
    expect(traced(tcp, 'write(21<TCP:[127.0.0.1:8080->127.0.0.1:40001]>, "x", 1) = 1')).toEqual([])
  })

  test('a local socket is known by the name it was connected to; pipes and standard streams are not meant', () => {
    expect(traced('connect(9<UNIX-STREAM:[77]>, {sa_family=AF_UNIX, sun_path="/srv/db.sock"}, 110) = 0', 'writev(9<UNIX-STREAM:[77->78]>, [{iov_base="x", iov_len=1}], 1) = 1')).toEqual(['net.connect unix:/srv/db.sock'])
    expect(traced('write(1<UNIX-STREAM:[5->6]>, "x", 1) = 1', 'write(3<pipe:[9]>, "x", 1) = 1', 'write(20<TCP:[1.1.1.1:1->2.2.2.2:2]>, "x", 1) = -1 EPIPE (Broken pipe)')).toEqual([])
  })
})

describe('what several watchers saw', () => {
  const options: MergeOptions = { bin: '/s/watch/bin', work: '/s/work', names: new Map([['198.18.0.1', 'api.example']]), temporary: (_kind, path) => path.startsWith('/s/tmp/'), hide: text => text.replaceAll('/s/', '{scratch}/'), replyAt: 1000 }
  const seen = (kind: string, target: string, watcher: string, more: Partial<Sighting> = {}): Sighting => ({ kind, target, watcher, at: 500, ...more })

  test('is one effect, told by the one who knows most, with the names of all', () => {
    expect(merge([seen('process.start', '/s/watch/bin/curl', 'strace', { args: ['-s'] }), seen('process.start', 'curl', 'launchers', { args: ['-s'] }), seen('process.start', 'curl', 'node-child')], options))
      .toEqual([{ kind: 'process.start', target: 'curl', watcher: 'launchers', also: ['node-child', 'strace'], level: 'acts', args: ['-s'] }])
  })

  test('an address has the name it was given for', () => {
    expect(merge([seen('net.connect', '198.18.0.1:443', 'strace'), seen('net.connect', 'api.example:443', 'sink')], options).map(effect => effect.target)).toEqual(['api.example:443'])
  })

  test('a name server is no place of its own', () => {
    expect(merge([seen('udp.send', '10.0.0.53:53', 'strace'), seen('dns.lookup', 'a.example', 'strace')], options).map(effect => effect.kind)).toEqual(['dns.lookup'])
  })

  test('what came after the reply says so; where the time is not known it does not', () => {
    expect(merge([seen('fs.write', '/s/work/a', 'files', { at: 2000 }), seen('fs.delete', '/s/work/b', 'files', { at: 0 })], options).map(effect => effect.afterReply)).toEqual([true, undefined])
  })

  test('canaries that went out are named, and temporary files are only to be looked at', () => {
    expect(merge([seen('http.request', 'POST http://x.example', 'sink', { sent: 'POST /\nto=usher-canary-to' }), seen('fs.write', '/s/tmp/x', 'files')], options).map(({ level, carries }) => ({ level, carries }))).toEqual([{ level: 'acts', carries: ['usher-canary-to'] }, { level: 'look here', carries: undefined }])
  })
})
