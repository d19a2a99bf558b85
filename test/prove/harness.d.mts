export interface CrashFigures {
  /** Rounds; every fourth kills two processes at once. */
  readonly runs: number
  readonly kills: number
  readonly calls: number
  readonly effects: number
  /** Calls cut off in flight, and those of them whose effect had happened. */
  readonly cut: number
  readonly cutAfterEffect: number
  readonly faults: readonly string[]
}
export function crashRuns(options: { readonly runs: number, readonly seed?: number, readonly broken?: 'no-row' | 'no-effect', readonly onRun?: (done: number, figures: CrashFigures) => void }): Promise<CrashFigures>
