/** Files that decide what may happen (routes, tool modules, calibration, settings, tokens): who may write them, and are they still those that were loaded? */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { sha256 } from '../util/canonical.ts'
import { type AccessOptions, accessBreaches } from './file-access.ts'
import { problem, type Problem } from './problems.ts'

interface Known { readonly stamp: string, readonly hash: string }

/** Undefined: gone, or not to be read. */
function look(path: string): Known | undefined {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, mode, uid } = statSync(path, { bigint: true })
    return { stamp: [dev, ino, size, mtimeNs, ctimeNs, mode, uid].join(' '), hash: sha256(readFileSync(path)) }
  } catch {
    return undefined
  }
}

export class ControlFiles {
  readonly #known = new Map<string, Known | undefined>()
  readonly #options: AccessOptions
  /** Remembers the files as they are now: call it right before they are loaded, and `changed` right after. */
  constructor(files: readonly string[], options: AccessOptions = {}) {
    this.#options = options
    for (const file of files) this.#known.set(resolve(file), look(resolve(file)))
  }

  /** Path -> SHA-256 of what was there. */
  get hashes(): ReadonlyMap<string, string> {
    return new Map([...this.#known].flatMap(([path, known]) => known ? [[path, known.hash]] : []))
  }

  /** Owner, mode, links, file system: the same questions as for contracts. */
  breaches(): readonly Problem[] {
    return [...this.#known.keys()].flatMap(path => accessBreaches(path, this.#options)).map(breach => problem(breach.code, null, breach.message))
  }

  /** Files that are not those that were loaded: by stat, then by hash. The same bytes under a new time stamp are no change. */
  changed(): readonly Problem[] {
    return [...this.#known].flatMap(([path, known]) => {
      const now = look(path)
      if (now?.stamp === known?.stamp) return []
      if (now && known && now.hash === known.hash) {
        this.#known.set(path, now)
        return []
      }
      return [problem('file-changed', null, `${path} ${now ? known ? 'is not the file that was loaded' : 'is new' : 'is gone'}`)]
    })
  }
}
