/**
 * Events from a watched folder: whoever may write into it speaks as its source. Each file is read once it is whole, and then moved to `done`,
 * or to `failed` with the reason beside it. A file that a crash left behind is read again under the same ids, so nothing is handled twice.
 */
import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { decodeStrict } from '../contract/read-file.ts'
import { UsherError } from '../errors.ts'
import type { CallLog, Clock } from '../ports.ts'
import type { Event } from '../types.ts'
import { sha256 } from '../util/canonical.ts'
import { MAX_BODY } from './body.ts'
import type { Intake } from './intake.ts'
import { keepMalformed, readEvent } from './read-event.ts'
import { watchFiles, type Watching } from './watch.ts'

export interface FolderParts { readonly folder: string, readonly source: string, readonly intake: Intake, readonly log: CallLog, readonly clock: Clock, readonly onFailed: (file: string, why: string) => void }

const LINES = new Set(['.jsonl', '.ndjson'])
/** Ms without a change after which a file counts as whole. */
const STILL_MS = 1000
/** Ms between two looks where nothing was told: a watcher can miss a file that comes under the name of one that just went. */
const LOOK_MS = 5000
/** What programs call a file that they still write. */
const UNFINISHED = /^\.|~$|\.(?:tmp|part|partial|swp|crdownload|download)$/i

export class FolderDoor {
  readonly #parts: FolderParts
  /** Files that are there: what they look like, and since when (ms). */
  #seen = new Map<string, { readonly stamp: string, readonly since: number }>()
  #watching: Watching | undefined
  #timer: NodeJS.Timeout | undefined
  #tail: Promise<void> = Promise.resolve()
  #closed = false
  private constructor(parts: FolderParts) { this.#parts = parts }

  /** Throws SERVE_FAILED for a folder that others may write into: they would speak as its source. */
  static async open(parts: FolderParts): Promise<FolderDoor> {
    await checkFolder(parts.folder)
    for (const name of ['done', 'failed']) await mkdir(join(parts.folder, name), { recursive: true, mode: 0o700 })
    const door = new FolderDoor(parts)
    door.#watching = await watchFiles([parts.folder], () => door.#look())
    door.#look()
    return door
  }

  /** Resolves when the file that is being handled is done. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#watching?.close()
    await this.#tail
  }

  #look(): void {
    this.#tail = this.#tail.then(() => this.#scan()).catch((error: unknown) => this.#parts.onFailed(this.#parts.folder, error instanceof Error ? error.message : String(error)))
  }

  /** Takes what has been still for long enough, oldest name first, and looks again for the rest. */
  async #scan(): Promise<void> {
    const before = this.#seen
    this.#seen = new Map()
    let unsettled = false
    for (const entry of (await readdir(this.#parts.folder, { withFileTypes: true })).sort((a, b) => a.name < b.name ? -1 : 1)) {
      if (this.#closed || this.#parts.intake.closed) return
      if (entry.isDirectory() || UNFINISHED.test(entry.name)) continue
      const path = join(this.#parts.folder, entry.name)
      const stats = await lstat(path, { bigint: true }).catch(() => undefined)
      if (!stats) continue
      const stamp = `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`
      const known = before.get(path)
      const since = known?.stamp === stamp ? known.since : performance.now()
      if (performance.now() - since >= STILL_MS) { await this.#take(path); continue }
      this.#seen.set(path, { stamp, since })
      unsettled = true
    }
    if (this.#closed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(), unsettled ? STILL_MS / 2 : LOOK_MS)
  }

  async #take(path: string): Promise<void> {
    const read = await readWhole(path)
    if (read.kind === 'gone') return
    if (read.kind === 'bad') return this.#failed(path, read.why)
    const { events, problems } = await this.#eventsOf(path, read)
    for (const event of events) {
      const answer = await this.#parts.intake.submit(event, 'folder')
      // It stays where it is, and is read again at the next start.
      if (answer.kind === 'not-handled' && answer.code === 'CLOSED') return
      if (answer.kind === 'not-handled') problems.push(`${event.id}: ${answer.why}`)
    }
    if (problems.length > 0) return this.#failed(path, `${problems.join('\n')}\n${events.length} other events of this file were handled`)
    await moveTo(path, join(this.#parts.folder, 'done'))
  }

  async #eventsOf(path: string, read: Whole): Promise<{ events: Event[], problems: string[] }> {
    const { source, clock, log } = this.#parts
    const id = (nth: number) => `file-${sha256(JSON.stringify([basename(path), String(read.mtimeNs), read.text])).slice(0, 32)}-${nth}`
    const kind = extname(path).toLowerCase()
    if (kind !== '.json' && !LINES.has(kind)) return { events: [{ id: id(1), source, text: read.text.replace(/\s+$/, ''), at: clock.now() }], problems: [] }
    const pieces = kind === '.json' ? [read.text] : read.text.split('\n')
    const events: Event[] = []
    const problems: string[] = []
    for (const [at, piece] of pieces.entries()) {
      if (piece.trim() === '') continue
      const one = readEvent(piece, source, clock)
      if (one.kind === 'event') { events.push(one.hasId ? one.event : { ...one.event, id: id(at + 1) }); continue }
      await keepMalformed(log, piece, source, clock.now(), one)
      problems.push(`line ${at + 1}: ${one.why}`)
    }
    if (events.length === 0 && problems.length === 0) problems.push('the file is empty')
    return { events, problems }
  }

  async #failed(path: string, why: string): Promise<void> {
    const moved = await moveTo(path, join(this.#parts.folder, 'failed'))
    await writeFile(`${moved}.reason.txt`, `${why}\n`, { mode: 0o600 })
    this.#parts.onFailed(path, why)
  }
}

async function checkFolder(folder: string): Promise<void> {
  const stats = await lstat(folder).catch((cause: unknown) => { throw new UsherError('SERVE_FAILED', `${folder} is not there; make it, mode 0700`, { cause }) })
  if (!stats.isDirectory()) throw new UsherError('SERVE_FAILED', `${folder} is no folder; name the real one`)
  const user = process.geteuid?.()
  if ((user !== undefined && stats.uid !== user) || (stats.mode & 0o022) !== 0) throw new UsherError('SERVE_FAILED', `others may write into ${folder} (mode ${(stats.mode & 0o7777).toString(8)}), and would speak as its source; chmod go-w it, or name one of your own`)
}

interface Whole { readonly kind: 'text', readonly text: string, readonly mtimeNs: bigint }

/** Looks at the open file before and after: one that grew while it was read is read again later. */
async function readWhole(path: string): Promise<Whole | { readonly kind: 'bad', readonly why: string } | { readonly kind: 'gone' }> {
  let file
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const code = (error as { code?: string }).code
    return code === 'ENOENT' ? { kind: 'gone' } : { kind: 'bad', why: code === 'ELOOP' ? 'it is a symbolic link' : `it cannot be read: ${(error as Error).message}` }
  }
  try {
    for (;;) {
      const before = await file.stat({ bigint: true })
      if (!before.isFile()) return { kind: 'bad', why: 'it is no ordinary file' }
      if (before.size > MAX_BODY) return { kind: 'bad', why: `it has ${before.size} bytes, and ${MAX_BODY} are the most` }
      const bytes = Buffer.alloc(Number(before.size))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
      const after = await file.stat({ bigint: true })
      if (after.size !== before.size || after.mtimeNs !== before.mtimeNs || bytesRead !== bytes.length) continue
      const text = decodeStrict(bytes)
      return text === undefined ? { kind: 'bad', why: 'it is not valid UTF-8' } : { kind: 'text', text, mtimeNs: before.mtimeNs }
    }
  } finally {
    await file.close()
  }
}

/** Never over another file: two of one name keep both. */
async function moveTo(path: string, folder: string): Promise<string> {
  const name = basename(path)
  const ext = extname(name)
  for (let nth = 0; ; nth++) {
    const target = join(folder, nth === 0 ? name : `${name.slice(0, name.length - ext.length)}.${nth}${ext}`)
    if (await lstat(target).then(() => true, () => false)) continue
    await rename(path, target)
    return target
  }
}
