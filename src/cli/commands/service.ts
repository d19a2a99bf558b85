/** `usher service`: the file that a service manager wants, for `usher serve` as this user. Prints it; installs nothing. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { builtFile } from '../../util/built.ts'
import { launchdFile, systemdUnit } from '../../serve/service-file.ts'
import type { Io } from '../io.ts'

interface ServiceCommandOptions { readonly for: string, readonly folder: string, readonly json?: true }

export function registerService(program: Command, io: Io): void {
  program.command('service [serve-options...]')
    .option('--for <manager>', 'systemd or launchd', process.platform === 'darwin' ? 'launchd' : 'systemd')
    .option('--folder <folder>', 'where it runs', '.')
    .option('--json', 'as JSON')
    .addHelpText('after', `
Examples:
  $ usher service -- --port 8123 --routes ~/usher/routes > ~/.config/systemd/user/usher.service
  $ systemctl --user enable --now usher
  $ usher service --for launchd > ~/Library/LaunchAgents/usher.serve.plist`)
    .action((rest: string[], options: ServiceCommandOptions) => {
      if (options.for !== 'systemd' && options.for !== 'launchd') throw new UsherError('BAD_OPTION', `--for must be "systemd" or "launchd", got ${JSON.stringify(options.for)}`)
      const service = { command: [process.execPath, fileURLToPath(builtFile(import.meta.url, '../bin.js')), 'serve', ...rest], folder: resolve(options.folder) }
      const text = options.for === 'systemd' ? systemdUnit(service) : launchdFile(service)
      io.out(options.json ? JSON.stringify({ for: options.for, text }) : text.trimEnd())
    })
}
