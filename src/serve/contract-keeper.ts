/** Tools from outside, under contracts that may be signed anew while the server runs. What changed without a signature stays refused. */
import { UsherError } from '../errors.ts'
import type { Contract } from '../contract/contract.ts'
import type { ProposalPlace } from '../contract/proposals.ts'
import { proposalPlace, type ContractStore } from '../contract/store.ts'
import type { ContractTools, Halting, ServerActs } from '../mcp/contract-tools.ts'
import type { WatchMode } from '../mcp/watch-mode.ts'
import type { Tool } from '../types.ts'

export interface ContractsState {
  readonly file: string
  readonly status: 'ok' | 'unsigned' | 'refused'
  readonly problems: readonly string[]
  readonly contracts: readonly Contract[]
  /** When they were signed, as the signed file itself says, ms since 1970; absent where it does not. */
  readonly signedAt?: number
  /** Is what the server offers what was signed? Only for tools whose server answered. */
  readonly equal: ReadonlyMap<string, boolean>
  readonly failedServers: readonly { readonly server: string, readonly why: string }[]
}

export interface ContractKeeperParts {
  /** Opens the store on the files as they are now. */
  readonly open: () => ContractStore
  readonly background: <T>(name: string, work: () => T) => T
  /** How the servers are watched; default `preload`. */
  readonly watch?: WatchMode
  /** Puts the tools in place; resolves when no event uses the old ones any more. */
  readonly swap: (outside: readonly Tool[]) => Promise<void>
  readonly onChange: (status: ContractsState['status']) => void
}

interface Opened { readonly store: ContractStore, readonly source: ContractTools, readonly failed: Map<string, string>, readonly equal: Map<string, boolean>, readonly tools: () => Promise<readonly Tool[]> }

export class ContractKeeper {
  readonly #parts: ContractKeeperParts
  #now: Opened
  /** Why the files as they are now do not hold, where they were changed. */
  #changed: readonly string[] = []
  #tail: Promise<void> = Promise.resolve()
  #halts: (source: ContractTools) => void = () => undefined
  #records: (source: ContractTools) => void = () => undefined
  private constructor(parts: ContractKeeperParts, now: Opened) {
    this.#parts = parts
    this.#now = now
  }

  /** Starts the servers that the contracts name. */
  static async open(parts: ContractKeeperParts): Promise<{ readonly keeper: ContractKeeper, readonly tools: readonly Tool[] }> {
    const opened = await openSource(parts)
    return { keeper: new ContractKeeper(parts, opened), tools: await opened.tools() }
  }

  get files(): readonly string[] {
    const { file, signatures, signers, revoked } = this.#now.store.paths
    return [file, signatures, signers, revoked]
  }

  get state(): ContractsState {
    const { store, failed, equal } = this.#now
    const { signedAt } = store
    return { equal, ...(signedAt === undefined ? {} : { signedAt }), file: store.paths.file, status: store.status, problems: [...store.problems, ...store.waiting].map(({ message }) => message).concat(this.#changed), contracts: store.readable, failedServers: [...failed].map(([server, why]) => ({ server, why })) }
  }

  /** What the system could not give to watch or hold the servers, in words. */
  get missing(): readonly string[] { return this.#now.source.missing }

  /** What is proposed is measured by the contracts of the moment. */
  get proposals(): ProposalPlace {
    const current = (): ProposalPlace => proposalPlace(this.#now.store)
    return { reviewFolder: current().reviewFolder, current: () => current().current() }
  }

  /** From now on what servers ask for is a row, also of those of later contracts. */
  recordTo(acts: ServerActs): void {
    this.#records = source => source.recordTo({ ...acts, proposals: this.proposals })
    this.#records(this.#now.source)
  }

  /** From now on a server that drifts halts all auto-invocation, also one of later contracts. */
  haltOnDrift(owner: Halting, failed: (error: unknown) => void): void {
    this.#halts = source => source.haltOnDrift(owner, failed)
    this.#halts(this.#now.source)
  }

  /** The files changed. The old contracts halt by themselves; new ones hold only if they are signed. */
  look(): Promise<void> {
    this.#tail = this.#tail.then(() => this.#look())
    return this.#tail
  }

  close(): Promise<void> {
    return this.#now.source.close()
  }

  async #look(): Promise<void> {
    if (!this.#now.store.stale() && this.#now.store.check().length === 0) return
    const next = await openSource(this.#parts)
    this.#changed = next.store.problems.map(({ message }) => message)
    if (next.store.status !== 'ok') {
      this.#now.store.check() // halts: what was loaded is not what is there
      await next.source.close()
      this.#parts.onChange(next.store.status)
      return
    }
    const before = this.#now
    try {
      await this.#parts.swap(await next.tools())
    } catch (error) {
      await next.source.close()
      if (!UsherError.is(error)) throw error
      this.#changed = [error.message]
      this.#parts.onChange('refused')
      return
    }
    this.#now = next
    this.#halts(next.source)
    this.#records(next.source)
    await before.source.close()
    this.#parts.onChange('ok')
  }
}

/** The MCP SDK takes its time to load: only where there are contracts. */
async function openSource({ open, background, watch }: ContractKeeperParts): Promise<Opened> {
  const { ContractTools: Tools } = await import('../mcp/contract-tools.ts')
  const failed = new Map<string, string>()
  const store = open()
  const equal = new Map<string, boolean>()
  const source = new Tools({ store, background: (name, work) => background(`usher:${name}`, work), ...watch === undefined ? {} : { watch }, onServerFailed: (server, error) => { failed.set(server, error.message) }, onDrift: tool => { equal.set(tool, false) } })
  const tools = async (): Promise<readonly Tool[]> => {
    const offered = await source.tools()
    for (const { name, origin } of offered) if (origin.kind === 'mcp' && equal.get(name) === undefined) equal.set(name, true)
    return offered
  }
  return { store, failed, equal, source, tools }
}
