/** Reads what strace -f wrote, for one question: had the log's bytes reached the disk before an effect began? */

export interface Syscall { readonly pid: number, readonly name: string, readonly args: string, readonly result: string }

const WHOLE = /^(\d+)\s+(\w+)\((.*)\)\s+= (-?\d+.*|\?.*)$/
const BEGUN = /^(\d+)\s+(\w+)\((.*?)\s*<unfinished \.\.\.>$/
const RESUMED = /^(\d+)\s+<\.\.\. (\w+) resumed>(.*)\)\s+= (-?\d+.*|\?.*)$/

/** In the order in which they ended. A call that another thread's line cut in two is put together again. */
export function readStrace(text: string): readonly Syscall[] {
  const begun = new Map<string, string>()
  return text.split('\n').flatMap(line => {
    const half = BEGUN.exec(line)
    if (half) {
      begun.set(`${half[1]} ${half[2]}`, half[3] ?? '')
      return []
    }
    const rest = RESUMED.exec(line)
    if (rest) return [{ pid: Number(rest[1]), name: rest[2] ?? '', args: (begun.get(`${rest[1]} ${rest[2]}`) ?? '') + (rest[3] ?? ''), result: rest[4] ?? '' }]
    const whole = WHOLE.exec(line)
    return whole ? [{ pid: Number(whole[1]), name: whole[2] ?? '', args: whole[3] ?? '', result: whole[4] ?? '' }] : []
  })
}

export interface Durability {
  /** Effects (opened witness files), in order. */
  readonly effects: readonly string[]
  /** Effects that began while bytes of the log were written and not yet synced, or before any were. */
  readonly early: readonly string[]
  readonly syncs: number
}

/** @param wal path of the write-ahead log @param witnessDir each file opened in it is an effect */
export function durability(calls: readonly Syscall[], wal: string, witnessDir: string): Durability {
  const effects: string[] = []
  const early: string[] = []
  let fd = ''
  let dirty = false
  let syncs = 0
  let syncsSinceEffect = 0
  for (const call of calls) {
    const target = call.args.split(',')[0] ?? ''
    if (call.name === 'openat' && call.args.includes(`"${wal}"`)) fd = call.result
    else if (call.name === 'openat' && call.args.includes(`"${witnessDir}/`)) {
      effects.push(call.args)
      if (dirty || syncsSinceEffect === 0) early.push(call.args)
      syncsSinceEffect = 0
    } else if (fd !== '' && target === fd && (call.name === 'pwrite64' || call.name === 'write')) dirty = true
    else if (fd !== '' && target === fd && (call.name === 'fdatasync' || call.name === 'fsync') && call.result === '0') {
      dirty = false
      syncs++
      syncsSinceEffect++
    }
  }
  return { effects, early, syncs }
}
