/** Opens an Usher for a command, with the call log page beside it, and closes both whatever happens. */
import type { Usher, UsherOptions } from '../assemble.ts'
import { proposalPlace, type ContractStore } from '../contract/store.ts'
import type { ContractTools } from '../mcp/contract-tools.ts'
import type { WatchMode } from '../mcp/watch-mode.ts'
import { progress } from './io.ts'
import { besideLog, cacheFolder, loadTools, logFile, routesFolder } from './setup.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface OpenOptions {
  readonly routes?: readonly string[]
  readonly tools?: string
  readonly log?: string
  readonly realOpener?: boolean
  /** Tools from outside, under these contracts. */
  readonly contracts?: ContractStore
  /** How their servers are watched; default `preload`. */
  readonly watchChildren?: WatchMode
  /** Told of what an owner should know: a log that is not what was written, what the system could not give to watch or hold a server. */
  readonly onNote?: (words: string) => void
  /** Told of a server that failed. */
  readonly onServerFailed?: (server: string, error: Error) => void
  /** Told when a timer of the example tools is over. */
  readonly ring?: (name: string) => void
  /** Serves the page while the command runs. */
  readonly console?: true
}

export async function withUsher<T>(options: OpenOptions, more: Partial<UsherOptions>, work: (usher: Usher, log: string) => Promise<T>): Promise<T> {
  const log = logFile(options.log)
  const { installObserver } = await import('../effects/observer.ts')
  const observer = installObserver() // before anything that it should see
  const server = options.console ? await observer.background('usher:console', async () => (await import('../console/server.ts')).startConsole({ log })) : undefined
  const bar = progress('embedding phrases:')
  let outside: ContractTools | undefined
  try {
    const tools = await loadTools({ folder: besideLog(log), consoleAddress: server?.address ?? 'http://127.0.0.1/', ...(options.tools ? { tools: options.tools } : {}), ...(options.realOpener ? { realOpener: true } : {}), ...(options.ring ? { ring: options.ring } : {}) })
    const { createUsher } = await import('../assemble.ts')
    outside = options.contracts === undefined ? undefined : await contractTools(options.contracts, options, (name, inner) => observer.background(name, inner))
    const usher = await createUsher({ routes: routesFolder(options.routes), tools: [...tools, ...await outside?.tools() ?? []], log, onProgress: bar.step, ...(options.contracts ? { proposals: proposalPlace(options.contracts) } : {}), ...more })
    for (const words of [...usher.log.notes ?? [], ...outside?.missing ?? []]) options.onNote?.(words)
    outside?.haltOnDrift(usher.desk.owner, error => options.onServerFailed?.('contracts', error instanceof Error ? error : new Error(String(error))))
    outside?.recordTo({ log: usher.log, now: () => Date.now(), proposals: options.contracts && proposalPlace(options.contracts), failed: error => options.onServerFailed?.('contracts', error instanceof Error ? error : new Error(String(error))) })
    bar.end()
    try {
      return await work(usher, log)
    } finally {
      await usher.close()
    }
  } finally {
    bar.end()
    await outside?.close()
    await server?.close()
    observer.uninstall()
  }
}

/** For questions that must leave no trace: the log is a file in a folder that is gone afterwards. */
export async function withScratchUsher<T>(options: Omit<OpenOptions, 'log' | 'console'>, work: (usher: Usher) => Promise<T>, more: Partial<UsherOptions> = {}): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'usher-'))
  try {
    return await withUsher({ ...options, log: join(folder, 'log.sqlite') }, { cache: cacheFolder(), ...more }, usher => work(usher))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The MCP SDK takes its time to load: only where there are contracts. */
async function contractTools(store: ContractStore, options: OpenOptions, background: <T>(name: string, work: () => T) => T): Promise<ContractTools> {
  const { ContractTools } = await import('../mcp/contract-tools.ts')
  return new ContractTools({ store, background: (name, work) => background(`usher:${name}`, work), ...options.watchChildren === undefined ? {} : { watch: options.watchChildren }, ...(options.onServerFailed ? { onServerFailed: options.onServerFailed } : {}) })
}
