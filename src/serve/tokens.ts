/**
 * Tokens of sources. The source of an event is the one its token was made for (`ingest:owns`); only the token's hash is kept, in one file of
 * mode 0600 in the state folder. A server that runs takes a new one only where the log names the file that has it (`control:human`).
 */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { UsherError } from '../errors.ts'
import { isSource } from '../ingest/source.ts'
import { canonicalJson, sha256 } from '../util/canonical.ts'
import { own } from '../util/own.ts'
import { isRecord } from '../util/records.ts'
import { readPrivate, writePrivate } from './private-files.ts'
import { hashOf, isSecret, newSecret } from './secrets.ts'

/** `full`: whoever sends an event hears all that became of it; `kind`: only what kind of outcome, so that nothing of routes or results goes back. */
export type Answers = 'full' | 'kind'
export interface SourceToken { readonly name: string, readonly source: string, readonly answers: Answers, readonly hash: string, readonly addedAt: string }

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/
/** Sources that Usher gives itself (`call:model`). */
const OWN_KINDS: ReadonlySet<string> = new Set(['call'])

/** What a server asks of a file that changed under it. */
export interface TokenGuard {
  /** Does the log's newest row about tokens name these bytes? */
  readonly named: (digest: string) => boolean
  /** Told once of each file with tokens that nobody named. */
  readonly unnamed: (names: readonly string[], digest: string) => void
}

export class TokenStore {
  readonly file: string
  #stamp = ''
  #tokens: readonly SourceToken[] = []
  #guard: TokenGuard | undefined
  #said = ''
  constructor(folder: string) { this.file = join(folder, 'tokens.json') }

  /** From now on the tokens are those of this moment, less what is taken away, and more only where a person's row names the file. */
  guard(guard: TokenGuard): void {
    this.list()
    this.#guard = guard
  }

  /** SHA-256 of the file. */
  get digest(): string { return sha256(readPrivate(this.file) ?? '') }

  /** Throws SERVE_FAILED for a file that others can read, or that is damaged. */
  list(): readonly SourceToken[] {
    const stamp = stampOf(this.file)
    if (stamp === this.#stamp) return this.#tokens
    const text = readPrivate(this.file)
    const tokens = text === undefined ? [] : parse(text, this.file)
    const fresh = this.#guard === undefined ? [] : tokens.filter(token => !this.#tokens.some(known => canonicalJson({ ...known }) === canonicalJson({ ...token })))
    const digest = sha256(text ?? '')
    if (fresh.length > 0 && this.#guard?.named(digest) === false) {
      // No stamp is kept: the row may come a moment after the file.
      this.#tokens = tokens.filter(token => !fresh.includes(token))
      if (this.#said !== digest) this.#guard.unnamed(fresh.map(token => token.name), digest)
      this.#said = digest
      return this.#tokens
    }
    this.#tokens = tokens
    this.#stamp = stamp
    return this.#tokens
  }

  /** Undefined: no such token. */
  find(token: string): SourceToken | undefined {
    if (!isSecret('source', token)) return undefined
    const hash = hashOf(token)
    return this.list().find(known => known.hash === hash)
  }

  /** Gives the token itself, which is nowhere else. Throws BAD_OPTION. */
  add(wanted: { readonly name: string, readonly source: string, readonly answers: Answers, readonly at: number }): string {
    const { name, source, answers, at } = wanted
    if (!NAME.test(name)) throw new UsherError('BAD_OPTION', `a token's name is 1 to 60 letters, digits, "-", "_" or ".", got ${JSON.stringify(name)}`)
    if (!isSource(source) || OWN_KINDS.has(source.split(':', 1)[0] ?? '')) throw new UsherError('BAD_OPTION', `--source must be a name like "webhook" or "chat:alice" (and not "call", which is Usher's own), got ${JSON.stringify(source)}`)
    const before = this.list()
    if (before.some(token => token.name === name)) throw new UsherError('BAD_OPTION', `there is a token called ${name} already; revoke it first, or choose another name`)
    const token = newSecret('source')
    this.#write([...before, { name, source, answers, hash: hashOf(token), addedAt: new Date(at).toISOString() }])
    return token
  }

  /** False: there was none of that name. */
  revoke(name: string): boolean {
    const before = this.list()
    const after = before.filter(token => token.name !== name)
    if (after.length === before.length) return false
    this.#write(after)
    return true
  }

  #write(tokens: readonly SourceToken[]): void {
    writePrivate(this.file, `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`)
  }
}

function stampOf(file: string): string {
  const found = lstatSync(file, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs} ${found.mode}` : 'none'
}

function parse(text: string, file: string): readonly SourceToken[] {
  const bad = (why: string) => new UsherError('SERVE_FAILED', `${file}: ${why}; no source is let in until it is mended or removed`)
  let value: unknown
  try { value = JSON.parse(text) } catch (cause) { throw new UsherError('SERVE_FAILED', `${file} is no JSON; no source is let in until it is mended or removed`, { cause }) }
  if (!isRecord(value) || value['version'] !== 1 || !Array.isArray(value['tokens'])) throw bad('it is no list of tokens')
  return value['tokens'].map((entry: unknown): SourceToken => {
    if (!isRecord(entry)) throw bad('an entry is no object')
    const [name, source, hash, addedAt, answers] = ['name', 'source', 'hash', 'addedAt', 'answers'].map(key => own(entry, key))
    if (typeof name !== 'string' || typeof source !== 'string' || !isSource(source) || typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash) || typeof addedAt !== 'string') throw bad('an entry is no token')
    return { name, source, hash, addedAt, answers: answers === 'kind' ? 'kind' : 'full' }
  })
}
