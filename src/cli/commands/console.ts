/** `usher console`: serves the call log page until it is interrupted. */
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { startConsole } from '../../console/server.ts'
import type { Io } from '../io.ts'
import { pageRows } from '../log-page.ts'
import { existingLog } from '../setup.ts'

export function registerConsole(program: Command, io: Io): void {
  program.command('console')
    .description('Serve the read-only call log page on this machine, until Ctrl-C.')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--port <n>', 'default: a free one', '0')
    .addHelpText('after', '\nExample:\n  $ usher console --port 8123')
    .action(async (options: { log?: string, port: string }) => {
      const port = Number(options.port)
      if (!(Number.isInteger(port) && port >= 0 && port <= 65535)) throw new UsherError('BAD_OPTION', `--port must be from 0 to 65535, got ${JSON.stringify(options.port)}`)
      const file = existingLog(options.log)
      const server = await startConsole(() => pageRows(file), port)
      io.out(server.address)
      await new Promise<void>(resolve => { process.once('SIGINT', () => resolve()); process.once('SIGTERM', () => resolve()) })
      await server.close()
    })
}
