/**
 * The entry `usher-router/openclaw`, for a plugin of `openclaw` (`definePluginEntry({ ..., register: api => registerUsher(api, createUsher(...)) })`), by
 * its typed hooks. An inbound message is an event whose source is its channel and sender; every tool call is judged and logged before it runs, what
 * waits for a person by `requireApproval`, and its end after. By its shapes only: nothing of the package is loaded from here.
 */
import type { Usher } from '../assemble.ts'
import { loggable } from '../dispatch/result.ts'
import { isSource } from '../ingest/source.ts'
import type { JsonObject } from '../types.ts'
import { sha256 } from '../util/canonical.ts'
import { capped, visible } from '../util/mask.ts'
import { isRecord } from '../util/records.ts'
import { liveGate, type GateOptions } from './gate/live.ts'
import { deniedNames } from './gate/tool-names.ts'
import { noteOf } from './shown.ts'

export type { GateOptions } from './gate/live.ts'

interface ToolEvent { readonly toolName: string, readonly params: Record<string, unknown>, readonly toolCallId?: string, readonly runId?: string }
interface ToolContext { readonly sessionKey?: string, readonly sessionId?: string }
interface BeforeResult { block?: boolean, blockReason?: string, requireApproval?: { title: string, description: string, severity: 'warning', allowedDecisions: ('allow-once' | 'deny')[] } }
interface MessageEvent { readonly from: string, readonly content: string, readonly messageId?: string, readonly senderId?: string, readonly sessionKey?: string }
interface MessageContext { readonly channelId: string, readonly sessionKey?: string }

/** The part of the plugin API that is used. */
export interface OpenclawApi {
  on(hook: 'before_tool_call', handler: (event: ToolEvent, context: ToolContext) => Promise<BeforeResult | void>): void
  on(hook: 'after_tool_call', handler: (event: ToolEvent & { readonly result?: unknown, readonly error?: string, readonly durationMs?: number }, context: ToolContext) => Promise<void>): void
  on(hook: 'message_received', handler: (event: MessageEvent, context: MessageContext) => Promise<void>): void
  on(hook: 'before_prompt_build', handler: (event: unknown, context: ToolContext) => Promise<{ prependContext?: string } | void>): void
}

export interface OpenclawOptions extends GateOptions {
  /** Told what became of a message. */
  readonly onRouted?: (note: string, source: string) => void
}

const MAX_TEXT = 500
/** Conversations whose next turn is still to be told. */
const MAX_NOTES = 1000

/**
 * @param usher a promise too: a plugin registers at once, and its hooks wait; where it fails, every tool call is blocked with the reason
 * Throws BAD_OPTION for a name in `deny` that no tool has.
 */
export function registerUsher(api: OpenclawApi, usher: Usher | Promise<Usher>, options: OpenclawOptions = {}): void {
  deniedNames(options.deny)
  const opened = Promise.resolve(usher).then(ready => ({ usher: ready, gate: liveGate(ready, 'openclaw', options) }))
  // Each hook below says why it failed; without this line the host would end before one is asked.
  opened.catch(() => undefined)
  const notes = new Map<string, Promise<string>>()
  api.on('before_tool_call', async (event, context) => {
    const use = useOf(event, context)
    if (!use) return { block: true, blockReason: 'Usher: this call has no id, so it cannot be kept on record' }
    const said = await opened.then(({ gate }) => gate.before(use), error => ({ kind: 'held' as const, outcome: { kind: 'denied' as const, why: error instanceof Error ? error.message : String(error) } }))
    if (said.kind === 'goes-on') return undefined
    const why = capped(visible(said.outcome.why), MAX_TEXT)
    if (said.outcome.kind !== 'needs-approval') return { block: true, blockReason: `Usher, ${said.outcome.kind}: ${why}` }
    // "Allow always" would say yes to bytes that nobody has seen.
    return { requireApproval: { title: `Usher: ${visible(event.toolName)}`, description: `${why}. Arguments: ${capped(visible(JSON.stringify(event.params) ?? ''), MAX_TEXT)}`, severity: 'warning', allowedDecisions: ['allow-once', 'deny'] } }
  })
  api.on('after_tool_call', async (event, context) => {
    const use = useOf(event, context)
    if (use) await (await opened).gate.after({ ...use, result: loggable(event.result ?? null), failed: event.error, ms: event.durationMs })
  })
  api.on('message_received', async (event, context) => {
    const source = messageSource(context.channelId, event.senderId ?? event.from)
    const session = event.sessionKey ?? context.sessionKey
    const told = opened.then(async ready => noteOf((await ready.usher.handle({ source, text: event.content, ...(event.messageId === undefined ? {} : { id: event.messageId }) })).outcomes))
    if (session !== undefined) {
      notes.set(session, told)
      for (const old of notes.keys()) if (notes.size > MAX_NOTES) notes.delete(old)
    }
    options.onRouted?.(await told, source)
  })
  api.on('before_prompt_build', async (_event, context) => {
    const note = context.sessionKey === undefined ? undefined : notes.get(context.sessionKey)
    if (!note || context.sessionKey === undefined) return undefined
    notes.delete(context.sessionKey)
    const words = await note
    return words === '' ? undefined : { prependContext: words }
  })
}

/** `telegram:4711`. A name that a source cannot hold is hashed, not mended: two senders must never become one. */
export function messageSource(channel: string, sender: string): string {
  const kind = /^[a-z][a-z0-9_-]{0,39}$/.test(channel) ? channel : 'chat'
  const named = `${kind}:${sender}`
  return kind === channel && isSource(named) ? named : `${kind}:${sha256(JSON.stringify([channel, sender])).slice(0, 32)}`
}

function useOf(event: ToolEvent, context: ToolContext) {
  const { toolCallId, toolName, params } = event
  if (toolCallId === undefined || toolCallId === '' || !isRecord(params)) return undefined
  return { session: context.sessionKey ?? context.sessionId ?? event.runId ?? 'no session', useId: toolCallId, tool: toolName, args: params as JsonObject, cwd: process.cwd() }
}
