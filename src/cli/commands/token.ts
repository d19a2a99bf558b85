/** `usher token`: the credentials that decide which source an event comes from. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { defaultStateDir } from '../../log/state.ts'
import { controlRequest } from '../../serve/control-client.ts'
import { privateFolder } from '../../serve/private-files.ts'
import { nameTokens } from '../../serve/token-acts.ts'
import { TokenStore, type Answers } from '../../serve/tokens.ts'
import { provenPerson } from '../desk.ts'
import { writableLog } from '../fleet-log.ts'
import type { Io } from '../io.ts'
import { personName } from '../person.ts'
import { logPath } from '../setup.ts'
import { table } from '../table.ts'

interface TokenOptions { readonly source: string, readonly answers: string, readonly state?: string, readonly as?: string, readonly key?: string, readonly signers?: string, readonly log?: string, readonly json?: true }

const STATE = ['--state <folder>', 'the state folder (default: $XDG_STATE_HOME/usher)'] as const

export function registerToken(program: Command, io: Io): void {
  const token = program.command('token').description('Tokens of sources: what comes with one is an event of its source, whatever it says of itself.')
  token.command('add <name>')
    .description('Make a token and print it, once; only its hash is kept. A running server takes it at once.')
    .requiredOption('--source <source>', 'what its events are: webhook, chat, chat:alice, user, ...')
    .option('--answers <how>', '"full": whoever sends hears all that became of the event; "kind": only the kind of outcome', 'full')
    .option('--as <person>', 'your name (default: the user who runs this)').option('--key <file>', 'sign with this SSH key instead of a passphrase').option('--signers <file>', 'the allowed_signers file with your key')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)').option(...STATE).option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  $ usher token add webhook-ci --source webhook --answers kind\n  $ usher token add chat-bridge --source chat      # its events may name a sender: {"text": "...", "sender": "alice"} is chat:alice')
    .action(async (name: string, options: TokenOptions) => {
      if (options.answers !== 'full' && options.answers !== 'kind') throw new UsherError('BAD_OPTION', `--answers must be "full" or "kind", got ${JSON.stringify(options.answers)}`)
      const store = storeOf(options)
      // Whoever may make tokens may speak as anybody (`control:human`).
      await provenPerson(io, { act: 'token.add', about: `${name} ${options.source}` }, options)
      const made = store.add({ name, source: options.source, answers: options.answers as Answers, at: Date.now() })
      await named(store, options, `add ${name} as ${options.source}`)
      io.out(options.json ? JSON.stringify({ name, source: options.source, answers: options.answers, token: made }) : made)
      if (!options.json) io.err(`whoever has it speaks as ${options.source}; it is shown this once`)
    })
  token.command('list')
    .description('The tokens that there are; never the tokens themselves.')
    .option(...STATE).option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  $ usher token list')
    .action((options: TokenOptions) => {
      const tokens = storeOf(options).list().map(({ name, source, answers, addedAt }) => ({ name, source, answers, addedAt }))
      io.out(options.json ? JSON.stringify(tokens, null, 2) : tokens.length === 0 ? 'no tokens' : table(io, ['name', 'source', 'answers', 'added'], tokens.map(one => [one.name, one.source, one.answers, one.addedAt]), [30, 30, 8, 'rest']))
    })
  token.command('revoke <name>')
    .description('From now on the token lets nobody in.')
    .option('--log <file>', 'the call log (default: that of the server that runs, else .usher/log.sqlite)').option(...STATE)
    .addHelpText('after', '\nExample:\n  $ usher token revoke webhook-ci')
    .action(async (name: string, options: TokenOptions) => {
      const store = storeOf(options)
      if (!store.revoke(name)) throw new UsherError('BAD_OPTION', `there is no token called ${JSON.stringify(name)}; usher token list shows them`)
      await named(store, options, `revoke ${name}`)
      io.out(`revoked: ${name}`)
    })
}

/** A server that runs takes new tokens only where its log names them: the row goes there, or into the log that is there already. */
async function named(store: TokenStore, options: TokenOptions, what: string): Promise<void> {
  const state = resolve(options.state ?? defaultStateDir())
  const reply = await controlRequest(state, { do: 'ping' })
  const running = reply.kind === 'answer' ? reply.body['log'] : undefined
  const file = typeof running === 'string' ? running : logPath(options.log)
  if (typeof running !== 'string' && !existsSync(file)) return
  const log = await writableLog(file, { stateDir: state })
  try {
    await nameTokens(store, log, personName(options), what, Date.now())
  } finally {
    await log.close()
  }
}

const storeOf = (options: TokenOptions): TokenStore => new TokenStore(privateFolder(resolve(options.state ?? defaultStateDir())))
