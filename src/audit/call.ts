/** One call under watch: send, wait for the reply, wait for what comes after it, and say what happened. */
import { setTimeout as delay } from 'node:timers/promises'
import { UsherError } from '../errors.ts'
import { ServerAnswer } from '../mcp/connection.ts'
import type { Json, JsonObject } from '../types.ts'
import { capped } from '../util/mask.ts'
import { isRecord } from '../util/records.ts'
import { canariesIn } from './canary.ts'
import { isIdle } from './processes.ts'
import type { AuditEffect, AuditReply, EffectClass, Verdict } from './report.ts'
import type { Session } from './session.ts'

const REPLY_KEPT = 2000
/** Between two looks at the process tree, in ms; idle twice is idle. */
const LOOK = 25

export interface Performed { readonly verdict: Verdict, readonly effects: readonly AuditEffect[], readonly reply: AuditReply, readonly unwatched: readonly EffectClass[], /** From the call to its reply. */ readonly ms: number, /** What happened before it was sent, after the last one was done with. */ readonly late: readonly AuditEffect[] }

/** @param patience ms after which the call is given up, where that is sooner than the session's own limit */
export async function perform(session: Session, tool: string, args: JsonObject, settle: number, patience?: number): Promise<Performed> {
  const late = (await session.watch.collect(0)).effects
  const sentAt = Date.now()
  const reply = await answered(session, tool, args, patience)
  const replyAt = Date.now()
  await settled(session.mark, settle)
  const { effects, unwatched } = await session.watch.collect(replyAt)
  return { verdict: verdictOf(reply, effects, unwatched), effects, reply, unwatched, ms: replyAt - sentAt, late }
}

/** A server that refused, and did nothing on the way, has shown nothing. */
export function verdictOf(reply: AuditReply, effects: readonly AuditEffect[], unwatched: readonly EffectClass[]): Verdict {
  if (effects.some(effect => effect.level === 'acts')) return 'fail'
  if (reply.kind !== 'result') return 'not-exercised'
  return unwatched.length > 0 ? 'not-watched' : 'ok'
}

async function answered(session: Session, tool: string, args: JsonObject, patience: number | undefined): Promise<AuditReply> {
  const impatient = patience === undefined ? undefined : AbortSignal.timeout(patience)
  try {
    const result = await session.connection.callTool(tool, args, impatient)
    const text = textOf(result)
    const hide = (words: string): string => session.scratch.hide(words)
    const echoes = canariesIn(text)
    return { kind: isRecord(result) && result['isError'] === true ? 'tool-error' : 'result', text: hide(capped(text, REPLY_KEPT)), ...echoes.length > 0 ? { echoes } : {} }
  } catch (error) {
    if (error instanceof ServerAnswer) return { kind: 'rpc-error', text: capped(error.message, REPLY_KEPT) }
    if (!UsherError.is(error)) throw error
    return { kind: 'no-answer', text: impatient?.aborted ? `tools/call got no answer in ${patience} ms` : capped(error.message, REPLY_KEPT) }
  }
}

function textOf(result: Json): string {
  const content = isRecord(result) ? result['content'] : undefined
  const blocks = Array.isArray(content) ? (content as readonly Json[]).flatMap(block => isRecord(block) && typeof block['text'] === 'string' ? [block['text']] : []) : []
  return blocks.length > 0 ? blocks.join('\n') : JSON.stringify(result)
}

/** Waits at most so long (ms), and no longer than until nothing in the process tree can act by itself. */
export async function settled(mark: string, settle: number): Promise<void> {
  const end = Date.now() + settle
  let idle = 0
  while (Date.now() < end) {
    await delay(Math.min(LOOK, Math.max(1, end - Date.now())))
    idle = isIdle(mark, settle) === true ? idle + 1 : 0
    if (idle >= 2) return
  }
}
