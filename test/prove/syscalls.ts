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
  /** Effects (opened witness files, each named like its call), in order. */
  readonly effects: readonly string[]
  /** Effects that began before the row of their call was written and synced. */
  readonly early: readonly string[]
  readonly syncs: number
}

/** A call's row as its bytes stand in a page, with the quotes as strace writes them. */
const CALL_ROW = /\\"by\\":\\"router\\",\\"callId\\":\\"([\w-]+)\\"/g

/** @param wal path of the write-ahead log @param witnessDir each file opened in it is an effect of the call that it is named after */
export function durability(calls: readonly Syscall[], wal: string, witnessDir: string): Durability {
  const effects: string[] = []
  const early: string[] = []
  const written = new Set<string>()
  const durable = new Set<string>()
  // The log syncs through a descriptor of its own as well: a sync is one of the file.
  const descriptors = new Set<string>()
  let syncs = 0
  for (const call of calls) {
    const target = call.args.split(',')[0] ?? ''
    if (call.name === 'openat' && call.args.includes(`"${wal}"`)) descriptors.add(call.result)
    else if (call.name === 'openat' && call.args.includes(`"${witnessDir}/`)) {
      const callId = call.args.slice(call.args.indexOf(`"${witnessDir}/`) + witnessDir.length + 2).split('"')[0] ?? ''
      effects.push(callId)
      if (!durable.has(callId)) early.push(callId)
    } else if (descriptors.has(target) && (call.name === 'pwrite64' || call.name === 'write')) {
      for (const [, callId = ''] of call.args.matchAll(CALL_ROW)) written.add(callId)
    } else if (descriptors.has(target) && (call.name === 'fdatasync' || call.name === 'fsync') && call.result === '0') {
      for (const callId of written) durable.add(callId)
      syncs++
    }
  }
  return { effects, early, syncs }
}
