/**
 * Every command: its group and line in the help, and its file, loaded only when it is asked for: `usher log` needs no encoder, the help needs no
 * command at all, and a start should be immediate.
 */
import type { Command } from 'commander'
import type { Io } from '../io.ts'

export type Register = (program: Command, io: Io) => void
export interface CommandEntry { readonly group: string, readonly about: string, readonly load: () => Promise<Register> }

const GROUPS: readonly (readonly [group: string, commands: readonly (readonly [name: string, about: string, load: () => Promise<Register>])[]])[] = [
  ['Begin:', [
    ['init', 'Begin: write a route, a tool module and a test, and decide the example day with them.', async () => (await import('./init.ts')).registerInit],
    ['day', 'Replay one example day: background chatter about a "memory map", and one explicit ask at 15:47.', async () => (await import('./day.ts')).registerDay],
    ['doctor', 'Look at Node, native modules, model, index, routes, log, permissions, disk, clock, observer and contracts; say what to do.', async () => (await import('./doctor.ts')).registerDoctor],
    ['completion', 'Print completion for bash, zsh, fish.', async () => { const { registerCompletion } = await import('./completion.ts'); return (program, io) => registerCompletion(program, io, COMMANDS) }],
  ]],
  ['Decide and run:', [
    ['run', 'Take events (one JSON object a line) through the router, and say what became of each.', async () => (await import('./run.ts')).registerRun],
    ['decide', 'Say what an event would do, and why; call nothing, log nothing.', async () => (await import('./decide.ts')).registerDecide],
    ['serve', 'Run beside an agent: events by HTTP, Unix socket, standard input or a watched folder; the page; routes loaded anew when they change.', async () => (await import('./serve.ts')).registerServe],
    ['service', 'Print a systemd user unit or a launchd file that runs usher serve; what follows -- is given to it.', async () => (await import('./service.ts')).registerService],
    ['token', 'Tokens of sources: what comes with one is an event of its source, whatever it says of itself.', async () => (await import('./token.ts')).registerToken],
    ['hook', 'Stand in Claude Code: answer its hooks, and print the settings that call them.', async () => (await import('./hook.ts')).registerHook],
    ['mcp', 'Serve the log\'s questions to an agent, over MCP on standard input and output: decide, log_query, unexplained, explain. Read-only.', async () => (await import('./mcp.ts')).registerMcp],
    ['proxy', 'Stand between an MCP client and a server: only what is under contract passes, and each call is logged before it does.', async () => (await import('./proxy.ts')).registerProxy],
  ]],
  ['See what happened:', [
    ['log', 'List decisions and calls, newest last.', async () => (await import('./log.ts')).registerLog],
    ['unexplained', 'Which side effects had no explicit ask behind them?', async () => (await import('./unexplained.ts')).registerUnexplained],
    ['explain', 'Show the evidence of one event, decision, call or effect: words, phrase, scores, gate, arguments, effects, causes.', async () => (await import('./explain.ts')).registerExplain],
    ['blame', 'From an effect back to the words of the person who asked for it, or to the point where nobody did.', async () => (await import('./figures.ts')).registerBlame],
    ['stats', 'Per route: fired, held, near misses, false fires that were reported, time.', async () => (await import('./figures.ts')).registerStats],
    ['console', 'Serve the call log page on this machine, read-only, until Ctrl-C. The printed address opens it in a browser.', async () => (await import('./console.ts')).registerConsole],
    ['verify', 'Check the chain of rows, and its head against an anchor outside the file.', async () => (await import('./trust.ts')).registerVerify],
    ['anchor', 'Print one line that fixes the head of the log: keep it elsewhere, and give it to "usher verify --anchor".', async () => (await import('./trust.ts')).registerAnchor],
    ['prune', 'Cut old rows under a checkpoint, so that the chain still verifies. Unexplained effects stay.', async () => (await import('./trust.ts')).registerPrune],
  ]],
  ['Decide as a person:', [
    ['approvals', 'List what waits for a person: exactly what would be called.', async () => (await import('./approvals.ts')).registerApprovals],
    ['approve', 'Say yes to one card: the call runs once, with exactly the bytes that the card shows.', async () => (await import('./approvals.ts')).registerApprove],
    ['deny', 'Say no to one card.', async () => (await import('./approvals.ts')).registerDeny],
    ['stop', 'Stop all auto-invocation at once, in every process that shares the log, until "usher resume".', async () => (await import('./switches.ts')).registerStop],
    ['resume', 'Let auto-invocation go on after a stop, or after a halt that you looked at.', async () => (await import('./switches.ts')).registerResume],
    ['breaker', 'Breakers open after failures, denials or a false-fire report, and stay open until a person closes them.', async () => (await import('./switches.ts')).registerBreaker],
    ['report', 'Say that a call should not have happened: kept in the log, opens the route\'s breaker, and writes a patch for its must_not_fire into the review folder.', async () => (await import('./figures.ts')).registerReport],
    ['passphrase', 'Set or change the passphrase that proves a person, typed on a terminal; kept only as a slow hash in the state folder.', async () => (await import('./passphrase.ts')).registerPassphrase],
  ]],
  ['Routes:', [
    ['check', 'Load route files, run their must_fire and must_not_fire, say what was read and what looks risky.', async () => (await import('./check.ts')).registerCheck],
    ['routes', 'Routes are control plane: see what changed since a person accepted them, and accept it.', async () => (await import('./routes.ts')).registerRoutes],
    ['calibrate', 'Choose the thresholds of routes without effects that have five triggers or more; write them, and why, beside the route files.', async () => (await import('./calibrate.ts')).registerCalibrate],
    ['eval', 'Score labelled events: {routes: [{name, tool, triggers, ...}], cases: [{text, source, route | null, kind?, slots?}]}.', async () => (await import('./eval.ts')).registerEval],
    ['replay', 'Decide every logged event again under other routes; call nothing; print the difference.', async () => (await import('./replay.ts')).registerReplay],
  ]],
  ['Tools:', [
    ['contract', 'What a person agreed that the tools of a server are: draft, review, sign, verify, list.', async () => (await import('./contract.ts')).registerContract],
    ['audit', 'List, flag, call and watch the tools of any MCP server: which of them act when called with nothing, or with what a careless filler sends?', async () => (await import('./audit.ts')).registerAudit],
    ['fill', 'Fill a JSON Schema from a text: each value with the characters it came from, and what may never be filled.', async () => (await import('./fill.ts')).registerFill],
    ['schema', 'Measure the visible schemas of tools: size in UTF-16 units, share described, and a ratchet that only tightens.', async () => (await import('./schema.ts')).registerSchema],
  ]],
  ['Several machines:', [
    ['fleet', 'Several machines with one log (PostgreSQL) and one stream of events (NATS JetStream): make it, look at it, pin what may fire.', async () => (await import('./fleet.ts')).registerFleet],
  ]],
]

export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map(GROUPS.flatMap(([group, commands]) => commands.map(([name, about, load]) => [name, { group, about, load }])))
