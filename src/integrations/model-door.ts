/**
 * What every runtime's adapter goes through: the tools as a model may see them, and its calls. Nothing here reaches a handler: calls go to
 * `usher.call`, whose dispatcher commits the row first (`trace:every-way`, `trace:before`), and a person's yes goes to the card of exactly
 * those bytes.
 */
import type { Card } from '../approvals/card.ts'
import type { Proof } from '../approvals/person-proof.ts'
import type { Usher } from '../assemble.ts'
import { prepareCall } from '../dispatch/prepare.ts'
import { UsherError } from '../errors.ts'
import { toolTable } from '../tools/table.ts'
import type { Event, JsonObject, Tool } from '../types.ts'
import { canonicalJson } from '../util/canonical.ts'
import { capped } from '../util/mask.ts'
import { isRecord } from '../util/records.ts'
import { notCalled, shown, type Shown } from './shown.ts'

export interface DoorOptions {
  /** Whose call it is, for the log: a model's or an agent's name. Default: the runtime's. */
  readonly who?: string
  /** What proves that a person said yes, where the owner has set a passphrase or keys. Default: the runtime's word, which then is not enough. */
  readonly proof?: (card: Card) => Proof | Promise<Proof>
}

/** The runtime's own id of a call: what a person's yes is bound to, together with the exact bytes. */
export interface RuntimeCall {
  readonly id: string
  readonly tool: string
  /** As the model gave them: anything but a JSON object is refused. */
  readonly args: unknown
}

/** A runtime's ids are short; somebody else's text is not to become a name in the log. */
const MAX_ID = 100

export class ModelDoor {
  readonly #usher: Usher
  readonly #tools: ReadonlyMap<string, Tool>
  readonly #who: string
  readonly #proof: (card: Card) => Proof | Promise<Proof>

  /** @param tools the same as were given to createUsher. Throws TOOL_INVALID for two of one name. */
  constructor(usher: Usher, tools: readonly Tool[], runtime: string, options: DoorOptions = {}) {
    this.#usher = usher
    this.#tools = toolTable(tools)
    this.#who = options.who ?? runtime
    this.#proof = options.proof ?? (() => ({ kind: 'none', who: `a person, in ${runtime}` }))
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

  /** The runtime is about to put this call to a person: logs the question, and keeps its bytes on a card. False: there is nothing to ask. */
  async ask(call: RuntimeCall): Promise<boolean> {
    if (!this.needsApproval(call)) return false
    // The first bytes under an id stay: a later request with the same id must not slip others under the person's yes.
    if (await this.#card(call)) return true
    const outcome = await this.#usher.call(call.tool, jsonArguments(call), { by: 'model', who: this.#named(call) })
    return outcome.kind === 'needs-approval'
  }

  /** Is there a card under this call's id already? */
  async wasAsked(call: RuntimeCall): Promise<boolean> {
    return await this.#card(call) !== undefined
  }

  /** A model's call. */
  async call(call: RuntimeCall): Promise<Shown> {
    return shown(await this.#usher.call(call.tool, jsonArguments(call), { by: 'model', who: this.#named(call) }))
  }

  /** A call that the runtime says a person approved: what runs are the bytes on the card, once; other bytes run nothing. */
  async approved(call: RuntimeCall): Promise<Shown> {
    const args = jsonArguments(call)
    const card = await this.#card(call)
    if (!card) return this.#unasked(call)
    if (card.tool !== call.tool || canonicalJson(card.args) !== canonicalJson(args)) return { kind: 'not-called', value: notCalled('denied', 'person', 'other arguments were put to a person under this call\'s id; nothing was called') }
    const decision = await this.#usher.desk.approvals.approve(card.id, await this.#proof(card))
    switch (decision.kind) {
      case 'done': return shown(decision.outcome)
      case 'granted': return this.call(call)
      case 'denied': return { kind: 'not-called', value: notCalled('denied', 'person', 'a person said no') }
      case 'void': return { kind: 'not-called', value: notCalled('expired', 'changed', `${decision.changed.join(', ')} changed since the person was asked`) }
      case 'gone':
      case 'refused':
      case 'unknown': return { kind: 'not-called', value: notCalled('denied', 'person', decision.why) }
      default: return decision satisfies never
    }
  }

  /** Nobody was asked about it: it is a model's call, logged and judged as one. Its card goes at once: the same "yes" sent again would find it. */
  async #unasked(call: RuntimeCall): Promise<Shown> {
    const said = await this.call(call)
    if (!await this.wasAsked(call)) return said
    await this.refused(call)
    return { kind: 'not-called', value: notCalled('denied', 'person', 'no person was asked about this call, or too long ago; nothing was called') }
  }

  /** A person said no in the runtime. */
  async refused(call: RuntimeCall): Promise<void> {
    const card = await this.#card(call)
    if (card) await this.#usher.desk.approvals.deny(card.id, this.#who)
  }

  /** By the name on it: also one that another process of the same runtime asked for. */
  async #card(call: RuntimeCall): Promise<Card | undefined> {
    const named = this.#named(call)
    return (await this.#usher.desk.approvals.list()).find(card => card.by === 'model' && card.who === named)
  }

  #named(call: RuntimeCall): string {
    return `${this.#who} ${capped(call.id, MAX_ID)}`
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
