/** A tool use that a runtime tells of before and after: the runtime runs the tool, Usher judges it first and keeps the record. */
import type { CallLog, Clock } from '../../ports.ts'
import type { Json, JsonObject } from '../../types.ts'
import type { KnownUse } from './ledger.ts'

/** ms, two hours: a build or a subagent may take long. The end of a use that comes later is still logged. */
export const LONGEST_USE = 2 * 60 * 60 * 1000

export interface ToolUse {
  /** The runtime's conversation and its own id of this use: together they name the call. */
  readonly session: string
  readonly useId: string
  readonly tool: string
  readonly args: JsonObject
  readonly cwd: string
  /** The runtime's permission mode, where it says. */
  readonly mode?: string | undefined
}

export interface ToolUseEnd extends ToolUse {
  readonly result: Json
  /** What went wrong; undefined: it returned. */
  readonly failed: string | undefined
  readonly ms: number | undefined
}

export interface UseParts {
  /** For the log: whose tool use it is. */
  readonly runtime: string
  readonly log: CallLog
  /** What the log held of this tool use before it was opened for writing. */
  readonly known: KnownUse
  readonly clock: Clock
  /** The process that runs the tool; null: not known which. Default: this one. */
  readonly pid?: number | null
  /** Keep what tools returned in the log; default: its size and hash. */
  readonly results?: boolean
  /** ms after which a use of which no end was told reads `unknown`; default {@link LONGEST_USE}. */
  readonly unknownAfter?: number
}
