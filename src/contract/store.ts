/**
 * The contracts that hold now, checked again before each use. What is on disk and what was loaded must be the same file: a change halts
 * auto-invocation until a person acts, and the last good contracts stay readable.
 */
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256 } from '../util/canonical.ts'
import { keepAccepted, readAccepted } from './accepted.ts'
import type { AccessOptions } from './file-access.ts'
import { type Contract, contractKey } from './contract.ts'
import { problem, type Problem } from './problems.ts'
import type { ProposalPlace } from './proposals.ts'
import { type ContractFile, readContractFile } from './read-file.ts'
import { reviewFolder } from './review-folder.ts'
import { type ContractPaths, judgeContracts, type Verdict } from './verify.ts'

export interface StoreOptions extends AccessOptions {
  readonly paths: ContractPaths
  /** Folder for the copy of what was accepted last; undefined: nothing is kept, and every load is a first one. */
  readonly stateFolder?: string
  readonly now?: () => number
  /** Told once for each halt, with the person who signed what held before. */
  readonly onHalt?: (problems: readonly Problem[], signedBy: readonly string[]) => void
}

export type Admission = { readonly kind: 'contract', readonly contract: Contract } | { readonly kind: 'refused', readonly reason: 'missing' | 'unsigned' | 'file' | 'unreadable', readonly why: string }

/** ms for which a judgement of unchanged files stands: keys expire, and folders change their mode, without a file changing. */
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

  constructor(options: StoreOptions) {
    this.#options = options
    this.#verdict = this.#load()
  }

  get paths(): ContractPaths { return this.#options.paths }
  get status(): Verdict['status'] { return this.#halted ? 'refused' : this.#verdict.status }
  get problems(): readonly Problem[] { return this.#halted ?? this.#verdict.problems }
  /** What may be read: of the last good load where there was one, else of the present file. */
  get readable(): readonly Contract[] { return (this.#lastGood?.file ?? this.#accepted?.file ?? this.#verdict.file).contracts }
  /** People whose signatures stood behind the last good load. */
  get signedBy(): readonly string[] {
    const principals = (verdict: Verdict): readonly string[] => verdict.standing.good.flatMap(signature => signature.principals)
    return [...new Set(this.#lastGood ? principals(this.#lastGood) : this.#accepted?.file ? this.#accepted.signedBy : principals(this.#verdict))]
  }
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
    const stamps = files.map(stamp)
    if (stamps.some((now, at) => now !== this.#stamps[at])) {
      const at = files.map(hashOf).findIndex((now, at) => now !== this.#hashes[at])
      if (at >= 0) return this.#halt([problem('file-changed', null, `${files[at]} is not the file that was loaded; nothing is called until a person acts: usher contract review, then restart`)])
    }
    this.#stamps = stamps
    const now = this.#now()
    if (Math.abs(now - this.#judgedAt) < JUDGED_FOR) return []
    this.#judgedAt = now
    const verdict = judgeContracts(this.#verdict.file, this.#options.paths, { ...this.#verifyOptions(), now })
    return verdict.status === 'refused' && this.#verdict.status === 'ok' ? this.#halt(verdict.problems) : []
  }

  /** A person acted: read everything again. What is there now must hold by itself. */
  reload(): Verdict {
    this.#halted = undefined
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

  #verifyOptions(): { readonly access: true, readonly ownMachine: boolean, readonly before?: ContractFile } {
    const { paths, stateFolder } = this.#options
    if (!this.#lastGood && stateFolder !== undefined) this.#accepted = readAccepted(stateFolder, paths, this.#now())
    const before = this.#lastGood?.file ?? this.#accepted?.file
    return { access: true, ownMachine: this.#options.ownMachine === true, ...before ? { before } : {} }
  }

  #load(): Verdict {
    const files = this.#files()
    this.#stamps = files.map(stamp)
    this.#hashes = files.map(hashOf)
    const file = readContractFile(this.#options.paths.file)
    const verdict = judgeContracts(file, this.#options.paths, { ...this.#verifyOptions(), now: this.#now() })
    // Read between the two looks at the disk: a file swapped in that moment is not the one that was judged.
    if (files.map(hashOf).some((now, at) => now !== this.#hashes[at]) || (file.hash !== undefined && file.hash !== this.#hashes[0]))
      return { ...verdict, status: 'refused', contracts: [], problems: [problem('file-changed', null, `${this.#options.paths.file} changed while it was read; try again`)] }
    if (verdict.status === 'ok') {
      this.#lastGood = verdict
      this.#keep(file)
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
