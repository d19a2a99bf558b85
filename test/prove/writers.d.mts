import type { Verdict } from '../../src/log/verdict.ts'

export interface WrittenAtOnce {
  /** What a process that failed said. */
  readonly failed: readonly string[]
  readonly seconds: number
  readonly verdict: Verdict
  readonly calls: number
  readonly events: number
  readonly switches: number
  readonly genesis: number
}
export function writeAtOnce(options: { readonly processes: number, readonly calls: number }): Promise<WrittenAtOnce>
