/** The settings that make Claude Code call the hooks. Printed, never written: its settings are control plane, a person's to change. */
import { resolve } from 'node:path'
import { deniedNames } from '../integrations/gate/tool-names.ts'
import type { JsonObject } from '../types.ts'
import { DEFAULT_LIMITS, unknownAfterOption, type HookName, type HookOptions } from './hook-options.ts'
import { DEFAULT_LOG } from './setup.ts'

/** Claude Code's own limit comes after ours: at its limit the tool would run. */
const MARGIN_SECONDS = 7

export function hookSettings(options: Omit<HookOptions, 'limit'>): JsonObject {
  const log = ['--log', resolve(options.log ?? DEFAULT_LOG)]
  const files = [...options.routes ? ['--routes', ...options.routes.map(path => resolve(path))] : [], ...options.tools ? ['--tools', resolve(options.tools)] : []]
  const contracts = options.contracts === undefined ? [] : ['--contracts', resolve(options.contracts), ...options.iOwnThisMachine ? ['--i-own-this-machine'] : []]
  deniedNames(options.deny)
  if (options.unknownAfter !== undefined) unknownAfterOption(options.unknownAfter)
  const tools = [...options.pass ? ['--pass', ...options.pass] : [], ...options.deny ? ['--deny', ...options.deny] : [], ...options.unknownAfter ? ['--unknown-after', options.unknownAfter] : []]
  const post = entry('post-tool-use', [...log, ...options.results ? ['--results'] : []])
  return {
    hooks: {
      ...options.routes ? { UserPromptSubmit: [{ hooks: [entry('user-prompt-submit', [...log, ...files, ...options.unlabelled ? ['--unlabelled', options.unlabelled] : []])] }] } : {},
      PreToolUse: [{ matcher: '*', hooks: [entry('pre-tool-use', [...log, ...files, ...contracts, ...tools])] }],
      PostToolUse: [{ matcher: '*', hooks: [post] }],
      PostToolUseFailure: [{ matcher: '*', hooks: [post] }],
    },
  }
}

function entry(hook: HookName, words: readonly string[]): JsonObject {
  // `|| exit 2`: also where the program is missing or was killed, since only 2 stops the tool.
  return { type: 'command', command: `usher hook ${hook} ${words.map(quotedForShell).join(' ')} || exit 2`, timeout: DEFAULT_LIMITS[hook] + MARGIN_SECONDS }
}

function quotedForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll('\'', '\'\\\'\'')}'`
}
