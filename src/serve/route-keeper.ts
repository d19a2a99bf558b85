/** Watches the route files: a bad edit keeps the last good table, a good one is swapped between events, one that widens waits for a person. */
import type { Usher } from '../assemble.ts'
import { UsherError } from '../errors.ts'
import type { CallLog, Clock } from '../ports.ts'
import type { RouteChange } from '../routes/diff.ts'
import { readRoutes } from '../routes/load.ts'
import { problemText } from '../routes/problem.ts'
import type { Json, RouteTable, Tool } from '../types.ts'
import { settleRoutes } from './settle-routes.ts'

export type RoutesStanding =
  | { readonly kind: 'loaded', readonly at: number }
  | { readonly kind: 'bad', readonly at: number, readonly problems: readonly string[] }
  | { readonly kind: 'waits', readonly at: number, readonly changes: readonly RouteChange[] }

export interface RouteKeeperParts {
  readonly paths: readonly string[]
  /** Why the files must not be loaded whatever they say, in words. */
  readonly breaches?: () => readonly string[]
  readonly tools: () => ReadonlyMap<string, Tool>
  readonly usher: Pick<Usher, 'table' | 'reload'>
  /** What a person accepted last; undefined: nothing yet. Throws where the record of it is damaged. */
  readonly accepted: () => RouteTable | undefined
  readonly log: CallLog
  readonly clock: Clock
  /** Told of each edit that was seen, and what became of it. */
  readonly onChange: (standing: RoutesStanding, changes: readonly RouteChange[]) => void
}

export class RouteKeeper {
  readonly #parts: RouteKeeperParts
  #standing: RoutesStanding
  #tail: Promise<void> = Promise.resolve()
  /** What was said of the last edit: the same is not said twice. */
  #said = ''

  /** @param first how the files stood when they were loaded at the start */
  constructor(parts: RouteKeeperParts, first: RoutesStanding) {
    this.#parts = parts
    this.#standing = first
    this.#said = first.kind === 'loaded' ? '' : JSON.stringify({ ...first, at: 0 })
  }

  get standing(): RoutesStanding { return this.#standing }

  /** Looks at the files and at what was accepted. Resolves when what it found decides. */
  look(): Promise<void> {
    this.#tail = this.#tail.then(() => this.#look())
    return this.#tail
  }

  async #look(): Promise<void> {
    const { paths, breaches, tools, usher, accepted, clock } = this.#parts
    try {
      const open = breaches?.() ?? []
      if (open.length > 0) return await this.#bad(open)
      const read = readRoutes(paths, { tools: tools() })
      if (read.kind === 'invalid') return await this.#bad(read.problems.map(problemText))
      const { table, waiting } = settleRoutes(accepted() ?? usher.table, usher.table, read.table)
      const changes = table.hash === usher.table.hash && sameTests(table, usher.table) ? [] : await usher.reload({ routes: table })
      if (waiting.length > 0) return await this.#stand({ kind: 'waits', at: clock.now(), changes: waiting }, changes)
      await this.#stand({ kind: 'loaded', at: clock.now() }, changes)
    } catch (error) {
      if (!UsherError.is(error)) throw error
      await this.#bad([error.message])
    }
  }

  #bad(problems: readonly string[]): Promise<void> {
    return this.#stand({ kind: 'bad', at: this.#parts.clock.now(), problems }, [])
  }

  async #stand(standing: RoutesStanding, changes: readonly RouteChange[]): Promise<void> {
    const { log, usher, onChange } = this.#parts
    const said = standing.kind === 'loaded' ? '' : JSON.stringify({ ...standing, at: 0 })
    if (said === this.#said && changes.length === 0) return
    this.#said = said
    this.#standing = standing
    if (standing.kind === 'bad') await log.act({ who: 'usher', act: 'routes.bad', about: usher.table.hash, detail: { problems: standing.problems, decides: 'the last good routes' }, at: standing.at })
    if (standing.kind === 'waits') await log.act({ who: 'usher', act: 'routes.wait', about: usher.table.hash, detail: { changes: standing.changes.map(({ widens, sentence }) => ({ widens, sentence })) as Json }, at: standing.at })
    onChange(standing, changes)
  }
}

/** Tests and spelling are no part of a table's hash; whoever reads the page wants the present ones. */
function sameTests(a: RouteTable, b: RouteTable): boolean {
  const texts = (table: RouteTable) => JSON.stringify([...table.routes.values()].map(({ triggers, mustFire, mustNotFire, file, line }) => [triggers, mustFire, mustNotFire, file, line]))
  return texts(a) === texts(b)
}
