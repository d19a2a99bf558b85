/** The commands, put together. Parses, calls the library, prints; gives back the exit code. */
import { Command, CommanderError } from 'commander'
import { UsherError } from '../errors.ts'
import { COMMANDS } from './commands/all.ts'
import { packageVersion } from '../util/version.ts'
import { useCopy } from './fleet-log.ts'
import { processIo, type ExitCode, type Io } from './io.ts'

/** Errors of wrong use; every other UsherError is a refusal. */
const WRONG_USE: ReadonlySet<string> = new Set(['BAD_OPTION', 'ROUTES_MISSING', 'TOOLS_MODULE_INVALID', 'LOG_OPEN_FAILED'])

/** Only the command that is asked for is loaded; of the others the help has the line. */
export async function register(program: Command, asked: string | undefined, io: Io): Promise<void> {
  for (const [name, { group, about, load }] of COMMANDS) {
    if (name === asked) (await load())(program, io)
    else program.command(name)
    program.commands.at(-1)?.description(about).helpGroup(group)
  }
}

/** @param argv without node and the script; an unknown error keeps its stack: it is a bug */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<ExitCode> {
  const program = new Command('usher')
    .description('The doorman of a personal agent runtime: opens a door only when its owner asked for exactly that door, and logs what it did.')
    .version(packageVersion())
    .configureHelp({ subcommandTerm: command => command.name() })
    .showHelpAfterError('(add --help for examples)')
    .exitOverride()
    .configureOutput({ writeOut: text => io.out(text.trimEnd()), writeErr: text => io.err(text.trimEnd()) })
  program.hook('preAction', (_program, command) => useCopy(command, io))
  const [first, second] = argv.filter(word => !word.startsWith('-'))
  await register(program, first === 'help' ? second : first, io)
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
