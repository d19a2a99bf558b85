/** All tools under contract, of every server and of local commands, as one source. One server that fails hides no other. */
import { type AttemptParts, receiveAttempt } from '../contract/proposals.ts'
import type { ContractStore } from '../contract/store.ts'
import { UsherError } from '../errors.ts'
import type { ToolSource } from '../ports.ts'
import type { Json, Tool } from '../types.ts'
import { localTools } from './local-tool.ts'
import { McpToolSource, type SourceOptions } from './tool-source.ts'

export interface ContractToolsOptions extends Omit<SourceOptions, 'server'> {
  /** Environment variables by server. */
  readonly envOf?: { readonly [server: string]: { readonly [name: string]: string } }
  /** Told of a server whose tools are missing, and why. */
  readonly onServerFailed?: (server: string, error: UsherError) => void
}

/** Where what servers ask for is written down. */
export interface ServerActs extends AttemptParts {
  /** Told where that fails. */
  readonly failed: (error: unknown) => void
}

/** Stops all auto-invocation: approvals/owner.ts has one. */
export interface Halting { halt(about: string, why: string, finding?: Json): Promise<unknown> }

export class ContractTools implements ToolSource {
  readonly #options: ContractToolsOptions
  readonly #sources = new Map<string, McpToolSource>()
  /** Drift that was found before anybody could halt for it. */
  #found: { readonly tool: string, readonly sentences: readonly string[] }[] = []
  #drifted: (tool: string, sentences: readonly string[]) => void = (tool, sentences) => { this.#found.push({ tool, sentences }) }
  #asked: ((acts: ServerActs) => Promise<unknown>)[] = []
  #tell: (row: (acts: ServerActs) => Promise<unknown>) => void = row => { this.#asked.push(row) }
  constructor(options: ContractToolsOptions) { this.#options = options }

  get store(): ContractStore { return this.#options.store }

  /**
   * From now on a server that offers something else than was signed halts all auto-invocation, when it is found and not only when somebody calls
   * (`contract:human`); also for what was found before. @param failed told where the halt could not be logged
   */
  haltOnDrift(owner: Halting, failed: (error: unknown) => void): void {
    this.#drifted = (tool, sentences) => { owner.halt(tool, `${tool} is not what was signed: it ${sentences.join('; it ')}`, sentences).catch(failed) }
    for (const { tool, sentences } of this.#found.splice(0)) this.#drifted(tool, sentences)
  }

  /** From now on what a server asks of its client is a row, and what it proposes a draft at most; also for what came before. */
  recordTo(acts: ServerActs): void {
    this.#tell = row => { row(acts).catch(acts.failed) }
    for (const row of this.#asked.splice(0)) this.#tell(row)
  }

  /** Starts each server that a contract names. Never rejects for what one server does. */
  async tools(): Promise<readonly Tool[]> {
    const servers = new Set(this.store.callable().flatMap(contract => contract.server ? [contract.server.name] : []))
    const lists = await Promise.all([...servers].map(server => this.#toolsOf(server)))
    return [...lists.flat(), ...localTools(this.#options)]
  }

  /** What the sandbox could not give, once for each server. */
  get missing(): readonly string[] {
    return [...this.#sources].flatMap(([server, source]) => source.missing.map(words => `${server}: ${words}`))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sources.values()].map(source => source.close()))
    this.#sources.clear()
  }

  #listening(server: string): Pick<SourceOptions, 'onServerRequest' | 'onAttempt'> {
    const { onServerRequest, onAttempt } = this.#options
    return {
      onServerRequest: (method, allowed) => {
        onServerRequest?.(method, allowed)
        this.#tell(async ({ log, now }) => log.act({ who: 'server', act: 'server.request', about: method, detail: { server, allowed }, at: now() }))
      },
      onAttempt: attempt => {
        onAttempt?.(attempt)
        this.#tell(acts => receiveAttempt(acts, 'server', attempt))
      },
    }
  }

  async #toolsOf(server: string): Promise<readonly Tool[]> {
    const { envOf, onServerFailed, ...rest } = this.#options
    const env = envOf && Object.hasOwn(envOf, server) ? envOf[server] : undefined
    const source = this.#sources.get(server) ?? new McpToolSource({ ...rest, server, ...env ? { env } : {}, ...this.#listening(server), onDrift: (tool, sentences) => { rest.onDrift?.(tool, sentences); this.#drifted(tool, sentences) } })
    this.#sources.set(server, source)
    try {
      return await source.tools()
    } catch (error) {
      if (!UsherError.is(error)) throw error
      onServerFailed?.(server, error)
      return []
    }
  }
}
