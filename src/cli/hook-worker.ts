/**
 * The work of one hook, in a process of its own: whatever happens to it, its supervisor still answers. Prints the answer as its last act, after
 * the log is closed; any other end is no answer.
 */
import { isUtf8 } from 'node:buffer'
import { resolve } from 'node:path'
import { UsherError } from '../errors.ts'
import { openSqliteLog } from '../log/sqlite.ts'
import { defaultStateDir } from '../log/state.ts'
import { CLAUDE, postToolUse, preToolUse, userPromptSubmit } from '../integrations/claude/hook.ts'
import type { HookAnswer } from '../integrations/claude/answer.ts'
import { readHookInput } from '../integrations/claude/input.ts'
import { idsOf, knownUse } from '../integrations/gate/ledger.ts'
import { deniedNames } from '../integrations/gate/tool-names.ts'
import type { ToolUse, UseParts } from '../integrations/gate/use.ts'
import { HOOK_TASK, unknownAfterOption, type HookOptions, type HookTask } from './hook-options.ts'
import { capped, quoted } from '../util/mask.ts'
import { processIo } from './io.ts'
import { logFile } from './setup.ts'

/** A prompt or a written file may be long; this is longer than any. */
const MAX_INPUT = 32 * 1024 * 1024

async function readInput(): Promise<unknown> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_INPUT) throw new UsherError('BAD_EVENT', `the hook's input is longer than ${MAX_INPUT} bytes`)
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  if (!isUtf8(bytes)) throw new UsherError('BAD_EVENT', 'the hook\'s input is not valid UTF-8; Claude Code gives it as JSON on standard input')
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') throw new UsherError('BAD_EVENT', 'the hook\'s input is empty; Claude Code gives it as JSON on standard input')
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new UsherError('BAD_EVENT', `the hook's input is not JSON (${text.length} characters, beginning with ${quoted(capped(text.trim(), 40))}); Claude Code gives it as one JSON object on standard input`, { cause })
  }
}

async function toolHook(task: HookTask, given: unknown): Promise<HookAnswer> {
  const { options, pid, limitMs } = task
  const file = logFile(options.log)
  const withLog = async (use: ToolUse, work: (parts: UseParts) => Promise<HookAnswer>): Promise<HookAnswer> => {
    const known = knownUse(file, idsOf(CLAUDE, use))
    // A locked log must end in an answer of ours, not in the runtime's own time limit.
    const log = openSqliteLog(file, { groupCommitMs: 0, busyTimeoutMs: Math.min(30_000, Math.max(100, Math.floor(limitMs / 3))) })
    try {
      return await work({ runtime: CLAUDE, log, known, pid, clock: { now: () => Date.now() }, ...(options.results ? { results: true } : {}), ...(options.unknownAfter === undefined ? {} : { unknownAfter: unknownAfterOption(options.unknownAfter) }) })
    } finally {
      log.close()
    }
  }
  if (task.hook === 'post-tool-use') {
    const input = readHookInput(given, 'PostToolUse')
    return withLog(input, parts => postToolUse(input, parts))
  }
  const input = readHookInput(given, 'PreToolUse')
  const contracts = options.contracts === undefined ? undefined : (await import('./contract-options.ts')).openStore(processIo(), options)
  const control = [file, defaultStateDir(), ...options.routes ?? ['routes'], ...(options.tools ? [options.tools] : []), ...(contracts ? Object.values(contracts.paths) : [])].map(path => resolve(path))
  return withLog(input, parts => preToolUse(input, { pass: new Set(options.pass), deny: deniedNames(options.deny), contracts, control }, parts))
}

/** The encoder, the routes and the tools are loaded for a prompt only: a tool use is judged without them. */
async function promptHook(options: HookOptions, given: unknown): Promise<HookAnswer> {
  const input = readHookInput(given, 'UserPromptSubmit')
  const { withUsher } = await import('./open.ts')
  const { log, routes, tools } = options
  return withUsher({ ...(log ? { log } : {}), ...(routes ? { routes } : {}), ...(tools ? { tools } : {}) }, {}, usher => userPromptSubmit(input, event => usher.handle(event), options.unlabelled === undefined ? {} : { unlabelled: options.unlabelled }))
}

const task = JSON.parse(process.env[HOOK_TASK] ?? '') as HookTask
Reflect.deleteProperty(process.env, HOOK_TASK)
const given = await readInput()
const answer = task.hook === 'user-prompt-submit' ? await promptHook(task.options, given) : await toolHook(task, given)
process.stdout.write(`${JSON.stringify(answer)}\n`)
