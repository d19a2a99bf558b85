/** `usher mcp`: the log's questions as an MCP server on standard input and output. */
import type { Command } from 'commander'
import { packageVersion } from '../../util/version.ts'
import type { Usher } from '../../assemble.ts'
import type { Io } from '../io.ts'
import { withScratchUsher } from '../open.ts'
import { existingLog } from '../setup.ts'
import { sinceOption } from '../since.ts'

interface McpOptions { readonly log?: string, readonly routes?: string[], readonly tools?: string }

export function registerMcp(program: Command, io: Io): void {
  program.command('mcp')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--routes <path...>', 'route files or folders (for decide)')
    .option('--tools <module>', 'a tools module (for decide)')
    .addHelpText('after', `
Examples:
  $ claude mcp add usher -- usher mcp --log ~/.usher/log.sqlite
  $ usher mcp                    in any client's configuration: {"command": "usher", "args": ["mcp"]}

Exit code: 0 the client is gone, 2 used wrongly.`)
    .action((options: McpOptions) => serve(io, options))
}

/** The encoder is started by the first `decide` and kept until the client is gone: the questions to the log need none. */
async function serve(io: Io, options: McpOptions): Promise<void> {
  const { serveQuestions } = await import('../../integrations/mcp-server.ts')
  let leave = (): void => undefined
  const gone = new Promise<void>(resolve => { leave = resolve })
  let open: Promise<Usher> | undefined
  let held: Promise<void> | undefined
  const usher = (): Promise<Usher> => open ??= new Promise((resolve, reject) => {
    const { routes, tools } = options
    held = withScratchUsher({ ...(routes ? { routes } : {}), ...(tools ? { tools } : {}) }, async one => { resolve(one); await gone })
    held.catch((error: unknown) => { open = undefined; reject(error instanceof Error ? error : new Error(String(error))) })
  })
  await serveQuestions({ version: packageVersion(), log: () => existingLog(options.log), decide: async event => (await usher()).decide(event), since: text => sinceOption(text, 'since') })
  leave()
  await held
  io.exit(0)
}
