/**
 * Which process is the agent's runtime: the one above the shell that started this hook. A shell or a wrapper is gone at once, and a call must not
 * read as cut off with it: so only what is known to be a runtime is one, and else nobody is.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ash', 'fish', 'ksh', 'busybox', 'npx', 'npm exec'])
const RUNTIMES = /^(?:claude|node|MainThread|bun|deno|electron)/i
const MAX_STEPS = 8

interface Above { readonly parent: number, readonly name: string }

function look(pid: number): Above | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(parent), name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')) }
  } catch {
    const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8', timeout: 1000 })
    const [, parent, name] = /^\s*(\d+)\s+(.+?)\s*$/.exec(stdout ?? '') ?? []
    return parent === undefined || name === undefined ? undefined : { parent: Number(parent), name: name.split('/').at(-1) ?? name }
  }
}

export function runtimeProcess(from: number = process.ppid): number | null {
  let pid = from
  for (let step = 0; step < MAX_STEPS; step++) {
    const above = look(pid)
    if (!above) return null
    if (RUNTIMES.test(above.name)) return pid
    if (!SHELLS.has(above.name.replace(/^-/, ''))) return null
    pid = above.parent
  }
  return null
}
