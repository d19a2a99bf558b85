/** Files that decide what may happen (routes, tool modules, calibration, settings, tokens): who may write them, and are they still those that were loaded? */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { sha256 } from '../util/canonical.ts'
import { type AccessOptions, accessBreaches } from './file-access.ts'
import { problem, type Problem } from './problems.ts'

/** ms between two looks at modes and folders while the files themselves stay as they are. */
const LOOKED_FOR = 1000

interface Known { readonly stamp: string, readonly hash: string }

/** What stat can tell; equal stamps need no new hash. Undefined: gone, or not to be reached. */
function stampOf(path: string): string | undefined {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, mode, uid } = statSync(path, { bigint: true })
    return [dev, ino, size, mtimeNs, ctimeNs, mode, uid].join(' ')
  } catch {
    return undefined
  }
}

/** Undefined: gone, or not to be read. */
function look(path: string): Known | undefined {
  try {
    const stamp = stampOf(path)
    return stamp === undefined ? undefined : { stamp, hash: sha256(readFileSync(path)) }
  } catch {
    return undefined
  }
}

export class ControlFiles {
  readonly #known = new Map<string, Known | undefined>()
  readonly #options: AccessOptions
  readonly #atFirst: ReadonlySet<string>
  #looked = performance.now()
  #loose: readonly Problem[] = []
  /** Remembers the files as they are now: call it right before they are loaded, and `changed` right after. */
  constructor(files: readonly string[], options: AccessOptions = {}) {
    this.#options = options
    for (const file of files) this.#known.set(resolve(file), look(resolve(file)))
    this.#atFirst = new Set(this.breaches().map(({ message }) => message))
  }

  /** Path -> SHA-256 of what was there. */
  get hashes(): ReadonlyMap<string, string> {
    return new Map([...this.#known].flatMap(([path, known]) => known ? [[path, known.hash]] : []))
  }

  /** Owner, mode, links, file system: the same questions as for contracts. A file that was not there needs none. */
  breaches(): readonly Problem[] {
    return [...this.#known].flatMap(([path, known]) => known ? [path] : []).flatMap(path => accessBreaches(path, this.#options)).map(breach => problem(breach.code, null, breach.message))
  }

  /**
   * Files that are not those that were loaded: by stat, then by hash. The same bytes under a new time stamp are no change; another owner, mode, link
   * or folder above is one where it lets somebody in who could not get in before.
   */
  changed(): readonly Problem[] {
    let due = performance.now() - this.#looked >= LOOKED_FOR
    const others = [...this.#known].flatMap(([path, known]) => {
      const now = stampOf(path)
      if (now === known?.stamp) return []
      due = true
      const read = look(path)
      if (read && known && read.hash === known.hash) {
        this.#known.set(path, read)
        return []
      }
      return [problem('file-changed', null, `${path} ${read ? known ? 'is not the file that was loaded' : 'is new' : 'is gone'}`)]
    })
    if (due) this.#loose = this.#looser(others)
    return [...others, ...this.#loose]
  }

  /** Breaches that were not there at first; a file that is gone is named already. */
  #looser(others: readonly Problem[]): readonly Problem[] {
    this.#looked = performance.now()
    return this.breaches().filter(({ code, message }) => !this.#atFirst.has(message) && !(code === 'file-missing' && others.length > 0))
  }
}
