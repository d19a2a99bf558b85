/** START HERE: list, flag, call, watch. One server, one report. */
import { UsherError } from '../errors.ts'
import type { WireEntry } from '../mcp/connection.ts'
import { judgeTools } from '../mcp/judge.ts'
import type { JsonObject } from '../types.ts'
import { isRecord } from '../util/records.ts'
import { quoted } from '../util/mask.ts'
import { perform, settled, verdictOf, type Performed } from './call.ts'
import { canariesIn } from './canary.ts'
import { flagTool, inputSchemaOf } from './flags.ts'
import { planCalls, type PlannedCall } from './plan.ts'
import { summarise, type AuditCall, type AuditEffect, type AuditFlag, type AuditReport, type AuditTool } from './report.ts'
import { steady } from './steady.ts'
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

/** A call that takes longer, in ms, is not made twice. */
const REPEAT_UNDER = 5000

interface Listed { readonly name: string, readonly tool: JsonObject, readonly flags: readonly AuditFlag[] }

/** Never rejects for what a server does: that is in the report. Throws BAD_OPTION for means that were asked for and are not there. */
export async function audit(target: AuditTarget, given: Partial<AuditOptions> = {}): Promise<AuditReport> {
  const options: AuditOptions = { ...AUDIT_DEFAULTS, ...given }
  const session = new Session(target, options)
  const server = target.kind === 'url' ? target.url : target.command.join(' ')
  const startUp: AuditEffect[] = []
  const tools: AuditTool[] = []
  let failure: string | undefined
  try {
    options.onProgress?.('starting the server')
    const listed = await list(session, options, startUp)
    for (const one of listed) tools.push(options.all || one.flags.length > 0 ? await callTool(session, one, options, startUp) : { name: one.name, flags: one.flags, calls: [], exercised: false })
  } catch (error) {
    if (!UsherError.is(error) || error.code !== 'SERVER_FAILED') throw error
    failure = session.scratch.hide(error.message)
  } finally {
    await session.close()
  }
  return { server, tools, watchers: session.watchers(), startUp, notes: session.notes, ...failure === undefined ? {} : { failure }, summary: summarise(tools, options.all, failure !== undefined) }
}

async function list(session: Session, options: AuditOptions, startUp: AuditEffect[]): Promise<readonly Listed[]> {
  await session.start()
  options.onProgress?.('listing its tools')
  const entries = await session.connection.listTools()
  await settled(session.mark, options.settle)
  const began = (await session.watch.collect(Date.now())).effects
  startUp.push(...began.filter(effect => !session.isOwnStart(effect)))
  if (entries.length === 0) throw new UsherError('SERVER_FAILED', 'the server lists no tools: silence is not a pass')
  for (const stray of session.connection.strays) session.notes.push(`on its stdout, which belongs to the protocol: ${stray}`)
  return flagged(entries)
}

/** Each entry judged alone; one that a strict client would refuse is flagged for it, and called all the same: a lax client would. */
function flagged(entries: readonly WireEntry[]): readonly Listed[] {
  const { bad, lookAlikes } = judgeTools(entries)
  const seen = new Set<string>()
  return entries.flatMap(({ value }, at): Listed[] => {
    const tool = isRecord(value) ? value : {}
    const name = typeof tool['name'] === 'string' && tool['name'] !== '' ? tool['name'] : `tool ${at}`
    if (seen.has(name)) return []
    seen.add(name)
    const alike = lookAlikes.find(group => group.includes(name))
    const more: AuditFlag[] = alike ? [{ path: '', rule: 'look-alike', level: 'look here', why: `looks like ${alike.filter(other => other !== name).map(quoted).join(', ')}` }] : []
    return [{ name, tool, flags: [...flagTool(tool, bad.find(one => one.name === name)?.why), ...more] }]
  })
}

async function callTool(session: Session, { name, tool, flags }: Listed, options: AuditOptions, startUp: AuditEffect[]): Promise<AuditTool> {
  const planned = planCalls(inputSchemaOf(tool), { ...session.scratch.places, toolName: name })
  prepare(session, planned)
  const calls: AuditCall[] = []
  for (const plan of planned) {
    options.onProgress?.(`${name} ${JSON.stringify(plan.arguments)}`)
    const first = await one(session, name, plan, options, startUp, calls)
    if (first.verdict === 'not-exercised' || first.ms > REPEAT_UNDER) continue
    const again = await one(session, name, plan, options, startUp, calls)
    // The same again says nothing new; what differs shows that the tool remembers.
    if (sameDoing(first, again)) calls.pop()
    else calls.push({ ...calls.pop() as AuditCall, nth: 2 })
  }
  const seen = claimsSeen(tool, calls)
  const arms = flags.some(flag => flag.level === 'arms') && planned.some(plan => plan.armed)
  const exercised = calls.some(call => call.verdict !== 'not-exercised' && (!arms || planned.some(plan => plan.armed && session.scratch.hide(JSON.stringify(plan.arguments)) === JSON.stringify(call.arguments))))
  return { name, flags: [...flags, ...seen], calls, exercised }
}

/** The canary files hold the very texts that the tool is called with. */
function prepare(session: Session, planned: readonly PlannedCall[]): void {
  session.scratch.restore([...new Set(planned.flatMap(plan => canariesIn(JSON.stringify(plan.arguments))))].filter(word => !word.includes('/')))
  session.watch.rebase()
}

async function one(session: Session, name: string, plan: PlannedCall, options: AuditOptions, startUp: AuditEffect[], calls: AuditCall[]): Promise<Performed> {
  if (!session.running) {
    await session.start()
    startUp.push(...(await session.watch.collect(0)).effects.filter(effect => !session.isOwnStart(effect) && !startUp.some(known => known.kind === effect.kind && known.target === effect.target)))
  }
  const done = await perform(session, name, plan.arguments, options.settle)
  blame(calls, done.late)
  const args = JSON.parse(session.scratch.hide(JSON.stringify(plan.arguments))) as JsonObject
  calls.push({ arguments: args, verdict: done.verdict, effects: done.effects, reply: done.reply, about: plan.about, ...done.unwatched.length > 0 ? { unwatched: done.unwatched } : {} })
  if (done.reply.kind === 'no-answer') {
    session.notes.push(`${quoted(name)} did not answer, and the server was started again: ${done.reply.text.split('\n')[0]}`)
    await session.stop()
  }
  return done
}

/** What came after a call's wait was over can only be its own doing, or a clock's: it is told with it. */
function blame(calls: AuditCall[], late: readonly AuditEffect[]): void {
  const last = calls.at(-1)
  if (!last || late.length === 0) return
  const effects = [...last.effects, ...late.map((effect): AuditEffect => ({ ...effect, afterReply: true }))]
  calls[calls.length - 1] = { ...last, effects, verdict: verdictOf(last.reply, effects, last.unwatched ?? []) }
}

const brief = (done: Performed): string => JSON.stringify([done.verdict, [...new Set(done.effects.filter(effect => effect.level === 'acts').map(effect => `${effect.kind} ${steady(effect.target)}`))].sort()])
const sameDoing = (first: Performed, again: Performed): boolean => brief(first) === brief(again)

/** A tool that says it only reads, and acted. */
function claimsSeen(tool: JsonObject, calls: readonly AuditCall[]): readonly AuditFlag[] {
  const claims = isRecord(tool['annotations']) ? tool['annotations'] : {}
  const acted = calls.find(call => call.verdict === 'fail')
  if (!acted) return []
  const found = acted.effects.find(effect => effect.level === 'acts')
  const what = `${found?.kind ?? ''} ${found?.target ?? ''}`
  return [
    ...claims['readOnlyHint'] === true ? [{ path: '', rule: 'annotation', level: 'arms', why: `says that it only reads, and did ${what}` } as const] : [],
    ...claims['destructiveHint'] === false && found?.kind === 'fs.delete' ? [{ path: '', rule: 'annotation', level: 'arms', why: `says that it destroys nothing, and did ${what}` } as const] : [],
    ...claims['openWorldHint'] === false && acted.effects.some(effect => /^(net|http|dns|udp)\./.test(effect.kind)) ? [{ path: '', rule: 'annotation', level: 'arms', why: `says that it stays in its own world, and did ${what}` } as const] : [],
  ]
}
