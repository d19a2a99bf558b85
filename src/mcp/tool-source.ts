/** The tools of one MCP server, each callable only while it is what a person signed. */
import type { Contract, ServerIdentity } from '../contract/contract.ts'
import { contractKey } from '../contract/contract.ts'
import type { ContractStore } from '../contract/store.ts'
import { UsherError } from '../errors.ts'
import type { ToolSource } from '../ports.ts'
import type { CallContext, Json, JsonObject, Tool } from '../types.ts'
import { type ConnectOptions, ServerConnection, type ServerTarget } from './connection.ts'
import { driftOf, tightened } from './drift.ts'
import { helloDigest, pinBreach } from './identity.ts'
import { type GoodTool, type Judged, judgeTools } from './judge.ts'
import { planFor } from './sandbox.ts'

/** `watch` is `preload` by default here: what a tool's server does belongs in the log. */
export interface SourceOptions extends ConnectOptions {
  readonly store: ContractStore
  /** The server's name in the contracts. */
  readonly server: string
  /** Environment variables that this server may have, by name and value. */
  readonly env?: { readonly [name: string]: string }
  readonly cwd?: string
  readonly headers?: { readonly [name: string]: string }
  /** `off`: never less than the system gives. Default `auto`: as little as the contracts need, where the system offers it. */
  readonly sandbox?: 'auto' | 'off'
  /** Told when a tool is no longer what was signed: log it, and stop auto-invocation. */
  readonly onDrift?: (tool: string, sentences: readonly string[]) => void
}

/** How each tool stands: what `usher contract list` shows. */
export interface ToolStanding {
  readonly tool: string
  readonly state: 'ready' | 'drift' | 'bad' | 'no-contract' | 'not-offered'
  readonly why: string
}

/** Why a tool may not be called now. */
export interface Refusal { readonly reason: 'missing' | 'unsigned' | 'drift' | 'file' | 'unreadable', readonly why: string }

export class McpToolSource implements ToolSource {
  readonly #options: SourceOptions
  #connection: ServerConnection | undefined
  #opening: Promise<ServerConnection> | undefined
  #judged: Judged | undefined
  #stale = true
  readonly #drifted = new Map<string, readonly string[]>()

  constructor(options: SourceOptions) { this.#options = options }

  /** Tools that are under contract and offered as signed. Rejects with SERVER_FAILED or CONTRACT_INVALID. */
  async tools(): Promise<readonly Tool[]> {
    const { good } = await this.#list()
    const offered = new Map(good.map(tool => [tool.name, tool]))
    return this.#contracts().flatMap(contract => {
      const tool = offered.get(contract.name)
      return tool && this.#compare(contract, tool).length === 0 ? [this.#tool(contract, tool)] : []
    })
  }

  /** Every tool that is offered or under contract, with how it stands. */
  async standings(): Promise<readonly ToolStanding[]> {
    const judged = await this.#list()
    const { server, store } = this.#options
    const key = (name: string): string => `${server}/${name}`
    const readable = new Map(store.readable.filter(contract => contract.server?.name === server).map(contract => [contract.name, contract]))
    const offered = new Set([...judged.good, ...judged.bad].map(tool => tool.name))
    return [
      ...judged.good.map((tool): ToolStanding => {
        const contract = readable.get(tool.name)
        if (!contract) return { tool: key(tool.name), state: 'no-contract', why: 'nobody signed a contract for it' }
        const drift = driftOf(contract, tool)
        return drift.length > 0 ? { tool: key(tool.name), state: 'drift', why: drift.join('; ') } : { tool: key(tool.name), state: 'ready', why: 'equal to what was signed' }
      }),
      ...judged.bad.map((tool): ToolStanding => ({ tool: key(tool.name), state: 'bad', why: tool.why })),
      ...[...readable.keys()].filter(name => !offered.has(name)).map((name): ToolStanding => ({ tool: key(name), state: 'not-offered', why: 'the server does not offer it any more' })),
    ]
  }

  /** What the sandbox could not give, in words. */
  get missing(): readonly string[] { return this.#connection?.missing ?? [] }

  /** May the tool be called now? Asks the store and the server again: hashes are compared at call time, not only at the start. */
  async admit(name: string): Promise<Refusal | undefined> {
    const admission = this.#options.store.admit(`${this.#options.server}/${name}`)
    if (admission.kind === 'refused') return admission
    const drifted = this.#drifted.get(name)
    if (drifted) return { reason: 'drift', why: driftWords(name, drifted) }
    this.#stale = true
    const judged = await this.#list()
    const offered = judged.good.find(tool => tool.name === name)
    if (!offered) return { reason: 'drift', why: `${name} is ${judged.bad.find(tool => tool.name === name)?.why ?? 'not offered by its server any more'}` }
    const drift = this.#compare(admission.contract, offered)
    return drift.length > 0 ? { reason: 'drift', why: driftWords(name, drift) } : undefined
  }

  /** A person acted: what drifted is judged afresh. */
  forgetDrift(): void {
    this.#drifted.clear()
    this.#stale = true
  }

  async close(): Promise<void> {
    const opening = this.#opening
    this.#opening = undefined
    await opening?.then(connection => connection.close(), () => undefined)
    await this.#connection?.close()
    this.#connection = undefined
  }

  #contracts(): readonly Contract[] {
    return this.#options.store.callable().filter(contract => contract.server?.name === this.#options.server)
  }

  /** Drift is remembered: a server that changes back must not make the refusal go away. */
  #compare(contract: Contract, offered: GoodTool): readonly string[] {
    const known = this.#drifted.get(contract.name)
    if (known) return known
    const drift = driftOf(contract, offered)
    if (drift.length > 0) {
      this.#drifted.set(contract.name, drift)
      this.#options.onDrift?.(contractKey(contract), drift)
    }
    return drift
  }

  #tool(contract: Contract, offered: GoodTool): Tool {
    return {
      name: contractKey(contract), description: contract.description ?? '', visible: contract.inputSchema, presetOnly: contract.presetOnly, ...tightened(contract, offered.tool),
      origin: { kind: 'mcp', server: this.#options.server, contractHash: contract.contractHash },
      admit: () => this.admit(contract.name),
      run: (args, call) => this.#call(contract.name, args, call),
    }
  }

  async #call(name: string, args: JsonObject, call: CallContext): Promise<Json> {
    const refusal = await this.admit(name)
    if (refusal) throw new UsherError('CONTRACT_INVALID', refusal.why)
    const connection = await this.#open()
    return connection.callTool(name, args, call.signal, call)
  }

  async #list(): Promise<Judged> {
    if (this.#judged && !this.#stale) return this.#judged
    const connection = await this.#open()
    // Before the question: a change that is announced while the answer is under way makes it stale again.
    this.#stale = false
    return this.#judged = judgeTools(await connection.listTools())
  }

  /** A server that died is started again for the next call only; the call that it died in is not repeated. */
  async #open(): Promise<ServerConnection> {
    if (this.#connection && !this.#connection.closed) return this.#connection
    this.#opening ??= this.#connect().finally(() => { this.#opening = undefined })
    return this.#connection = await this.#opening
  }

  async #connect(): Promise<ServerConnection> {
    const contracts = this.#contracts()
    const server = oneServer(contracts, this.#options.server)
    const breach = await pinBreach(server)
    if (breach) throw new UsherError('CONTRACT_INVALID', `server "${this.#options.server}" is not started: ${breach}`)
    const connection = await ServerConnection.open(this.#target(server, contracts), { watch: 'preload', ...this.#options })
    if ('digest' in server && helloDigest(connection.hello) !== server.digest) {
      await connection.close()
      throw new UsherError('CONTRACT_INVALID', `${server.url} is not the server that was signed: what it says of itself has the digest ${helloDigest(connection.hello).slice(0, 12)}…, not ${server.digest.slice(0, 12)}…`)
    }
    connection.onListChanged = () => { this.#stale = true; void this.#recheck() }
    this.#stale = true
    return connection
  }

  /** After list_changed: compared at once, so that drift is logged when it happens and not when somebody calls. */
  async #recheck(): Promise<void> {
    try {
      await this.tools()
    } catch (error) {
      if (!UsherError.is(error)) throw error
      this.#stale = true // the next call asks again, and then the error has somebody to go to
    }
  }

  #target(server: ServerIdentity, contracts: readonly Contract[]): ServerTarget {
    const { env, cwd, headers, sandbox } = this.#options
    if ('url' in server) return { kind: 'url', url: server.url, ...headers ? { headers } : {} }
    const plan = sandbox === 'off' ? {} : { sandbox: planFor(contracts.flatMap(contract => contract.privileges)) }
    return { kind: 'command', command: server.command, ...plan, ...env ? { env } : {}, ...cwd === undefined ? {} : { cwd } }
  }
}

const driftWords = (name: string, sentences: readonly string[]): string => `${name} is not what was signed: it ${sentences.join('; it ')}`

/** All contracts of one name must mean one server: a second one never shadows the first. */
function oneServer(contracts: readonly Contract[], name: string): ServerIdentity {
  const servers = new Map(contracts.flatMap(contract => contract.server ? [[JSON.stringify(contract.server), contract.server] as const] : []))
  const [server] = servers.values()
  if (!server) throw new UsherError('CONTRACT_INVALID', `no signed contract names the server ${JSON.stringify(name)}, so it is not started`)
  if (servers.size > 1) throw new UsherError('CONTRACT_INVALID', `contracts name ${servers.size} different servers ${JSON.stringify(name)}; which of them is meant cannot be told`)
  return server
}
