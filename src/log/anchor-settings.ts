/** How anchors leave this machine by themselves: `anchor.json` in the state folder, which `usher anchor --always` writes. */
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsherError } from '../errors.ts'
import { isRecord } from '../util/records.ts'

export interface AnchorSettings {
  /** Private SSH key, or the public half of one that an agent holds: an anchor that waits for a passphrase is not sent. */
  readonly sign?: string
  /** A file that lines are added to. */
  readonly to?: string
  /** A shell command that gets each line on its standard input. */
  readonly run?: string
  /** Ms between two; default 10 minutes. */
  readonly every: number
}

export const DEFAULT_EVERY = 600_000
const NAMES = ['version', 'sign', 'to', 'run', 'every']
const OTHERS_WRITE = 0o022

export const settingsFile = (stateDir: string): string => join(stateDir, 'anchor.json')

/** Undefined: there are none. Throws BAD_OPTION for a file that is none, or that others may write: it names a command. */
export function readAnchorSettings(stateDir: string): AnchorSettings | undefined {
  const file = settingsFile(stateDir)
  const bad = (why: string, cause?: unknown): UsherError => new UsherError('BAD_OPTION', `${file}: ${why}; usher anchor --always writes it, --never takes it away`, { cause })
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) return undefined
  if ((stats.mode & OTHERS_WRITE) !== 0 || (process.geteuid !== undefined && stats.uid !== process.geteuid())) throw bad('others may write it')
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw bad(`it is no JSON: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
  }
  if (!isRecord(value) || value['version'] !== 1) throw bad('it is not version 1')
  const unknown = Object.keys(value).find(name => !NAMES.includes(name))
  if (unknown !== undefined) throw bad(`it has the unknown key ${JSON.stringify(unknown)}`)
  const { every = DEFAULT_EVERY, sign, to, run } = value
  if (typeof every !== 'number' || !(every >= 0)) throw bad('"every" is no number of ms')
  const texts = Object.entries({ sign, to, run }).filter(([, text]) => text !== undefined)
  const wrong = texts.find(([, text]) => typeof text !== 'string' || text === '')
  if (wrong) throw bad(`${JSON.stringify(wrong[0])} is no text`)
  return { every, ...Object.fromEntries(texts) as Omit<AnchorSettings, 'every'> }
}

/** `undefined` takes them away. Throws what the file system throws. */
export function writeAnchorSettings(stateDir: string, settings: AnchorSettings | undefined): void {
  const file = settingsFile(stateDir)
  if (settings === undefined) { rmSync(file, { force: true }); return }
  const part = `${file}.${process.pid}`
  writeFileSync(part, `${JSON.stringify({ version: 1, ...settings }, null, 2)}\n`, { mode: 0o600 })
  chmodSync(part, 0o600)
  renameSync(part, file)
}
