/** Drafts: what somebody proposes that a tool may be. They wait in the review folder, which the loader never opens, and have no force. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsherError } from '../errors.ts'
import type { Json, JsonObject } from '../types.ts'
import { isRecord } from '../util/records.ts'
import { wireHash } from './hash.ts'
import { decodeStrict } from './read-file.ts'
import { readWire } from './wire.ts'

export interface Draft { readonly file: string, readonly proposedBy: string, readonly tools: readonly JsonObject[] }

/** A model that proposes without end must not fill the disk. */
const MAX_DRAFTS = 200
const MAX_BYTES = 4 * 1024 * 1024

/** Members of the wire that a record holds; the rest (title, `_meta`, what no SDK knows) is in its hash only, and in the draft for whoever reviews it. */
const RECORDED: ReadonlySet<string> = new Set(['name', 'description', 'inputSchema', 'outputSchema', 'annotations'])

/** Effects unknown and no privilege: a draft that a person signs without a look is good for nothing. */
export function draftRecord(wire: JsonObject, server: JsonObject, note: string): JsonObject {
  const field = (name: string): JsonObject => wire[name] === undefined ? {} : { [name]: wire[name] }
  const rest = Object.fromEntries(Object.entries(wire).filter(([name]) => !RECORDED.has(name)))
  return {
    name: wire['name'] ?? '', server, ...field('description'), inputSchema: wire['inputSchema'] ?? {}, ...field('outputSchema'), ...field('annotations'),
    effects: { always: ['unknown'] }, privileges: [], origin: 'draft', signed_by: '', wire_hash: wireHash(wire), draft_note: note, ...Object.keys(rest).length > 0 ? { draft_wire: rest } : {},
  }
}

/** The name of a draft's file says whose it is and cannot leave the folder, whatever it is made from. */
function draftFile(folder: string, from: string): string {
  const plain = from.toLowerCase().replace(/[^a-z0-9]+/g, '-').slice(0, 40)
  return join(folder, `${plain}-${createHash('sha256').update(from).digest('hex').slice(0, 8)}.draft.json`)
}

/** Writes (or replaces) the draft of one server or proposer. Has no `version`, so it is no contract file even where somebody moves it. Throws BAD_OPTION when the folder is full. */
export function writeDraft(folder: string, from: string, proposedBy: string, tools: readonly JsonObject[]): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = draftFile(folder, from)
  const text = `${JSON.stringify({ draft: 1, proposed_by: proposedBy, tools }, null, 2)}\n`
  if (text.length > MAX_BYTES) throw new UsherError('BAD_OPTION', `the draft has ${text.length} characters; ${MAX_BYTES} is the most`)
  if (!existsSync(file) && readdirSync(folder).length >= MAX_DRAFTS) throw new UsherError('BAD_OPTION', `${folder} holds ${MAX_DRAFTS} drafts; a person reviews or removes some first`)
  const fresh = `${file}.${randomBytes(4).toString('hex')}.new`
  writeFileSync(fresh, text, { mode: 0o600, flag: 'wx' })
  renameSync(fresh, file)
  return file
}

function readDraft(file: string): Draft {
  const bad = (why: string): UsherError => new UsherError('CONTRACT_INVALID', `${file}: ${why}`)
  if (statSync(file).size > MAX_BYTES) throw bad('it is too large for a draft')
  const text = decodeStrict(readFileSync(file))
  if (text === undefined) throw bad('it is not UTF-8')
  const reading = readWire(text)
  if (reading.kind === 'bad') throw bad(reading.why)
  const { value } = reading
  if (!isRecord(value) || value['draft'] !== 1 || !Array.isArray(value['tools']) || !value['tools'].every(isRecord)) throw bad('it is no draft (draft: 1, tools: [...])')
  return { file, proposedBy: typeof value['proposed_by'] === 'string' ? value['proposed_by'] : 'unknown', tools: value['tools'] as readonly JsonObject[] }
}

/** All drafts that can be read, and what is wrong with the others. */
export function readDrafts(folder: string): { readonly drafts: readonly Draft[], readonly errors: readonly string[] } {
  if (!existsSync(folder)) return { drafts: [], errors: [] }
  const drafts: Draft[] = []
  const errors: string[] = []
  for (const name of readdirSync(folder).filter(entry => entry.endsWith('.draft.json')).sort()) {
    try {
      drafts.push(readDraft(join(folder, name)))
    } catch (error) {
      if (!UsherError.is(error)) throw error
      errors.push(error.message)
    }
  }
  return { drafts, errors }
}

export function removeDraft(file: string): void {
  rmSync(file, { force: true })
}

export const toolKey = (record: JsonObject): string => {
  const server: Json | undefined = record['server']
  return isRecord(server) && typeof server['name'] === 'string' ? `${server['name']}/${String(record['name'])}` : String(record['name'])
}
