/** What the server offers now, held against the contracts: the proxy's list, and the dispatcher's table. */
import { type Contract, contractKey } from '../../contract/contract.ts'
import type { ContractStore } from '../../contract/store.ts'
import type { CallContext, JsonObject, Tool } from '../../types.ts'
import type { WireEntry } from '../connection.ts'
import { driftOf, tightened } from '../drift.ts'
import { type GoodTool, type Judged, judgeTools } from '../judge.ts'
import type { ToolTable } from './port.ts'

export interface Offered { readonly contract: Contract, readonly tool: JsonObject }

export interface OfferOptions {
  readonly store: ContractStore
  /** The contracts of this server, of those that hold now. */
  readonly contracts: (store: ContractStore) => readonly Contract[]
  readonly table: ToolTable
  readonly list: () => Promise<readonly WireEntry[]>
  readonly run: (name: string, args: JsonObject, call: CallContext) => unknown
  readonly onDrift: (tool: string, changes: readonly string[]) => void
}

export class Offer {
  readonly #options: OfferOptions
  /** Remembered: a server that changes back must not make the refusal go away. */
  readonly #drifted = new Map<string, readonly string[]>()
  #judged: { readonly entries: readonly WireEntry[], readonly judged: Judged } | undefined
  constructor(options: OfferOptions) { this.#options = options }

  contractOf(name: string): Contract | undefined {
    return this.#options.contracts(this.#options.store).find(contract => contract.name === name)
  }

  drift(name: string): readonly string[] | undefined { return this.#drifted.get(name) }

  /** Lists, compares, remembers drift, and brings the table up to date. Rejects with SERVER_FAILED. */
  async refresh(): Promise<ReadonlyMap<string, Offered>> {
    const entries = await this.#options.list()
    // The list side gives the same array for the same bytes: nothing to judge again.
    if (this.#judged?.entries !== entries) this.#judged = { entries, judged: judgeTools(entries) }
    return this.#match(this.#judged.judged)
  }

  #match(judged: Judged): ReadonlyMap<string, Offered> {
    const { store, contracts, table } = this.#options
    const offered = new Map(judged.good.map(tool => [tool.name, tool]))
    const found = new Map<string, Offered>()
    const keep = new Map<string, Tool>()
    for (const contract of contracts(store)) {
      const tool = offered.get(contract.name)
      if (!tool || this.#isDrifted(contract, tool)) continue
      found.set(contract.name, { contract, tool: tool.tool })
      const known = table.get(contractKey(contract))
      // One object for one contract: what the dispatcher compiled for it stays of use.
      keep.set(contractKey(contract), known?.origin.kind === 'mcp' && known.origin.contractHash === contract.contractHash ? known : this.#tool(contract, tool.tool))
    }
    table.clear()
    for (const [key, tool] of keep) table.set(key, tool)
    return found
  }

  #isDrifted(contract: Contract, offered: GoodTool): boolean {
    if (this.#drifted.has(contract.name)) return true
    const changes = driftOf(contract, offered)
    if (changes.length === 0) return false
    this.#drifted.set(contract.name, changes)
    this.#options.onDrift(contractKey(contract), changes)
    return true
  }

  #tool(contract: Contract, offered: JsonObject): Tool {
    return {
      name: contractKey(contract), description: contract.description ?? '', visible: contract.inputSchema, presetOnly: contract.presetOnly, ...tightened(contract, offered),
      origin: { kind: 'mcp', server: contract.server?.name ?? '', contractHash: contract.contractHash },
      run: (args, call) => this.#options.run(contract.name, args, call),
    }
  }
}
