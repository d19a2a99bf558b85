export interface SoakFigures {
  readonly events: number, readonly clients: number, readonly each: number, readonly seconds: number, readonly perSecond: number
  /** Ms from a client's request to its answer. */
  readonly p50: number, readonly p99: number, readonly max: number
  readonly again: number, readonly asked: number, readonly retried: number
  readonly memory: { readonly second: number, readonly third: number, readonly last: number, readonly growth: number }
  readonly faults: readonly string[]
}
export function soak(options: { readonly events: number, readonly clients: number, readonly each?: number, readonly onProgress?: (done: number, rss: number) => void }): Promise<SoakFigures>
