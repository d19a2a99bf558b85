/**
 * How a message, an event, a result or a call tries to change what binds it. None of them can; finding the attempt makes it a row with the names
 * that it tried, and an error that says who may (`contract:no-model`).
 */
import { basename, resolve } from 'node:path'
import type { EffectPattern, Json, JsonObject } from '../types.ts'
import { isRecord } from '../util/records.ts'
import { parseEffect } from '../vocabulary/effects.ts'
import { realPath, within } from '../util/real-path.ts'

export type ControlAttempt =
  | { readonly kind: 'write', readonly names: readonly string[] }
  /** What somebody proposes that a tool may be: at most a draft. */
  | { readonly kind: 'proposal', readonly proposal: JsonObject }

/** What decides over calls, as others name it. */
const WORDS = ['contract', 'contracts', 'route', 'routes', 'allowlist', 'allow', 'signer', 'signers', 'server', 'servers', 'preset', 'presets', 'token', 'tokens', 'settings', 'approve', 'approval', 'approvals', 'resume', 'passphrase'] as const
const NAMES: ReadonlySet<string> = new Set([...WORDS, 'propose'])
const METHOD = new RegExp(`^(?:notifications/)?(?:usher/|(?:${WORDS.join('|')})(?:/|$)|tools/(?!list$|call$|list_changed$))`, 'i')

/** A JSON-RPC method that no MCP names, in the words of the control plane. `usher/propose` with a tool is a proposal. */
export function methodAttempt(method: string, params: Json | undefined): ControlAttempt | undefined {
  if (!METHOD.test(method)) return undefined
  const tool = isRecord(params) ? params['tool'] : undefined
  if (method === 'usher/propose' && isRecord(tool)) return { kind: 'proposal', proposal: tool }
  return { kind: 'write', names: [method, ...isRecord(params) ? Object.keys(params) : []] }
}

/** A member `usher` of an event's data or of a result (its `_meta` and structured content too) that names the control plane. */
export function dataAttempt(value: unknown): ControlAttempt | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const record = value as JsonObject
  for (const part of [record, own(record, '_meta'), own(record, 'structuredContent')]) {
    const usher = isRecord(part) ? own(part, 'usher') : undefined
    if (!isRecord(usher)) continue
    const propose = own(usher, 'propose')
    if (isRecord(propose)) return { kind: 'proposal', proposal: propose }
    const names = Object.keys(usher).filter(name => NAMES.has(name.toLowerCase()))
    if (names.length > 0) return { kind: 'write', names: names.map(name => `usher.${name}`) }
  }
  return undefined
}

const own = (record: JsonObject, name: string): Json | undefined => Object.hasOwn(record, name) ? record[name] : undefined

const WRITING: ReadonlySet<string> = new Set(['fs.write', 'fs.delete', 'fs.rename', 'fs.chmod', 'process.start', 'data.change', 'data.delete', 'unknown'])
const MOVING: ReadonlySet<string> = new Set(['fs.delete', 'fs.rename', 'fs.chmod'])

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // no percent code: as it is
  }
}

const MAX_TEXTS = 200
/** Longer than any path (PATH_MAX of Linux is 4096). */
const MAX_PATH = 4096

/**
 * A text among the arguments of a call that writes, which is the path of a control file: through links, and relative to the working folder.
 * @param effects that the tool declares for these arguments @param files and folders that only a person changes, absolute
 */
export function pathAttempt(args: JsonObject, effects: readonly EffectPattern[], files: readonly string[], cwd: string = process.cwd()): string | undefined {
  if (files.length === 0 || !effects.some(effect => WRITING.has(parseEffect(effect)?.kind ?? 'unknown'))) return undefined
  // A folder that holds the working folder itself would forbid all writing.
  const kept = files.flatMap(file => [resolve(file), realPath(resolve(file))]).filter(file => !within(file, resolve(cwd)))
  // To remove or move a folder is to remove or move what lies in it.
  const whole = effects.some(effect => MOVING.has(parseEffect(effect)?.kind ?? ''))
  const named = textsOf(args).find(text => {
    const path = resolve(cwd, /^file:\/\//i.test(text) ? decoded(text.slice('file://'.length)) : text)
    const real = realPath(path)
    return kept.some(file => within(file, path) || within(file, real) || (whole && (within(path, file) || within(real, file))))
  })
  return named ?? commandWord(args, kept, cwd, effects.some(effect => RUNNING.has(parseEffect(effect)?.kind ?? 'unknown')))
}

/** What separates the words of a command or a script. */
const BETWEEN = /[\s"'`<>|&;()=:,]+/
const MAX_WORDS = 2000

/** An operator of a shell, or an option: what a note has seldom and a command often. */
const COMMAND = /[>|;&]|\s--?[A-Za-z]/
const RUNNING: ReadonlySet<string> = new Set(['process.start', 'unknown'])

/**
 * A control file's name as a word of a text of several, as in a command line that goes to its folder first. A name counts that has a dot or an
 * underscore in it: "routes" is a word of notes. @param runs the tool starts programs, so every text of it may be a command
 */
function commandWord(args: JsonObject, kept: readonly string[], cwd: string, runs: boolean): string | undefined {
  const names = new Set(kept.map(file => basename(file)).filter(name => /[._]/.test(name)))
  const words = stringsOf(args).filter(text => text.length <= MAX_COMMAND && /\S\s+\S/.test(text) && (runs || COMMAND.test(text))).flatMap(text => text.split(BETWEEN).slice(0, MAX_WORDS))
  return words.find(word => {
    if (word === '' || word.includes('\0') || word.length > MAX_PATH) return false
    if (names.has(basename(word))) return true
    return word.includes('/') && kept.some(file => within(file, resolve(cwd, word)) || within(file, realPath(resolve(cwd, word))))
  })
}

/** A script longer than this is no command line. */
const MAX_COMMAND = 65_536

function stringsOf(value: Json, found: string[] = []): readonly string[] {
  if (found.length >= MAX_TEXTS) return found
  if (typeof value === 'string') found.push(value)
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) stringsOf(item as Json, found)
  return found
}

const PATH_KEY = /path|file|folder|dir|target|dest|source|uri|url|^(?:from|to|name)$/i

/** Texts that could be a path: with a separator or a dot in them, or under a name that says so. A note that reads "routes" is none. */
function textsOf(value: Json, found: string[] = [], key = ''): readonly string[] {
  if (found.length >= MAX_TEXTS) return found
  if (typeof value === 'string') {
    if (value !== '' && value.length <= MAX_PATH && !value.includes('\0') && (/[/\\.]/.test(value) || PATH_KEY.test(key))) found.push(value)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) textsOf(item as Json, found, Array.isArray(value) ? key : name)
  }
  return found
}
