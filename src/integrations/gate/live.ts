/** The gate for a runtime that lives in this process: the log is Usher's own, and whatever goes wrong holds the tool use. */
import type { Usher } from '../../assemble.ts'
import { defaultStateDir } from '../../log/state.ts'
import type { Clock } from '../../ports.ts'
import type { ToolEffects } from '../../types.ts'
import { own } from '../../util/own.ts'
import { foreignTool } from './foreign.ts'
import type { UsePolicy } from './judge.ts'
import { idsOf, knownUse } from './ledger.ts'
import { afterUse, beforeUse, type Said } from './log-use.ts'
import { stoppedNow } from './stopped.ts'
import { deniedNames } from './tool-names.ts'
import type { ToolUse, ToolUseEnd, UseParts } from './use.ts'

export interface GateOptions {
  /** What the runtime's tools do, by name: `{}` none at all. A name that is not here has unknown effects, and waits for a person. */
  readonly effects?: { readonly [tool: string]: ToolEffects }
  /** Tools whose effects you let pass without a question. */
  readonly pass?: readonly string[]
  readonly deny?: readonly string[]
  /** Files and folders that no tool may write, beside the runtime's and Usher's own. */
  readonly control?: readonly string[]
  /** Names of Usher's own tools in that runtime: they are judged by the dispatcher, not twice. */
  readonly ours?: readonly string[]
  /** ms for a judgement; default 10 s. Later is too late: the tool use is held. */
  readonly limit?: number
  /** ms after which a tool use of which no end was told reads `unknown`, until its end comes after all; default two hours. */
  readonly unknownAfter?: number
  /** The state folder of the log, where it is not the default. */
  readonly stateDir?: string
  readonly clock?: Clock
}

export interface LiveGate {
  /** Never rejects. */
  before(use: ToolUse): Promise<Said>
  /** A word for the person where what ran was not what was judged. Rejects with LOG_WRITE_FAILED. */
  after(use: ToolUseEnd): Promise<string | undefined>
}

export function liveGate(usher: Usher, runtime: string, options: GateOptions): LiveGate {
  const clock = options.clock ?? { now: () => Date.now() }
  const ours = new Set(options.ours)
  const policy: UsePolicy = {
    pass: new Set(options.pass), deny: deniedNames(options.deny), control: [usher.log.location, options.stateDir ?? defaultStateDir(), ...usher.table.files, ...options.control ?? []],
    find: name => ({ kind: 'tool', tool: foreignTool(name, own(options.effects ?? {}, name)) }),
  }
  const parts = (use: ToolUse): UseParts => ({ runtime, log: usher.log, clock, known: knownUse(usher.log.location, idsOf(runtime, use), options.stateDir), ...(options.unknownAfter === undefined ? {} : { unknownAfter: options.unknownAfter }) })
  const held = (why: string): Said => ({ kind: 'held', outcome: { kind: 'denied', reason: 'log-failed', why } })
  return {
    before: async use => {
      if (ours.has(use.tool)) return { kind: 'goes-on' }
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<Said>(resolve => { timer = setTimeout(() => resolve(held('no judgement in time')), options.limit ?? 10_000) })
      try {
        const judged = async () => beforeUse(use, policy.pass.has(use.tool) ? { ...policy, stopped: await stoppedNow(usher.log, clock) } : policy, parts(use))
        return await Promise.race([judged(), late])
      } catch (error) {
        return held(error instanceof Error ? error.message : String(error))
      } finally {
        clearTimeout(timer)
      }
    },
    after: async use => ours.has(use.tool) ? undefined : afterUse(use, parts(use)),
  }
}
