/** Is this process, or the one that asks, a child of a tool call? What a tool starts must not say yes in its owner's name. */
import { readFileSync } from 'node:fs'
import { parseProcess, type ProcessId } from '../log/process-id.ts'

/** Set for what runs tools' servers and watched children; a child may drop it, an ancestor that still runs shows it all the same. */
export const CALL_MARKS: readonly string[] = ['USHER_TOOL_CALL', 'USHER_EFFECTS_REPORT']

interface Ancestor { readonly pid: number, readonly ppid: number, readonly start: string, readonly marks: readonly string[] }

/** Fields 4 and 22 of /proc/PID/stat (proc(5)); the name before them may hold spaces and brackets. */
function look(pid: number): Ancestor | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { pid, ppid: Number(fields[1]), start: fields[19] ?? '', marks: marksOf(pid) }
  } catch {
    return undefined // gone, or not Linux: the system does not show it
  }
}

/** Another user's environment cannot be read; it is none of our children then. */
function marksOf(pid: number): readonly string[] {
  try {
    const names = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').map(entry => entry.split('=', 1)[0] ?? '')
    return CALL_MARKS.filter(mark => names.includes(mark))
  } catch {
    return []
  }
}

const MAX_STEPS = 200

/**
 * Why the process counts as a child of a tool call, in words; undefined: nothing shows that it is.
 * @param runtimes processes that run tools, as `processText` writes them @param from the first process to look at; default: this one, of which only the environment counts
 */
export function descendsFromCall(runtimes: readonly string[], from: number = process.pid): string | undefined {
  const known = new Map(runtimes.flatMap(text => { const id = parseProcess(text); return id ? [[id.pid, id] as const] : [] }))
  const isRuntime = (one: Ancestor): boolean => { const id: ProcessId | undefined = known.get(one.pid); return id !== undefined && (id.start === '' || id.start === one.start) }
  let pid = from
  for (let step = 0; step < MAX_STEPS && pid > 1; step++) {
    const one = look(pid)
    if (!one) return undefined
    if (one.marks[0]) return `process ${pid}${pid === from ? '' : ', above it,'} carries ${one.marks[0]}: it was started for a tool call`
    // A runtime itself is no tool call of its own: what its page or its owner does in it is judged by other means.
    if (pid !== from && isRuntime(one)) return `process ${pid}, above it, is a runtime that runs tools`
    pid = one.ppid
  }
  return undefined
}
