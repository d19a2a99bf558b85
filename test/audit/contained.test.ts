import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditReport } from '../../src/audit/report.ts'
import { ROOT } from '../rules/source-files.ts'
import { auditOf, HAS, node, zoo } from './support.ts'

describe.skipIf(!HAS.unshare)('nothing of an audit reaches the network or the owner\'s files', () => {
  let folder: string
  let owned: string
  let report: AuditReport
  const arrived: string[] = []
  const servers: Server[] = []
  const listening = async (where: number | string): Promise<Server> => {
    const server = createServer(socket => { arrived.push(String(where)); socket.on('error', () => undefined).end() }).listen(typeof where === 'number' ? { port: where, host: '127.0.0.1' } : where)
    servers.push(server)
    await once(server, 'listening')
    return server
  }

  beforeAll(async () => {
    // Not in a temporary folder: writes there are told apart.
    mkdirSync(join(ROOT, '.usher'), { recursive: true })
    folder = mkdtempSync(join(ROOT, '.usher', 'owner-'))
    owned = join(folder, 'diary.txt')
    writeFileSync(owned, 'as it was')
    const udp = createSocket('udp4').on('message', () => arrived.push('udp'))
    udp.bind(0, '127.0.0.1')
    await once(udp, 'listening')
    const tcp = await listening(0)
    await listening(join(folder, 'host.sock'))
    report = await auditOf(node(zoo('reach.mjs'), String((tcp.address() as AddressInfo).port), String(udp.address().port), join(folder, 'host.sock'), owned))
    udp.close()
  })
  afterAll(() => {
    for (const server of servers) server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('each attempt was made, and seen', () => {
    expect(report.tools.filter(one => one.calls.some(call => call.verdict === 'fail')).map(one => one.name)).toEqual(['host_tcp', 'host_udp', 'host_unix', 'owner_write', 'owner_delete', 'home_write'])
  })

  test('no connection and no datagram arrived at the host', () => {
    expect(arrived).toEqual([])
  })

  test('the owner\'s files are as they were', () => {
    expect(readFileSync(owned, 'utf8')).toBe('as it was')
    expect(existsSync(join(userInfo().homedir, '.usher-zoo-was-here'))).toBe(false)
  })

  test('nothing of the audit is left: no scratch folder, no process', () => {
    const mine = report.server
    const alive = readdirSync('/proc').filter(name => /^\d+$/.test(name)).filter(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(mine)
      } catch {
        return false
      }
    })
    expect(alive).toEqual([])
  })
})
