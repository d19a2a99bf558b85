/** `usher approvals`, `usher approve`, `usher deny`: what waits for a person, exactly as it would be called. */
import type { Command } from 'commander'
import type { Decision } from '../../approvals/approvals.ts'
import type { Card } from '../../approvals/card.ts'
import { UsherError } from '../../errors.ts'
import { capped, visible } from '../../util/mask.ts'
import { approveLive } from '../approve-live.ts'
import { openStore } from '../contract-options.ts'
import { refuseWidened } from '../accepted-routes.ts'
import { controlGuard } from '../control-guard.ts'
import { type ApproveOptions, type DeskCommandOptions, withApprover, withDesk } from '../desk.ts'
import type { CallLog } from '../../ports.ts'
import type { Io } from '../io.ts'
import { LateActs } from '../late-acts.ts'
import { personName, proofFor, type PersonOptions } from '../person.ts'
import { routesFolder } from '../setup.ts'
import { table } from '../table.ts'
import { watchChildren } from '../watch-children.ts'

const STATES = ['waiting', 'approved', 'spent', 'denied', 'expired', 'void'] as const

export function registerApprovals(program: Command, io: Io): void {
  program.command('approvals')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)').option('--state <folder>', 'the state folder').option('--all', 'decided ones too').option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  $ usher approvals\n\nExit code: 0 nothing waits, 1 something does, 2 used wrongly.')
    .action((options: DeskCommandOptions & { all?: true, json?: true }) => withDesk(options, async ({ approvals, proof }) => {
      const cards = await approvals.list(options.all ? STATES : ['waiting'])
      const notice = await proof.notice()
      if (cards.some(card => card.state === 'waiting')) io.exit(1)
      if (options.json) { io.out(JSON.stringify({ cards, notice: notice ?? null }, null, 2)); return }
      if (notice) io.err(io.paint('yellow', notice))
      io.out(cards.length === 0 ? 'nothing waits for you' : cards.map(card => cardText(io, card)).join('\n\n'))
    }))
}

/** Everything that a person has to see before a yes; nothing of it can move the cursor or hide. */
export function cardText(io: Io, card: Card): string {
  const line = (name: string, value: string): [string, string] => [name, visible(value)]
  return `${io.paint('bold', card.id)}  ${card.state}${card.state === 'waiting' ? ` until ${new Date(card.expiresAt).toISOString()}` : card.decidedBy ? ` by ${card.decidedBy}` : ''}\n${table(io, ['', ''], [
    line('would call', card.tool), ...card.state === 'waiting' ? [line('arguments', JSON.stringify(card.args))] : [], ...card.presetBytes === undefined ? [] : [line('preset', card.presetBytes)],
    line('may cause', card.effects.includes('unknown') ? 'anything: nobody said what it does' : card.effects.join(', ') || 'nothing'), ...card.route === undefined ? [] : [line('route', card.route)],
    line('event', `${card.event.source}: "${capped(card.event.text, 200)}"`), line('asked by', `${card.by}${card.who === undefined ? '' : ` (${card.who})`}`), line('why', card.why), line('sha256', card.hash),
    ...card.mode === 'grant' && card.state === 'waiting' ? [line('a yes', 'lets the same call pass once')] : [], ...card.replacedBy === undefined ? [] : [line('asks anew', card.replacedBy)],
  ], [12, 'rest'])}`
}

interface ApproveCommandOptions extends ApproveOptions, PersonOptions { readonly contracts?: string, readonly iOwnThisMachine?: true, readonly json?: true }

export function registerApprove(program: Command, io: Io): void {
  program.command('approve <id>')
    .option('--as <person>', 'your name (default: the user who runs this)').option('--key <file>', 'sign with this SSH key instead of a passphrase').option('--signers <file>', 'the allowed_signers file with your key')
    .option('--routes <path...>', 'route files or folders').option('--tools <module>', 'the tools module of your runtime (default: the example tools)').option('--real-opener', 'as for "usher run"')
    .option('--contracts <file>', 'tools of MCP servers, under the contracts of this file').option('--i-own-this-machine', 'the running user may own the contract files')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)').option('--state <folder>', 'the state folder').option('--json', 'as JSON')
    .addHelpText('after', `
Examples:
  $ usher approvals
  $ usher approve d-5f1c          a unique beginning of an id is enough

Exit code: 0 it was called, or will pass once, 1 it was not, 2 used wrongly.`)
    .action((id: string, options: ApproveCommandOptions) => approve(io, id, options))
}

async function approve(io: Io, id: string, options: ApproveCommandOptions): Promise<void> {
  const live = await approveLive(io, id, options, card => { if (card.state === 'waiting' && !options.json) io.out(cardText(io, card)) })
  if (live) { show(io, live, options.json === true); return }
  const isGrant = await withDesk(options, ({ approvals }) => { const card = approvals.find(id); return Promise.resolve(typeof card !== 'string' && card.mode === 'grant') })
  // A yes runs the routes' presets and the module's code: the same questions as before a runtime starts.
  if (!isGrant) refuseWidened(options)
  if (!isGrant) controlGuard(io, { routes: routesFolder(options.routes), tools: options.tools, settings: [options.signers], ownMachine: options.iOwnThisMachine }, () => undefined)
  const { contracts } = options
  const outside = contracts === undefined ? {} : { outside: async (log: CallLog) => {
    const { ContractTools } = await import('../../mcp/contract-tools.ts')
    const acts = new LateActs(io)
    await acts.open(log)
    return new ContractTools({ watch: watchChildren(undefined), store: openStore(io, { ...options, contracts }, (act, about, detail) => acts.act({ who: 'owner', act, about, detail, at: Date.now() })) })
  } }
  await (isGrant ? withDesk : withApprover)({ ...options, ...outside }, async ({ approvals, proof }) => {
    const card = approvals.find(id)
    if (typeof card !== 'string' && card.state === 'waiting' && !options.json) io.out(cardText(io, card))
    const given = typeof card === 'string' ? { kind: 'none' as const, who: personName(options) } : await proofFor(io, proof, { act: 'approve', about: `${card.id} ${card.hash}` }, options)
    show(io, await approvals.approve(id, given), options.json === true)
  })
}

export function registerDeny(program: Command, io: Io): void {
  program.command('deny <id>')
    .option('--why <words>', 'for the log').option('--as <person>', 'your name (default: the user who runs this)')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)').option('--state <folder>', 'the state folder').option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  $ usher deny d-5f1c --why "not now"')
    .action((id: string, options: DeskCommandOptions & PersonOptions & { why?: string, json?: true }) => withDesk(options, async ({ approvals }) => {
      show(io, await approvals.deny(id, personName(options), options.why), options.json === true)
    }))
}

function show(io: Io, decision: Decision, json: boolean): void {
  const good = decision.kind === 'granted' || decision.kind === 'denied' || (decision.kind === 'done' && decision.outcome.kind === 'called')
  if (!good) io.exit(1)
  if (decision.kind === 'unknown') throw new UsherError('BAD_OPTION', decision.why)
  if (json) { io.out(JSON.stringify(decision, null, 2)); return }
  switch (decision.kind) {
    case 'done': io.out(`${io.paint(good ? 'green' : 'red', decision.outcome.kind)}  ${visible(decision.outcome.why)}  ${decision.outcome.callId ?? ''}`); break
    case 'granted': io.out(`${io.paint('green', 'approved')}  the same call of ${visible(decision.card.tool)} passes once, until ${new Date(decision.card.expiresAt).toISOString()}`); break
    case 'denied': io.out(`${io.paint('cyan', 'denied')}  ${decision.card.id}`); break
    case 'gone': io.err(`${decision.state}: ${decision.why}`); break
    case 'void': io.err(`nothing was called: ${decision.changed.join(', ')} changed since it was asked.${decision.next ? ` Look again: usher approve ${decision.next.id}` : ''}`); if (decision.next) io.out(cardText(io, decision.next)); break
    case 'refused': io.err(`${io.paint('red', 'refused')}  ${decision.why}`); break
    default: decision satisfies never
  }
}
