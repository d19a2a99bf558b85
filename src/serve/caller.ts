/** Which process is at the other end of a connection on this machine: for the log, so that a yes on the page can be led back to the program that sent it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { descendsFromCall } from '../approvals/descent.ts'
import type { JsonObject } from '../types.ts'

export interface Ends { readonly remotePort?: number | undefined, readonly localPort?: number | undefined }

/** Connections of one process, so that the answer comes at once where a program has thousands. */
const MAX_FILES = 4_000

/** As the log keeps it; undefined: the system does not show it (not Linux, another user's process, or gone). */
export function callerOf(ends: Ends): JsonObject | undefined {
  const inode = inodeOf(ends)
  const pid = inode === undefined ? undefined : ownerOf(inode)
  if (pid === undefined) return undefined
  const inside = descendsFromCall([], pid)
  return { pid, program: text(`/proc/${pid}/comm`)?.trim() ?? '', ...(inside === undefined ? {} : { inside }) }
}

/** The caller's own row of the table: its local port is our remote one (proc(5), /proc/net/tcp: addresses and ports in hexadecimal, the inode tenth). */
function inodeOf({ remotePort, localPort }: Ends): string | undefined {
  if (remotePort === undefined || localPort === undefined) return undefined
  const port = (field: string | undefined) => Number.parseInt(field?.split(':')[1] ?? '', 16)
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of (text(table) ?? '').split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/)
      if (port(fields[1]) === remotePort && port(fields[2]) === localPort && fields[9] !== '0') return fields[9]
    }
  }
  return undefined
}

function ownerOf(inode: string): number | undefined {
  const wanted = `socket:[${inode}]`
  for (const pid of names('/proc').filter(name => /^\d+$/.test(name))) {
    if (names(`/proc/${pid}/fd`).slice(0, MAX_FILES).some(fd => link(`/proc/${pid}/fd/${fd}`) === wanted)) return Number(pid)
  }
  return undefined
}

// A process may end while it is looked at, and another user's shows nothing: both are no answer, not an error.
const text = (file: string): string | undefined => { try { return readFileSync(file, 'utf8') } catch { return undefined } }
const names = (folder: string): readonly string[] => { try { return readdirSync(folder) } catch { return [] } }
const link = (file: string): string | undefined => { try { return readlinkSync(file) } catch { return undefined } }
