/** What a hook is told on its command line: read by the supervisor for the help and by the worker for the work. */
import { UsherError } from '../errors.ts'
import { parseDuration } from '../routes/units.ts'

export const HOOK_NAMES = ['user-prompt-submit', 'pre-tool-use', 'post-tool-use'] as const
export type HookName = (typeof HOOK_NAMES)[number]

export interface HookOptions {
  readonly log?: string
  readonly pass?: readonly string[]
  readonly deny?: readonly string[]
  readonly contracts?: string
  readonly iOwnThisMachine?: true
  readonly routes?: string[]
  readonly tools?: string
  readonly unlabelled?: string
  readonly results?: true
  /** A duration, as typed. */
  readonly unknownAfter?: string
  /** Seconds. */
  readonly limit: string
}

/** What the supervisor gives the worker, as one environment variable: the worker's standard input is the hook's own. */
export interface HookTask { readonly hook: HookName, readonly options: HookOptions, /** The agent's runtime; null: not known. */ readonly pid: number | null, readonly limitMs: number }
export const HOOK_TASK = 'USHER_HOOK_TASK'

/** Seconds that each hook takes at most; a prompt may have to start the encoder. */
export const DEFAULT_LIMITS: Readonly<Record<HookName, number>> = { 'user-prompt-submit': 45, 'pre-tool-use': 20, 'post-tool-use': 20 }

/** ms. Throws BAD_OPTION. */
export function unknownAfterOption(text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined || ms <= 0) throw new UsherError('BAD_OPTION', `--unknown-after must be a duration like 30m or 12h, got ${JSON.stringify(text)}`)
  return ms
}
