/**
 * The contracts that hold now, checked again before each use. What is on disk and what was loaded must be the same file: a change halts
 * auto-invocation until a person acts, and the last good contracts stay readable.
 */
import { lstatSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { sha256 } from '../util/canonical.ts'
import { keepAccepted, readAccepted } from './accepted.ts'
import type { AccessOptions } from './file-access.ts'
import { type Contract, contractKey } from './contract.ts'
import { problem, type Problem } from './problems.ts'
import type { ProposalPlace } from './proposals.ts'
import { type ContractFile, readContractFile } from './read-file.ts'
import { reviewFolder } from './review-folder.ts'
import { accessProblems, awaitsSigners, type ContractPaths, judgeContracts, type Verdict } from './verify.ts'

export interface StoreOptions extends AccessOptions {
  readonly paths: ContractPaths
  /** Folder for the copy of what was accepted last; undefined: nothing is kept, and every load is a first one. */
  readonly stateFolder?: string
  readonly now?: () => number
  /** Told once for each halt, with the person who signed what held before. */
  readonly onHalt?: (problems: readonly Problem[], signedBy: readonly string[]) => void
}

export type Admission = { readonly kind: 'contract', readonly contract: Contract } | { readonly kind: 'refused', readonly reason: 'missing' | 'unsigned' | 'file' | 'unreadable', readonly why: string }

/** ms for which a judgement of files and folders that are as they were stands: keys expire without one of them changing. */
const JUDGED_FOR = 1000

/** What stat can tell of a file; equal stamps need no new hash. Undefined: not there. */
function stamp(path: string): string | undefined {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, mode, uid } = statSync(path, { bigint: true })
    return [dev, ino, size, mtimeNs, ctimeNs, mode, uid].join(' ')
  } catch {
    return undefined
  }
}

/** Mode and owner of a folder: what is put into it is no change. */
function folderStamp(path: string): string | undefined {
  try {
    const { mode, uid, gid } = lstatSync(path)
    return [mode, uid, gid].join(' ')
  } catch {
    return undefined
  }
}

function foldersAbove(files: readonly string[]): readonly string[] {
  const found = new Set<string>()
  for (const file of files) for (let folder = dirname(resolve(file)); !found.has(folder); folder = dirname(folder)) found.add(folder)
  return [...found]
}

function hashOf(path: string): string | undefined {
  try {
    return sha256(readFileSync(path))
  } catch {
    return undefined // gone or unreadable: no hash equals it
  }
}

/** Drafts lie beside the contracts that they may become. */
export function proposalPlace(store: Pick<ContractStore, 'paths' | 'readable'>): ProposalPlace {
  return { reviewFolder: reviewFolder(join(dirname(store.paths.file), '.usher')), current: () => store.readable }
}

export class ContractStore {
  readonly #options: StoreOptions
  #verdict: Verdict
  #lastGood: Verdict | undefined
  /** What an earlier run accepted, where this one has no good load yet. */
  #accepted: ReturnType<typeof readAccepted> | undefined
  #stamps: readonly (string | undefined)[] = []
  #hashes: readonly (string | undefined)[] = []
  #judgedAt = -Infinity
  #halted: readonly Problem[] | undefined
  /** Why the file on disk does not decide yet, though one of its signers signed it. */
  #waiting: readonly Problem[] = []
  readonly #folders: readonly string[]

  constructor(options: StoreOptions) {
    this.#options = options
    this.#folders = foldersAbove(this.#files())
    this.#verdict = this.#load()
  }

  get paths(): ContractPaths { return this.#options.paths }
  get status(): Verdict['status'] { return this.#halted ? 'refused' : this.#verdict.status }
  get problems(): readonly Problem[] { return this.#halted ?? this.#verdict.problems }
  /** Signatures that the file on disk still needs; until then what was signed before decides. Empty: none. */
  get waiting(): readonly Problem[] { return this.#waiting }
  /** What may be read: of the last good load where there was one, else of the present file. */
  get readable(): readonly Contract[] { return (this.#lastGood?.file ?? this.#accepted?.file ?? this.#verdict.file).contracts }
  /** People whose signatures stood behind the last good load. */
  get signedBy(): readonly string[] {
    const principals = (verdict: Verdict): readonly string[] => verdict.standing.good.flatMap(signature => signature.principals)
    return [...new Set(this.#lastGood ? principals(this.#lastGood) : this.#accepted?.file ? this.#accepted.signedBy : principals(this.#verdict))]
  }
  /** When, as the signed file itself says; ms since 1970. */
  get signedAt(): number | undefined { return (this.#lastGood?.file ?? this.#verdict.file).signedAt }
  /** Auto-invocation is off until a person acts. */
  get halted(): boolean { return this.#halted !== undefined }

  /** May this tool be called now? Checks the files on disk against what was loaded: by stat, then by hash. */
  admit(key: string): Admission {
    const changed = this.check()
    if (changed.length > 0) return { kind: 'refused', reason: 'file', why: `${changed[0]?.message ?? 'the contract file changed'}; what held before was signed by ${this.signedBy.join(', ') || 'nobody'}` }
    const { status, problems, contracts } = this.#verdict
    if (status === 'unsigned') return { kind: 'refused', reason: 'unsigned', why: problems[0]?.message ?? 'nobody signed the contracts' }
    if (status === 'refused') return { kind: 'refused', reason: 'unreadable', why: `the contracts do not hold: ${problems.map(found => found.message).slice(0, 3).join('; ')}` }
    const contract = contracts.find(one => contractKey(one) === key)
    return contract ? { kind: 'contract', contract } : { kind: 'refused', reason: 'missing', why: `no signed contract is for ${JSON.stringify(key)}; draft one: usher contract draft` }
  }

  /** Callable contracts of this moment; empty unless everything holds. */
  callable(): readonly Contract[] {
    return this.check().length === 0 ? this.#verdict.contracts : []
  }

  /** Are the files on disk others than those that were loaded? Halts nothing: for whoever loads them anew at once. */
  stale(): boolean {
    return this.#files().map(hashOf).some((now, at) => now !== this.#hashes[at])
  }

  /** Problems between disk and memory; the first one halts the store. Expired keys are found here too: time passes without a file changing. */
  check(): readonly Problem[] {
    if (this.#halted) return this.#halted
    const files = this.#files()
    const stamps = this.#stampsNow()
    if (stamps.some((now, at) => now !== this.#stamps[at])) {
      this.#judgedAt = -Infinity
      const at = files.map(hashOf).findIndex((now, at) => now !== this.#hashes[at])
      if (at >= 0 && !this.#holdsUntilSigned()) return this.#halt([problem('file-changed', null, `${files[at]} is not the file that was loaded; nothing is called until a person acts: usher contract review, then restart`)])
    }
    this.#stamps = stamps
    const now = this.#now()
    if (Math.abs(now - this.#judgedAt) < JUDGED_FOR) return []
    this.#judgedAt = now
    const verdict = this.#waiting.length > 0 ? this.#heldVerdict() : judgeContracts(this.#verdict.file, this.#options.paths, { ...this.#verifyOptions(), now })
    return verdict.status === 'refused' && this.#verdict.status === 'ok' ? this.#halt(verdict.problems) : []
  }

  /** A person acted: read everything again. What is there now must hold by itself. */
  reload(): Verdict {
    this.#halted = undefined
    this.#waiting = []
    this.#verdict = this.#load()
    return this.#verdict
  }

  #halt(problems: readonly Problem[]): readonly Problem[] {
    this.#halted = problems
    this.#options.onHalt?.(problems, this.signedBy)
    return problems
  }

  #now(): number { return this.#options.now?.() ?? Date.now() }

  #files(): readonly string[] {
    const { file, signatures, signers, revoked } = this.#options.paths
    return [file, signatures, signers, revoked]
  }

  #stampsNow(): readonly (string | undefined)[] {
    return [...this.#files().map(stamp), ...this.#folders.map(folderStamp)]
  }

  /** What was accepted before, by its own signatures and the signers of now. */
  #heldVerdict(): Verdict {
    const { paths, stateFolder } = this.#options
    const now = this.#now()
    const held = stateFolder === undefined ? undefined : readAccepted(stateFolder, paths, now).verdict
    const loose = accessProblems(paths, { unsigned: false }, { access: true, ownMachine: this.#options.ownMachine === true })
    if (held && loose.length === 0) return held
    return { ...(held ?? this.#verdict), status: 'refused', contracts: [], problems: loose.length > 0 ? loose : [problem('too-few-signers', null, 'what was signed before does not hold any more')] }
  }

  /** A file between its first and its last signature halts nothing: what was signed before decides until then. */
  #holdsUntilSigned(): boolean {
    const files = this.#files()
    const hashes = files.map(hashOf)
    const verdict = judgeContracts(readContractFile(this.#options.paths.file), this.#options.paths, { ...this.#verifyOptions(), now: this.#now() })
    if (!awaitsSigners(verdict) || verdict.file.hash !== hashes[0] || hashes.some((now, at) => now !== hashOf(files[at] as string))) return false
    const held = this.#heldVerdict()
    if (held.status !== 'ok' || held.file.hash !== this.#verdict.file.hash) return false
    this.#hashes = hashes
    this.#waiting = verdict.problems
    return true
  }

  #verifyOptions(): { readonly access: true, readonly ownMachine: boolean, readonly before?: ContractFile } {
    const { paths, stateFolder } = this.#options
    if (!this.#lastGood && stateFolder !== undefined) this.#accepted = readAccepted(stateFolder, paths, this.#now())
    const before = this.#lastGood?.file ?? this.#accepted?.file
    return { access: true, ownMachine: this.#options.ownMachine === true, ...before ? { before } : {} }
  }

  #load(): Verdict {
    const files = this.#files()
    this.#stamps = this.#stampsNow()
    this.#hashes = files.map(hashOf)
    const file = readContractFile(this.#options.paths.file)
    const verdict = judgeContracts(file, this.#options.paths, { ...this.#verifyOptions(), now: this.#now() })
    // Read between the two looks at the disk: a file swapped in that moment is not the one that was judged.
    if (files.map(hashOf).some((now, at) => now !== this.#hashes[at]) || (file.hash !== undefined && file.hash !== this.#hashes[0]))
      return { ...verdict, status: 'refused', contracts: [], problems: [problem('file-changed', null, `${this.#options.paths.file} changed while it was read; try again`)] }
    if (verdict.status === 'ok') {
      this.#lastGood = verdict
      this.#keep(file)
    } else if (awaitsSigners(verdict)) {
      const held = this.#heldVerdict()
      if (held.status !== 'ok') return verdict
      this.#waiting = verdict.problems
      this.#lastGood = held
      return held
    }
    return verdict
  }

  #keep(file: ContractFile): void {
    const { paths, stateFolder } = this.#options
    if (stateFolder === undefined) return
    const bytes = readFileSync(paths.file)
    if (sha256(bytes) === file.hash) keepAccepted(stateFolder, paths, bytes, this.#now())
  }
}
