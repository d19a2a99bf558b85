/** A world that belongs to nobody: a home, a working folder and a temporary folder for the server, and a folder for what the watchers write. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { CanaryPlaces } from './canary.ts'
import { writeLaunchers } from './launchers.ts'

/** What stands for the scratch folder in a report, so that two runs can be compared. */
export const SCRATCH = '{scratch}'

export class Scratch {
  readonly root: string
  readonly home: string
  readonly work: string
  readonly tmp: string
  /** Only the watchers write here; what others write here is not their effect. */
  readonly watch: string
  /** Launchers, read-only for the server in spirit. */
  readonly bin: string
  /** Where writes go that were meant for the real disk, while the server runs over copies; undefined: no memory file system here. */
  readonly upper: string | undefined

  /** A runtime that ends in the middle leaves nothing behind. */
  readonly #onExit = (): void => { this.remove() }

  constructor() {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'usher-audit-')))
    const folder = (name: string): string => { const path = join(this.root, name); mkdirSync(path, { mode: 0o700 }); return path }
    this.home = folder('home')
    this.work = folder('work')
    this.tmp = folder('tmp')
    this.watch = folder('watch')
    this.bin = join(this.watch, 'bin')
    writeLaunchers(this.bin, join(this.watch, 'launches'))
    // An overlay's upper folder may not lie on another overlay, which is what containers have for a disk.
    this.upper = process.platform === 'linux' && existsSync('/dev/shm') ? mkdtempSync('/dev/shm/usher-audit-') : undefined
    mkdirSync(join(this.home, '.cache'), { recursive: true })
    this.restore([])
    process.on('exit', this.#onExit)
  }

  /**
   * The canary files as they should be before a tool is called, whatever the one before did to them.
   * @param words texts that the tool will be called with: one that searches or replaces should find them
   */
  restore(words: readonly string[]): void {
    const { file, folder, fresh } = this.places
    for (const path of [file, folder, fresh]) rmSync(path, { recursive: true, force: true })
    const content = `${['usher-canary-content', ...words].join('\n')}\n`
    mkdirSync(folder)
    for (const path of [file, join(folder, 'inside.txt')]) writeFileSync(path, content)
  }

  get places(): CanaryPlaces {
    return { file: join(this.work, 'usher-canary.txt'), folder: join(this.work, 'usher-canary-folder'), fresh: join(this.work, 'usher-canary-new') }
  }

  /**
   * The whole environment of the server. Nothing of the owner's but the way to programs and, where writes cannot reach it, the caches of package
   * runners: a server that is started by `npx` has no network to come through.
   */
  env(options: { readonly more: { readonly [name: string]: string }, readonly contained: boolean }): { readonly [name: string]: string } {
    const caches = options.contained ? [['npm_config_cache', join(homedir(), '.npm')], ['UV_CACHE_DIR', join(homedir(), '.cache/uv')]].filter(([, path]) => existsSync(path ?? '')) : []
    return {
      PATH: [this.bin, process.env['PATH'] ?? '/usr/bin:/bin'].join(delimiter),
      HOME: this.home, USERPROFILE: this.home, TMPDIR: this.tmp, TEMP: this.tmp, TMP: this.tmp, LANG: 'C.UTF-8', USER: 'usher-audit', LOGNAME: 'usher-audit', SHELL: '/bin/sh', TERM: 'dumb', PWD: this.work,
      XDG_CACHE_HOME: join(this.home, '.cache'), XDG_CONFIG_HOME: join(this.home, '.config'), XDG_DATA_HOME: join(this.home, '.local/share'), XDG_STATE_HOME: join(this.home, '.local/state'), XDG_RUNTIME_DIR: this.tmp,
      npm_config_update_notifier: 'false', npm_config_fund: 'false', npm_config_audit: 'false', npm_config_prefer_offline: 'true', NO_UPDATE_NOTIFIER: '1',
      // Opened by nobody: the attempt is a program start, and that is seen.
      BROWSER: join(this.bin, 'xdg-open'),
      ...Object.fromEntries(caches),
      ...options.more,
    }
  }

  /** Paths below the scratch folder, as a report shows them. */
  hide(text: string): string {
    return text.replaceAll(this.root, SCRATCH)
  }

  /** Puts its end behind that of a server that was started just now: who is still writing could put the folders back. */
  endLast(): void {
    process.off('exit', this.#onExit).on('exit', this.#onExit)
  }

  remove(): void {
    process.off('exit', this.#onExit)
    for (const folder of [this.root, this.upper]) if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  }
}
