/**
 * What every runtime's adapter goes through: the tools as a model may see them, and its calls. Nothing here reaches a handler: calls go to
 * `usher.call`, whose dispatcher commits the row first (`trace:every-way`, `trace:before`).
 */
import type { Usher } from '../assemble.ts'
import { prepareCall } from '../dispatch/prepare.ts'
import { UsherError } from '../errors.ts'
import type { Clock } from '../ports.ts'
import { toolTable } from '../tools/table.ts'
import type { Event, JsonObject, Tool } from '../types.ts'
import { isRecord } from '../util/records.ts'
import { ApprovedBytes } from './approved-bytes.ts'
import { notCalled, shown, type Shown } from './shown.ts'

export interface DoorOptions {
  /** Whose call it is, for the log: a model's or an agent's name. Default: the runtime's. */
  readonly who?: string
  /** Ms that a person's yes is waited for. Default 10 minutes. */
  readonly approvalTtl?: number
  readonly clock?: Clock
}

/** The runtime's own id of a call: what a person's yes is bound to, together with the exact bytes. */
export interface RuntimeCall {
  readonly id: string
  readonly tool: string
  /** As the model gave them: anything but a JSON object is refused. */
  readonly args: unknown
}

export class ModelDoor {
  readonly #usher: Usher
  readonly #tools: ReadonlyMap<string, Tool>
  readonly #approved: ApprovedBytes
  readonly #who: string

  /** @param tools the same as were given to createUsher. Throws TOOL_INVALID for two of one name. */
  constructor(usher: Usher, tools: readonly Tool[], runtime: string, options: DoorOptions = {}) {
    this.#usher = usher
    this.#tools = toolTable(tools)
    this.#who = options.who ?? runtime
    this.#approved = new ApprovedBytes({ ...(options.clock ? { clock: options.clock } : {}), ...(options.approvalTtl === undefined ? {} : { ttl: options.approvalTtl }) })
  }

  /** Name, description, visible schema: no preset-only parameter is in any of them (`fill:blind`). */
  get listed(): readonly Pick<Tool, 'name' | 'description' | 'visible'>[] {
    return [...this.#tools.values()].map(({ name, description, visible }) => ({ name, description, visible }))
  }

  /** Would this call wait for a person? Checks only: no row, no handler. */
  needsApproval(call: Pick<RuntimeCall, 'tool' | 'args'>): boolean {
    if (!isPlainObject(call.args)) return false
    const event: Event = { id: 'preview', source: 'call:model', text: '', at: 0 }
    const prepared = prepareCall(this.#tools, { by: 'model', tool: call.tool, args: call.args, event, eventId: event.id, explicit: false, origins: {} })
    return prepared.kind === 'refused' && prepared.outcome.kind === 'needs-approval'
  }

  /** The runtime puts this call to a person now: remembers its bytes. */
  ask(call: RuntimeCall): void {
    if (isPlainObject(call.args)) this.#approved.ask(call.id, call.tool, call.args)
  }

  /** A model's call. */
  async call(call: RuntimeCall): Promise<Shown> {
    const args = jsonArguments(call)
    return shown(await this.#usher.call(call.tool, args, { by: 'model', who: this.#who }))
  }

  /** A call that the runtime says a person approved: runs only with the bytes that were put to that person. */
  async approved(call: RuntimeCall): Promise<Shown> {
    const args = jsonArguments(call)
    const redeemed = this.#approved.redeem(call.id, call.tool, args)
    if (redeemed.kind === 'approved') return shown(await this.#usher.call(call.tool, args, { by: 'person', who: `a person, in ${this.#who}` }))
    // Without a yes of its own it is a model's call, and is logged and judged as one.
    const outcome = await this.#usher.call(call.tool, args, { by: 'model', who: this.#who })
    if (outcome.kind !== 'needs-approval' || redeemed.kind === 'none') return shown(outcome)
    return redeemed.kind === 'expired'
      ? { kind: 'not-called', value: notCalled('expired', 'approval', 'the approval came too late; ask again') }
      : { kind: 'not-called', value: notCalled('denied', 'person', 'a person approved other arguments under this call\'s id; nothing was called') }
  }
}

function isPlainObject(value: unknown): value is JsonObject {
  return isRecord(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)
}

/** Throws BAD_OPTION: a runtime that gives anything else is used wrongly, and nothing may be guessed. */
function jsonArguments(call: RuntimeCall): JsonObject {
  if (!isPlainObject(call.args)) throw new UsherError('BAD_OPTION', `the arguments of ${JSON.stringify(call.tool)} must be a JSON object, got ${call.args === null ? 'null' : Array.isArray(call.args) ? 'an array' : typeof call.args}`)
  return call.args
}
