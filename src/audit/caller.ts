/** Calls the tools of one session, one after the other, and keeps what each did. */
import type { JsonObject } from '../types.ts'
import { quoted } from '../util/mask.ts'
import { isRecord } from '../util/records.ts'
import { perform, settled, verdictOf, type Performed } from './call.ts'
import { canariesIn } from './canary.ts'
import { inputSchemaOf } from './flags.ts'
import { planCalls, type PlannedCall } from './plan.ts'
import type { AuditCall, AuditEffect, AuditFlag, AuditTool } from './report.ts'
import type { Session } from './session.ts'
import { steady } from './steady.ts'

export interface Listed { readonly name: string, readonly tool: JsonObject, readonly flags: readonly AuditFlag[] }

export interface CallerOptions { /** ms */ readonly settle: number, /** ms that a call may take. */ readonly timeout: number, readonly onProgress?: (words: string) => void }

/** A call that takes longer, in ms, is not made twice. */
const REPEAT_UNDER = 5000
/** A tool that gave no answer so often is not asked again. */
const MAX_SILENCE = 2
/** After so many calls in a row that ran into the time limit, the next ones get less of it (ms), until one answers: a server that hangs would be audited for hours. */
const HANGING = 3
const SHORT = 5000

interface Record { readonly planned: readonly PlannedCall[], readonly calls: AuditCall[] }

export class Caller {
  readonly startUp: AuditEffect[] = []
  readonly #session: Session
  readonly #options: CallerOptions
  /** By entry, not by name: a server may list one name twice. */
  readonly #records = new Map<Listed, Record>()
  #latest: AuditCall[] | undefined
  #hung = 0

  constructor(session: Session, options: CallerOptions) {
    this.#session = session
    this.#options = options
  }

  /** What happened so far was its start. */
  async began(): Promise<void> {
    const { effects } = await this.#session.watch.collect(Date.now())
    this.startUp.push(...effects.filter(effect => !this.#session.isOwnStart(effect) && !this.startUp.some(known => known.kind === effect.kind && known.target === effect.target)))
  }

  /** All argument sets of one tool. @param place for the progress line. Rejects with SERVER_FAILED where the server cannot be started again. */
  async call(listed: Listed, place = ''): Promise<void> {
    const { name, tool } = listed
    const planned = planCalls(inputSchemaOf(tool), { ...this.#session.scratch.places, toolName: name })
    const calls: AuditCall[] = []
    this.#records.set(listed, { planned, calls })
    await this.#prepare(planned)
    for (const plan of planned) {
      if (calls.filter(call => call.reply.kind === 'no-answer').length >= MAX_SILENCE) break
      this.#options.onProgress?.(`${place}${name} ${JSON.stringify(plan.arguments)}`)
      const first = await this.#one(name, plan, calls)
      if (first.verdict === 'not-exercised' || first.ms > REPEAT_UNDER) continue
      const again = await this.#one(name, plan, calls)
      // The same again says nothing new; what differs shows that the tool remembers.
      if (sameDoing(first, again)) calls.pop()
      else calls.push({ ...calls.pop() as AuditCall, nth: 2 })
    }
  }

  /** What came after everything. */
  async last(): Promise<void> {
    this.#blame((await this.#session.watch.collect(0)).effects)
  }

  result(listed: Listed): AuditTool {
    const { name, tool, flags } = listed
    const { planned, calls } = this.#records.get(listed) ?? { planned: [], calls: [] }
    const arms = flags.some(flag => flag.level === 'arms') && planned.some(plan => plan.armed)
    const armed = new Set(planned.filter(plan => plan.armed).map(plan => this.#shown(plan)))
    return { name, flags: [...flags, ...claimsSeen(tool, calls)], calls, exercised: calls.some(call => call.verdict !== 'not-exercised' && (!arms || armed.has(JSON.stringify(call.arguments)))) }
  }

  #shown(plan: PlannedCall): string {
    return this.#session.scratch.hide(JSON.stringify(plan.arguments))
  }

  /** The canary files hold the very texts that the tool is called with. What is seen before they are put back was the tool's before. */
  async #prepare(planned: readonly PlannedCall[]): Promise<void> {
    this.#blame((await this.#session.watch.collect(0)).effects)
    this.#session.scratch.restore([...new Set(planned.flatMap(plan => canariesIn(JSON.stringify(plan.arguments))))].filter(word => !word.includes('/')))
    this.#session.watch.rebase()
  }

  async #one(name: string, plan: PlannedCall, calls: AuditCall[]): Promise<Performed> {
    if (!this.#session.running) {
      await this.#session.start()
      await settled(this.#session.mark, this.#options.settle)
      await this.began()
    }
    const patience = this.#hung >= HANGING ? Math.min(SHORT, this.#options.timeout) : this.#options.timeout
    const done = await perform(this.#session, name, plan.arguments, this.#options.settle, patience < this.#options.timeout ? patience : undefined)
    this.#hung = done.reply.kind === 'no-answer' && done.ms >= patience ? this.#hung + 1 : 0
    if (this.#hung === HANGING && this.#options.timeout > SHORT) this.#session.notes.push(`${HANGING} calls in a row got no answer in ${this.#options.timeout / 1000} s, so the next ones were given ${SHORT / 1000} s until one answers; --timeout sets both`)
    this.#blame(done.late)
    calls.push({ arguments: JSON.parse(this.#shown(plan)) as JsonObject, verdict: done.verdict, effects: done.effects, reply: done.reply, about: plan.about, ...done.unwatched.length > 0 ? { unwatched: done.unwatched } : {} })
    this.#latest = calls
    if (done.reply.kind === 'no-answer') {
      const note = `${quoted(name)} did not answer, and ${this.#session.here ? 'the server was started again' : 'the connection was opened again'}: ${done.reply.text.split('\n')[0]}`
      if (!this.#session.notes.includes(note)) this.#session.notes.push(note)
      await this.#session.stop()
    }
    return done
  }

  /** What came after a call's wait was over can only be its own doing, or a clock's: it is told with it. */
  #blame(late: readonly AuditEffect[]): void {
    const calls = this.#latest
    const last = calls?.at(-1)
    if (!calls || !last || late.length === 0) return
    const effects = [...last.effects, ...late.map((effect): AuditEffect => ({ ...effect, afterReply: true }))]
    calls[calls.length - 1] = { ...last, effects, verdict: verdictOf(last.reply, effects, last.unwatched ?? []) }
  }
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
