/**
 * `usher hook`: Claude Code's hooks. Only 0 and 2 are ever its exit codes: Claude Code lets the tool run at any other. So this process does
 * nothing that could fail; the work is a child's, and whatever becomes of the child, this one answers in time.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { builtFile } from '../../util/built.ts'
import { capped } from '../../util/mask.ts'
import { isRecord } from '../../util/records.ts'
import { DEFAULT_LIMITS, HOOK_NAMES, HOOK_TASK, type HookName, type HookOptions, type HookTask } from '../hook-options.ts'
import { hookSettings } from '../hook-settings.ts'
import type { Io } from '../io.ts'
import { runtimeProcess } from '../runtime-process.ts'

const ABOUT: Readonly<Record<HookName, string>> = {
  'user-prompt-submit': 'A prompt goes past the routes first; what its owner asked for in words is done, and the model is told.',
  'pre-tool-use': 'Judge and log a tool use before it runs: effects wait for a person, what no contract covers is denied.',
  'post-tool-use': 'Log how a tool use ended (PostToolUse and PostToolUseFailure).',
}
const MAX_ANSWER = 1024 * 1024

export function registerHook(program: Command, io: Io): void {
  const hook = program.command('hook')
  for (const name of HOOK_NAMES) {
    withOptions(hook.command(name).description(ABOUT[name]), name)
      .addHelpText('after', '\nReads the hook\'s JSON from standard input.\nExit code: 0 answered (a denial is in the JSON), 2 whatever else happened: then the tool does not run.')
      .action((options: HookOptions) => answer(io, name, options))
  }
  withOptions(hook.command('install').description('Print the settings for .claude/settings.json; change no file.'))
    .addHelpText('after', `
Examples:
  $ usher hook install
  $ usher hook install --routes routes --tools tools.mjs --pass Edit Write > settings.json`)
    .action((options: Omit<HookOptions, 'limit'>) => { io.out(JSON.stringify(hookSettings(options), null, 2)) })
}

function withOptions(command: Command, name?: HookName): Command {
  command.option('--log <file>', 'the call log (default: .usher/log.sqlite)')
  if (name !== 'post-tool-use') command.option('--routes <path...>', 'route files or folders').option('--tools <module>', 'a tools module')
  if (name !== 'user-prompt-submit' && name !== 'post-tool-use') {
    command.option('--pass <tool...>', 'tools whose effects you let pass without a question').option('--deny <tool...>', 'tools that never run: names in any casing, * for any characters')
      .option('--unknown-after <duration>', 'a tool use whose end nobody told reads unknown after this (default: 2h)')
      .option('--contracts <file>', 'MCP tools only under these contracts').option('--i-own-this-machine', 'the running user may own the contract files')
  }
  if (name !== 'pre-tool-use' && name !== 'post-tool-use') command.option('--unlabelled <source>', 'the source of prompts that Claude Code does not label (default: claude-code)')
  if (name !== 'pre-tool-use' && name !== 'user-prompt-submit') command.option('--results', 'keep what tools returned in the log; default: size and hash')
  return name ? command.option('--limit <seconds>', 'the longest it may take', String(DEFAULT_LIMITS[name])) : command
}

async function answer(io: Io, hook: HookName, options: HookOptions): Promise<void> {
  const limit = Number(options.limit)
  if (!(limit > 0 && limit <= 600)) { refuse(io, `--limit must be a number of seconds above 0 and up to 600, got ${JSON.stringify(options.limit)}`); return }
  if (hook === 'user-prompt-submit' && !options.routes) { refuse(io, 'user-prompt-submit needs --routes'); return }
  try {
    const ended = await work({ hook, options, pid: runtimeProcess(), limitMs: limit * 1000 })
    if (ended.kind === 'answer') io.out(ended.text)
    else refuse(io, ended.why)
  } catch (error) {
    // Another exit code would let the tool run, so not even a bug of ours may end this process by itself.
    refuse(io, error instanceof Error ? error.message : String(error))
  }
}

function refuse(io: Io, why: string): void {
  io.err(`usher hook: ${why}; nothing was let through`)
  io.exit(2)
}

type Ended = { readonly kind: 'answer', readonly text: string } | { readonly kind: 'none', readonly why: string }

function work(task: HookTask): Promise<Ended> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, ['--no-warnings', fileURLToPath(builtFile(import.meta.url, '../hook-worker.js'))], { stdio: ['inherit', 'pipe', 'pipe'], env: { ...process.env, [HOOK_TASK]: JSON.stringify(task) } })
    const output: string[] = []
    const words: string[] = []
    const end = (ended: Ended) => { clearTimeout(timer); child.kill('SIGKILL'); resolve(ended) }
    const timer = setTimeout(() => end({ kind: 'none', why: `no answer within ${task.limitMs / 1000} s` }), task.limitMs)
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => end({ kind: 'none', why: `stopped by ${signal}` }))
    child.stdout.setEncoding('utf8').on('data', (text: string) => { output.push(text) })
    child.stderr.setEncoding('utf8').on('data', (text: string) => { words.push(text) })
    child.once('error', error => end({ kind: 'none', why: error.message }))
    child.once('close', (code, signal) => end(code === 0 ? checked(output.join('')) : { kind: 'none', why: lastWords(words.join('')) ?? (signal === null ? `it ended with ${code}` : `it was killed (${signal})`) }))
  })
}

/** A child that wrote something else, or half of it, gave no answer. */
function checked(text: string): Ended {
  if (text.length > MAX_ANSWER) return { kind: 'none', why: 'its answer is too long' }
  let value: unknown
  try { value = JSON.parse(text) } catch { return { kind: 'none', why: 'its answer is no JSON' } }
  if (isRecord(value)) return { kind: 'answer', text: JSON.stringify(value) }
  return { kind: 'none', why: 'its answer is no JSON object' }
}

/** The message of the error that ended it, without the stack. */
function lastWords(text: string): string | undefined {
  const line = text.split('\n').find(one => /^(?:\w*Error|\w+Error \[\w+\])(?:: | \[)/.test(one.trim())) ?? text.trim().split('\n').at(-1)
  return line === undefined || line === '' ? undefined : capped(line.trim().replace(/^UsherError(?: \[\w+\])?: /, ''), 500)
}
