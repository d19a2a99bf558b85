/** Opens an Usher for a command, with the call log page beside it, and closes both whatever happens. */
import { createUsher, type Usher, type UsherOptions } from '../assemble.ts'
import { installObserver } from '../effects/observer.ts'
import { startConsole } from '../console/server.ts'
import type { PageRow } from '../console/page.ts'
import { progress } from './io.ts'
import { cacheFolder, loadTools, logFile, routesFolder } from './setup.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface OpenOptions {
  readonly routes?: readonly string[]
  readonly tools?: string
  readonly log?: string
  readonly realOpener?: boolean
  /** Serves the page while the command runs. */
  readonly console?: (log: string) => readonly PageRow[]
}

export async function withUsher<T>(options: OpenOptions, more: Partial<UsherOptions>, work: (usher: Usher, log: string) => Promise<T>): Promise<T> {
  const log = logFile(options.log)
  const page = options.console
  const observer = installObserver() // before anything that it should see
  const server = page ? await observer.background('usher:console', () => startConsole(() => page(log))) : undefined
  const bar = progress('embedding phrases:')
  try {
    const tools = await loadTools({ folder: dirname(log), consoleAddress: server?.address ?? 'http://127.0.0.1/', ...(options.tools ? { tools: options.tools } : {}), ...(options.realOpener ? { realOpener: true } : {}) })
    const usher = await createUsher({ routes: routesFolder(options.routes), tools, log, onProgress: bar.step, ...more })
    bar.end()
    try {
      return await work(usher, log)
    } finally {
      await usher.close()
    }
  } finally {
    bar.end()
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
