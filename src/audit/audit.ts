/** START HERE: list, flag, call, watch. One server, one report. */
import { UsherError } from '../errors.ts'
import type { WireEntry } from '../mcp/connection.ts'
import { judgeTools } from '../mcp/judge.ts'
import { isRecord } from '../util/records.ts'
import { quoted } from '../util/mask.ts'
import { settled } from './call.ts'
import { Caller, type Listed } from './caller.ts'
import { flagTool } from './flags.ts'
import { summarise, type AuditFlag, type AuditReport } from './report.ts'
import { Session, type AuditTarget, type SessionOptions } from './session.ts'

export interface AuditOptions extends SessionOptions {
  /** Call every tool, not only the flagged ones. */
  readonly all: boolean
  /** ms to wait for what comes after a reply. */
  readonly settle: number
  /** Told what is being done, for a person who waits. */
  readonly onProgress?: (words: string) => void
}

export const AUDIT_DEFAULTS = { all: false, network: 'cut', trace: 'auto', timeout: 30_000, settle: 2000 } as const satisfies AuditOptions

/** Never rejects for what a server does: that is in the report. Throws BAD_OPTION for means that were asked for and are not there. */
export async function audit(target: AuditTarget, given: Partial<AuditOptions> = {}): Promise<AuditReport> {
  // Nothing of a server at an address can be seen, so there is nothing to wait for after its replies.
  const options: AuditOptions = { ...AUDIT_DEFAULTS, ...given, ...target.kind === 'url' ? { settle: 0 } : {} }
  const session = new Session(target, options)
  const server = target.kind === 'url' ? target.url : target.command.join(' ')
  const caller = new Caller(session, options)
  let listed: readonly Listed[] = []
  let failure: string | undefined
  try {
    options.onProgress?.('starting the server')
    listed = await list(session, options, caller)
    const wanted = listed.filter(one => options.all || one.flags.length > 0)
    for (const [at, one] of wanted.entries()) await caller.call(one, `${at + 1} of ${wanted.length}: `)
    await caller.last()
  } catch (error) {
    if (!UsherError.is(error) || error.code !== 'SERVER_FAILED') throw error
    failure = session.scratch.hide(error.message)
  } finally {
    await session.close()
  }
  // Also what was listed and not called any more stands in the report.
  const tools = listed.map(one => caller.result(one))
  return { server, tools, watchers: session.watchers(), startUp: caller.startUp, notes: session.notes, ...failure === undefined ? {} : { failure }, summary: summarise(tools, options.all, failure !== undefined) }
}

async function list(session: Session, options: AuditOptions, caller: Caller): Promise<readonly Listed[]> {
  await session.start()
  options.onProgress?.('listing its tools')
  const entries = await session.connection.listTools()
  await settled(session.mark, options.settle)
  await caller.began()
  if (entries.length === 0) throw new UsherError('SERVER_FAILED', 'the server lists no tools: silence is not a pass')
  for (const stray of session.connection.strays) session.notes.push(`on its stdout, which belongs to the protocol: ${stray}`)
  return flagged(entries)
}

/**
 * Each entry judged alone; one that a strict client would refuse is flagged for it, and called all the same: a lax client would. Of a name that is
 * listed twice each entry counts: nobody can say which of them a client shows.
 */
function flagged(entries: readonly WireEntry[]): readonly Listed[] {
  const { bad, lookAlikes } = judgeTools(entries)
  return entries.map(({ value }, at): Listed => {
    const tool = isRecord(value) ? value : {}
    const name = typeof tool['name'] === 'string' && tool['name'] !== '' ? tool['name'] : `tool ${at}`
    const alike = lookAlikes.find(group => group.includes(name))
    const more: AuditFlag[] = alike ? [{ path: '', rule: 'look-alike', level: 'look here', why: `looks like ${alike.filter(other => other !== name).map(quoted).join(', ')}` }] : []
    return { name, tool, flags: [...flagTool(tool, bad.find(one => one.name === name)?.why), ...more] }
  })
}
