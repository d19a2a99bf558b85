/**
 * Which process is running a call, so that another one can tell later whether it died in the middle. A process id alone is used again
 * after a while; with its start time, the boot and the PID namespace it is not.
 */
import { readFileSync, readlinkSync } from 'node:fs'

export interface ProcessId { readonly pid: number, readonly start: string, readonly boot: string, readonly space: string }

function read(file: string): string | undefined {
  try { return readFileSync(file, 'utf8').trim() } catch { return undefined }
}

/**
 * Fields 3 and 22 of /proc/PID/stat (proc(5)): state, and start in clock ticks since boot. The name before them may hold spaces and
 * brackets. A zombie runs nothing any more, so it has no start.
 */
function startOf(pid: number | 'self'): string | undefined {
  const stat = read(`/proc/${pid}/stat`)
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
}

function namespace(): string {
  try { return readlinkSync('/proc/self/ns/pid') } catch { return '' }
}

let mine: ProcessId | undefined
/** Empty fields where the system does not say (outside Linux). */
export function ownProcess(): ProcessId {
  mine ??= { pid: process.pid, start: startOf('self') ?? '', boot: read('/proc/sys/kernel/random/boot_id') ?? '', space: namespace() }
  return mine
}

/** Another process of this machine, by its number: the one that runs a call which this process only writes down. */
export function otherProcess(pid: number): ProcessId {
  return { ...ownProcess(), pid, start: startOf(pid) ?? '' }
}

/** Is that process certainly gone? In doubt no: a call that still runs must not read `unknown`. */
export function isDead(other: ProcessId, self: ProcessId = ownProcess()): boolean {
  if (other.boot !== self.boot) return other.boot !== '' && self.boot !== ''
  // In another PID namespace (a container) its number means nothing here.
  if (other.space !== self.space) return false
  if (other.start !== '' && self.start !== '') {
    return startOf(other.pid) !== other.start
  }
  return !exists(other.pid)
}

function exists(pid: number): boolean {
  try {
    // Signal 0 sends nothing; it only asks (kill(2)).
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code !== 'ESRCH'
  }
}

export function processText(id: ProcessId): string {
  return JSON.stringify([id.pid, id.start, id.boot, id.space])
}

export function parseProcess(text: string): ProcessId | undefined {
  const parts: unknown = JSON.parse(text)
  if (!Array.isArray(parts)) return undefined
  const [pid, start, boot, space] = parts as unknown[]
  return typeof pid === 'number' && typeof start === 'string' && typeof boot === 'string' && typeof space === 'string' ? { pid, start, boot, space } : undefined
}
