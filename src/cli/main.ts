/** The commands, put together. Parses, calls the library, prints; gives back the exit code. */
import { Command, CommanderError } from 'commander'
import { UsherError } from '../errors.ts'
import { COMMANDS } from './commands/all.ts'
import { packageVersion } from '../util/version.ts'
import { useCopy } from './fleet-log.ts'
import { processIo, type ExitCode, type Io } from './io.ts'

/** Errors of wrong use; every other UsherError is a refusal. */
const WRONG_USE: ReadonlySet<string> = new Set(['BAD_OPTION', 'ROUTES_MISSING', 'TOOLS_MODULE_INVALID', 'LOG_OPEN_FAILED'])

/** @param argv without node and the script; an unknown error keeps its stack: it is a bug */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<ExitCode> {
  const program = new Command('usher')
    .description('The doorman of a personal agent runtime: opens a door only when its owner asked for exactly that door, and logs what it did.')
    .version(packageVersion())
    .showHelpAfterError('(add --help for examples)')
    .exitOverride()
    .configureOutput({ writeOut: text => io.out(text.trimEnd()), writeErr: text => io.err(text.trimEnd()) })
  program.hook('preAction', (_program, command) => useCopy(command, io))
  // Only the command that is asked for is loaded; help and wrong words need them all.
  const asked = COMMANDS.get(argv[0] ?? '')
  for (const load of asked ? [asked] : COMMANDS.values()) (await load())(program, io)
  try {
    await program.parseAsync(argv, { from: 'user' })
    return io.code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!UsherError.is(error)) throw error
    io.err(`${io.paint('red', error.code)}: ${error.message}`)
    return WRONG_USE.has(error.code) ? 2 : 1
  }
}
