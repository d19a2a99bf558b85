/**
 * "That was wrong": a false fire is kept in the log, opens the route's breaker, and becomes a `must_not_fire` line, offered as a patch in the
 * review folder. The loaded route file is never written: a person applies the patch, and accepts the change.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { reviewFolder } from '../contract/review-folder.ts'
import { UsherError } from '../errors.ts'
import type { CallLog, Clock } from '../ports.ts'
import { parseRoutes } from '../routes/load.ts'
import type { Route } from '../types.ts'
import { breakerName } from './owner-state.ts'
import { patchText } from './patch-text.ts'

export interface FalseFire {
  readonly callId: string
  readonly tool: string
  readonly route?: string
  /** The words of the event; undefined or null: the log has them no more. */
  readonly text?: string | null
  readonly who: string
  /** In the person's words. */
  readonly wrong: string
}

export interface ReportParts {
  readonly log: CallLog
  readonly clock: Clock
  readonly stateFolder: string
  /** The route as it is loaded, with its file; undefined: no patch. */
  readonly route?: Route
  /** Folder that paths in the patch are relative to; default: the working folder, where `git apply` and `patch -p1` run. */
  readonly base?: string
}

export type Reported = { readonly kind: 'patch', readonly file: string, readonly patch: string } | { readonly kind: 'kept', readonly why: string }

/** Rejects with LOG_WRITE_FAILED where it cannot be kept. */
export async function reportWrong(fire: FalseFire, parts: ReportParts): Promise<Reported> {
  const { log, clock } = parts
  const { callId, tool, route, who, wrong } = fire
  await log.act({ who, act: 'report', about: callId, detail: { wrong, name: breakerName(tool, route), ...route === undefined ? {} : { route } }, at: clock.now() })
  const made = patchFor(fire, parts)
  return made.kind === 'kept' ? made : { kind: 'patch', patch: made.patch, file: writePatch(parts.stateFolder, `${route ?? 'route'}-${callId}`, made.patch) }
}

function patchFor({ text: said, route: name }: FalseFire, { route, base = process.cwd() }: ReportParts): { readonly kind: 'patch', readonly patch: string } | { readonly kind: 'kept', readonly why: string } {
  if (name === undefined || route === undefined || route.name !== name || route.file === undefined || route.line === undefined) return { kind: 'kept', why: name === undefined ? 'no route is behind the call' : `the route ${JSON.stringify(name)} is not in the routes that are loaded here` }
  // A sentence of a route file is one line; words are compared without regard to white space.
  const text = said?.replace(/\s+/gu, ' ').trim() ?? ''
  if (text === '') return { kind: 'kept', why: 'the log no longer has the words of the event' }
  if (route.mustFire.includes(text)) return { kind: 'kept', why: `the words stand in must_fire of ${name} in ${route.file}; take them out there first, then add this line to must_not_fire: ${JSON.stringify(text)}` }
  if (route.mustNotFire.includes(text)) return { kind: 'kept', why: 'the words are in must_not_fire already' }
  const before = readFileSync(route.file, 'utf8')
  const after = withSentence(before, route.line, text)
  if (after === undefined || !holds(after, name, text)) return { kind: 'kept', why: `no patch fits the way that ${route.file} is written; add this line to must_not_fire of ${name}: ${JSON.stringify(text)}` }
  return { kind: 'patch', patch: patchText(relative(base, route.file).replaceAll('\\', '/'), before, after) }
}

/** The patch is offered only where the patched text is a route file that has the sentence, and differs in nothing else. */
function holds(after: string, name: string, text: string): boolean {
  try {
    return parseRoutes(after).routes.get(name)?.mustNotFire.at(-1) === text
  } catch (error) {
    if (!UsherError.is(error)) throw error
    return false
  }
}

const indentOf = (line: string): number => line.length - line.trimStart().length

/** The file with one more sentence, whether its list is written as a block, in brackets, or not at all. @param at line of the route's name, from 1 */
function withSentence(file: string, at: number, text: string): string | undefined {
  const lines = file.split('\n')
  const first = lines.slice(0, at).findLastIndex(line => /^\s*- /.test(line))
  if (first < 0) return undefined
  const dash = indentOf(lines[first] ?? '')
  const inside = (line: string): boolean => line.trim() === '' || indentOf(line) > dash
  const length = lines.slice(first + 1).findIndex(line => !inside(line))
  let end = length < 0 ? lines.length : first + 1 + length
  // Comments and blank lines before the next route belong to it.
  while (end > first + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1] ?? '')) end--
  const key = lines.slice(first, end).findIndex(line => /^\s*(?:- )?must_not_fire:/.test(line))
  // JSON's quotes and escapes are YAML's double-quoted style.
  const quotedText = JSON.stringify(text)
  if (key < 0) return [...lines.slice(0, end), `${' '.repeat(dash + 2)}must_not_fire:`, `${' '.repeat(dash + 4)}- ${quotedText}`, ...lines.slice(end)].join('\n')
  return withItem(lines, first + key, end, quotedText)
}

function withItem(lines: readonly string[], at: number, end: number, item: string): string | undefined {
  const line = lines[at] ?? ''
  const rest = line.slice(line.indexOf('must_not_fire:') + 'must_not_fire:'.length).trim()
  if (rest.startsWith('[')) {
    const close = line.lastIndexOf(']')
    if (close < 0) return undefined
    const empty = /\[\s*$/.test(line.slice(0, close))
    return [...lines.slice(0, at), `${line.slice(0, close).trimEnd()}${empty ? '' : ', '}${item}${line.slice(close)}`, ...lines.slice(at + 1)].join('\n')
  }
  if (rest !== '' && !rest.startsWith('#')) return undefined
  let last = at
  for (let nth = at + 1; nth < end && (/^\s*- /.test(lines[nth] ?? '') || /^\s*(?:#.*)?$/.test(lines[nth] ?? '') || indentOf(lines[nth] ?? '') > indentOf(line) + 2); nth++) if (/^\s*- /.test(lines[nth] ?? '')) last = nth
  if (last === at) return undefined
  return [...lines.slice(0, last + 1), `${' '.repeat(indentOf(lines[last] ?? ''))}- ${item}`, ...lines.slice(last + 1)].join('\n')
}

function writePatch(stateFolder: string, name: string, patch: string): string {
  const folder = reviewFolder(stateFolder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `must-not-fire-${basename(name).replace(/[^A-Za-z0-9_-]/g, '-')}.patch`)
  writeFileSync(`${file}.new`, patch, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return file
}
