/** Follows the chain row by row, over the gaps that checkpoints account for. */
import { contentHash, GENESIS_PREV, rowHash } from './chain.ts'
import type { Removed } from './checkpoints.ts'
import type { Fault } from './verdict.ts'

export interface ChainRow {
  readonly seq: number, readonly kind: string, readonly body: string, readonly prev: string, readonly hash: string
  readonly text: string | null, readonly data: string | null, readonly salt: string | null
}

/** Follows the chain from row 1; gives the first fault. */
export class ChainWalk {
  readonly #removed: Removed
  #seq = 0
  #hash = GENESIS_PREV

  constructor(removed: Removed) { this.#removed = removed }

  step(row: ChainRow): Fault | undefined {
    let expected = this.#seq + 1
    let before = this.#hash
    for (let cut = this.#removed.ranges.get(expected); cut !== undefined && expected < row.seq; cut = this.#removed.ranges.get(expected)) {
      expected = cut.to + 1
      before = cut.hash
    }
    if (row.seq !== expected) return { seq: expected, kind: 'missing', detail: `row ${expected} is not there, and no checkpoint says that it was cut; the next one is row ${row.seq}` }
    if (rowHash(row.seq, row.kind, row.body, row.prev) !== row.hash) return { seq: row.seq, kind: 'changed', detail: `row ${row.seq} (${row.kind}) does not have the hash that it was written with` }
    if (row.prev !== before) return { seq: Math.max(1, row.seq - 1), kind: 'changed', detail: `row ${row.seq} was chained on another row ${row.seq - 1} than stands there now` }
    const content = this.#contentFault(row)
    if (content !== undefined) return { seq: row.seq, kind: 'changed', detail: content }
    this.#seq = row.seq
    this.#hash = row.hash
    return undefined
  }

  #contentFault(row: ChainRow): string | undefined {
    const written = (JSON.parse(row.body) as { contentHash?: unknown } | null)?.contentHash
    if (written === undefined) return row.text === null && row.data === null ? undefined : `row ${row.seq} has a text that it was not written with`
    const expected = this.#removed.redacted.get(row.seq) ?? written
    if (row.salt !== null) return contentHash(row.salt, row.text, row.data) === expected ? undefined : `the text of row ${row.seq} is not the one that it was written with`
    if (row.text !== null || row.data !== null) return `row ${row.seq} has a text without its salt`
    return this.#removed.texts.has(row.seq) ? undefined : `the text of row ${row.seq} is gone, and no checkpoint says that it was dropped`
  }
}
