/** What changed on disk between two looks: the watcher that needs no help from any language. */
import { existsSync, lstatSync, readdirSync, type BigIntStats } from 'node:fs'
import { join } from 'node:path'

export interface FileChange { readonly kind: 'fs.write' | 'fs.delete' | 'fs.chmod', readonly path: string, /** ms; 0: not known. */ readonly at: number }

/** `plain`: a folder of its own. `upper`: an overlay's upper folder, which holds what differs from `at`. */
export interface Watched { readonly folder: string, readonly at: string, readonly form: 'plain' | 'upper' }

interface Entry { readonly mark: string, readonly mode: bigint, readonly at: number, readonly whiteout: boolean, readonly folder: boolean }

const MAX_ENTRIES = 50_000

export class Snapshots {
  readonly #watched: readonly Watched[]
  readonly #skip: string
  #before: ReadonlyMap<string, Entry>

  /** @param skip a folder that is not looked at */
  constructor(watched: readonly Watched[], skip: string) {
    this.#watched = watched
    this.#skip = skip
    this.#before = this.#look()
  }

  /** The changes since the last look. */
  changes(): readonly FileChange[] {
    const now = this.#look()
    const before = this.#before
    this.#before = now
    return [
      ...[...now].filter(([path, entry]) => before.get(path)?.mark !== entry.mark && !(entry.folder && before.has(path))).map(([path, entry]): FileChange => ({ kind: entry.whiteout ? 'fs.delete' : 'fs.write', path, at: entry.at })),
      ...[...now].filter(([path, entry]) => before.get(path)?.mark === entry.mark && before.get(path)?.mode !== entry.mode).map(([path]): FileChange => ({ kind: 'fs.chmod', path, at: 0 })),
      // Gone from an upper folder: what had been written there was taken away again.
      ...[...before].filter(([path, entry]) => !now.has(path) && !entry.whiteout).map(([path]): FileChange => ({ kind: 'fs.delete', path, at: 0 })),
    ]
  }

  #look(): ReadonlyMap<string, Entry> {
    const found = new Map<string, Entry>()
    for (const { folder, at, form } of this.#watched) this.#walk(folder, at, form, found)
    return found
  }

  #walk(folder: string, at: string, form: Watched['form'], found: Map<string, Entry>): void {
    for (const name of namesIn(folder)) {
      const [file, path] = [join(folder, name), join(at, name)]
      if (path === this.#skip || found.size >= MAX_ENTRIES) continue
      const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false })
      if (!stat) continue
      // A folder in an upper layer may be there only because something below it is.
      if (!(form === 'upper' && stat.isDirectory() && existsSync(path))) found.set(path, entryOf(stat, form))
      if (stat.isDirectory()) this.#walk(file, path, form, found)
    }
  }
}

/** A folder that goes away while it is looked at has no names. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** A whiteout is a character device 0/0: the overlay's way to say "deleted". */
function entryOf(stat: BigIntStats, form: Watched['form']): Entry {
  const whiteout = form === 'upper' && stat.isCharacterDevice() && stat.rdev === 0n
  const folder = stat.isDirectory()
  return { mode: stat.mode, mark: folder ? 'folder' : `${stat.size}:${stat.mtimeNs}:${stat.ino}`, at: Number(stat.mtimeNs / 1_000_000n), whiteout, folder }
}
