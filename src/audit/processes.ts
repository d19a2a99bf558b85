/** The processes of one audit, found by a mark in their environment; and whether any of them could still do something by itself. Linux only: elsewhere nothing is found. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The name of the mark. */
export const MARK = 'USHER_AUDIT_MARK'

export interface AuditProcess { readonly pid: number, /** Its number in its own namespace. */ readonly inner: number, readonly program: string }

const text = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // it ended, or is not ours to read
  }
}

const namespaceOf = (pid: string): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`)
  } catch {
    return undefined // it ended, or is not ours to read
  }
}

/** Those that carry the mark and, where they have a namespace of their own, everything else in it: a child may have dropped its environment. */
export function processesOf(mark: string): readonly AuditProcess[] {
  if (!existsSync('/proc/self/environ')) return []
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const marked = new Set(pids.filter(pid => text(`/proc/${pid}/environ`).includes(`${MARK}=${mark}`)))
  const own = namespaceOf('self')
  const apart = new Set([...marked].flatMap(pid => { const space = namespaceOf(pid); return space === undefined || space === own ? [] : [space] }))
  return pids.filter(pid => marked.has(pid) || (apart.size > 0 && apart.has(namespaceOf(pid) ?? ''))).flatMap(pid => {
    const status = text(`/proc/${pid}/status`)
    const inner = Number(/^NSpid:.*?(\d+)\s*$/m.exec(status)?.[1] ?? pid)
    // The first process of the namespace is the audit's own.
    if (/^State:\s+[ZX]/m.test(status) || status === '' || (inner === 1 && !marked.has(pid))) return []
    return [{ pid: Number(pid), inner, program: /^Name:\s+(.*)$/m.exec(status)?.[1] ?? '' }]
  })
}

export function endProcesses(mark: string): void {
  for (const { pid } of processesOf(mark)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}

/** Calls that wait for somebody else, by number: `plain` without any time limit; the others with the place of the limit among the arguments. */
interface Waits { readonly plain: readonly number[], readonly ms: ReadonlyMap<number, number>, readonly pointer: ReadonlyMap<number, number> }
const WAITS: { readonly [arch: string]: Waits | undefined } = {
  // read accept recvfrom recvmsg pause wait4 waitid rt_sigsuspend accept4 | poll epoll_wait epoll_pwait | select futex pselect6 ppoll epoll_pwait2
  x64: { plain: [0, 43, 45, 47, 34, 61, 247, 130, 288], ms: new Map([[7, 2], [232, 3], [281, 3]]), pointer: new Map([[23, 4], [202, 3], [270, 4], [271, 2], [441, 3]]) },
  arm64: { plain: [63, 202, 207, 212, 260, 95, 133, 242], ms: new Map([[22, 3]]), pointer: new Map([[98, 3], [72, 4], [73, 2], [441, 3]]) },
}

/**
 * Nothing in the tree can act by itself within `ms`: every thread waits for input, or for another thread, without a time limit (or with a longer one).
 * A timer that is still to fire shows as a limit. Undefined where that cannot be told.
 */
export function isIdle(mark: string, ms: number): boolean | undefined {
  const waits = WAITS[process.arch]
  if (process.platform !== 'linux' || !waits) return undefined
  const calls = processesOf(mark).flatMap(({ pid }) => threadsOf(pid).map(thread => text(`/proc/${pid}/task/${thread}/syscall`).trim()))
  if (calls.length === 0) return undefined
  if (calls.every(call => call === '')) return undefined
  return calls.every(call => waiting(call, waits, ms))
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return [] // it ended
  }
}

function waiting(call: string, waits: Waits, ms: number): boolean {
  if (call === '') return true // the thread ended
  const [name = '', ...args] = call.split(' ')
  const number = Number(name)
  if (!Number.isInteger(number)) return false
  if (waits.plain.includes(number)) return true
  const [limit, pointer] = [waits.ms.get(number), waits.pointer.get(number)]
  if (limit !== undefined) {
    // A 32-bit figure in a 64-bit register: -1 is no limit.
    const value = Number(BigInt(args[limit] ?? '0') & 0xFFFF_FFFFn)
    return value >= 0x8000_0000 || value > ms
  }
  return pointer !== undefined && Number(args[pointer]) === 0
}
