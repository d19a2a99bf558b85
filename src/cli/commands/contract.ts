/** `usher contract`: draft, review, sign, verify and list what a person agreed that the tools of a server are; and the workflow for CI. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { contractKey } from '../../contract/contract.ts'
import { readAccepted } from '../../contract/accepted.ts'
import { ciWorkflow } from '../../contract/ci.ts'
import { readDrafts, removeDraft, writeDraft } from '../../contract/draft.ts'
import { type ContractFile, readContractFile } from '../../contract/read-file.ts'
import { readAudit } from '../../contract/audited.ts'
import { reviewDraft, type DraftReview } from '../../contract/review.ts'
import { addSignature, merged, signedRecord, writeSigned } from '../../contract/sign.ts'
import { verifyAgainstBase } from '../../contract/against-base.ts'
import { type ContractPaths, contractPaths, type Verdict, verifyContracts } from '../../contract/verify.ts'
import { UsherError } from '../../errors.ts'
import type { ServerTarget } from '../../mcp/connection.ts'
import { acceptedFolder, type ContractFileOptions, DEFAULT_CONTRACTS, pathsOf, reviewOf } from '../contract-options.ts'
import { provenPerson } from '../desk.ts'
import type { Io } from '../io.ts'
import { completedTools } from '../grants.ts'
import { reviewText } from '../review-text.ts'

interface DraftOptions extends ContractFileOptions { readonly url?: string, readonly withNetwork?: true, readonly withWrites?: true, readonly timeout: string }
interface SignOptions extends ContractFileOptions { readonly as: string, readonly key: string, readonly draft?: string[], readonly privileges?: readonly string[], readonly effects?: readonly string[], readonly remove?: readonly string[], readonly yes?: true, readonly state?: string, readonly log?: string }

export function registerContract(program: Command, io: Io): void {
  const contract = program.command('contract')
  registerDraft(contract, io)
  registerReview(contract, io)
  registerSign(contract, io)
  registerVerifyContracts(contract, io)
  contract.command('list')
    .description('Each contract: who signed it, when, and whether the server still offers the same.')
    .option('--contracts <file>', 'the contract file', DEFAULT_CONTRACTS).option('--signers <file>', 'the allowed_signers file (default: beside the contracts)').option('--revoked <file>', 'keys that are revoked')
    .option('--offline', 'start no server').option('--i-own-this-machine', 'the running user may own the files').option('--json', 'as JSON')
    .addHelpText('after', '\nExit code: 0 all hold, 1 some do not, 2 used wrongly.')
    .action(async (options: ContractFileOptions & { offline?: true, iOwnThisMachine?: true, json?: true }) => (await import('../contract-list.ts')).listContracts(io, options))
  contract.command('ci [file]')
    .description('Print a workflow that verifies the contracts of a repository. It needs no secrets.')
    .addHelpText('after', '\nExample:\n  $ usher contract ci > .github/workflows/contracts.yml')
    .action((file: string = DEFAULT_CONTRACTS) => {
      if (!/^[\w.][\w./-]*$/.test(file)) throw new UsherError('BAD_OPTION', `the file must be a plain path within the repository, got ${JSON.stringify(file)}`)
      io.out(ciWorkflow(file).trimEnd())
    })
}

function registerDraft(contract: Command, io: Io): void {
  contract.command('draft <server> [command...]')
    .description('Ask a server what it offers, and put that into the review folder. Calls nothing, changes no contract.')
    .option('--contracts <file>', 'the contract file', DEFAULT_CONTRACTS).option('--url <address>', 'a server over streamable HTTP, in place of a command')
    .option('--with-network', 'start it with the network; default: without, where the system offers that').option('--with-writes', 'start it with a writable disk; default: read-only, where the system offers that')
    .option('--timeout <seconds>', 'for its start', '30')
    .addHelpText('after', `
Examples:
  $ usher contract draft notes -- node notes-server.js /home/me/notes
  $ usher contract draft search --url https://search.example/mcp`)
    .action(async (server: string, command: string[], options: DraftOptions) => {
      const paths = pathsOf(options)
      // The MCP SDK takes its time to load: only for the commands that speak to a server.
      const { draftServer } = await import('../../mcp/draft-server.ts')
      const draft = await draftServer(server, targetOf(server, command, options, paths.file), { startTimeout: seconds(options.timeout), onServerRequest: method => io.err(`the server asked for ${method}; refused`) })
      const file = writeDraft(reviewOf(paths), server, 'person', draft.records)
      io.out(`${draft.records.length} tools drafted: ${file}`)
      for (const bad of draft.bad) io.err(`${io.paint('yellow', 'left out')}  ${JSON.stringify(bad.name)}: ${bad.why}`)
      for (const group of draft.lookAlikes) io.err(`${io.paint('yellow', 'look alike')}  ${group.map(name => JSON.stringify(name)).join(', ')}`)
      for (const words of [...draft.strays.map(stray => `stdout: ${stray}`), ...draft.missing]) io.err(`${io.paint('yellow', 'note')}  ${words}`)
      io.out('Next: usher contract review, fill in privileges and effects, then usher contract sign')
    })
}

function targetOf(server: string, command: readonly string[], options: DraftOptions, file: string): ServerTarget {
  if (options.url !== undefined) {
    if (command.length > 0) throw new UsherError('BAD_OPTION', 'give a command or --url, not both')
    return { kind: 'url', url: options.url }
  }
  const known = readContractFile(file).contracts.find(one => one.server?.name === server)?.server
  const words = command.length > 0 ? command : known && 'command' in known ? known.command : undefined
  if (!words) {
    if (known && 'url' in known) return { kind: 'url', url: known.url }
    throw new UsherError('BAD_OPTION', `say how the server ${JSON.stringify(server)} is started: usher contract draft ${server} -- COMMAND`)
  }
  return { kind: 'command', command: words, sandbox: { network: options.withNetwork === true, writes: options.withWrites === true } }
}

function seconds(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value <= 3600)) throw new UsherError('BAD_OPTION', `--timeout must be a number of seconds up to 3600, got ${JSON.stringify(text)}`)
  return value * 1000
}

function reviews(options: ContractFileOptions & { readonly audit?: string }): { readonly reviews: readonly DraftReview[], readonly errors: readonly string[] } {
  const paths = pathsOf(options)
  const { drafts, errors } = readDrafts(reviewOf(paths))
  const audit = options.audit === undefined ? undefined : readAudit(fileText(options.audit), options.audit)
  return { reviews: drafts.map(draft => reviewDraft(draft, readContractFile(paths.file).contracts, audit)), errors }
}

/** Throws BAD_OPTION. */
function fileText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new UsherError('BAD_OPTION', `--audit ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

function registerReview(contract: Command, io: Io): void {
  contract.command('review')
    .description('Show what the drafts would change, as a person must see it.')
    .option('--contracts <file>', 'the contract file', DEFAULT_CONTRACTS).option('--audit <file>', 'what "usher audit --json" printed').option('--json', 'as JSON')
    .addHelpText('after', '\nExit code: 0 no red flags, 1 some, or a draft that cannot be read, 2 used wrongly.')
    .action((options: ContractFileOptions & { audit?: string, json?: true }) => {
      const found = reviews(options)
      if (found.errors.length > 0 || found.reviews.some(review => review.tools.some(tool => tool.flags.length > 0))) io.exit(1)
      if (options.json) { io.out(JSON.stringify(found, null, 2)); return }
      for (const error of found.errors) io.err(error)
      io.out(found.reviews.length === 0 ? 'no drafts' : found.reviews.map(review => reviewText(io, review)).join('\n\n'))
    })
}

function registerSign(contract: Command, io: Io): void {
  contract.command('sign')
    .description('Put your name under drafts, or under the contract file as it is.')
    .requiredOption('--as <person>', 'your name in the signers file').requiredOption('--key <file>', 'your SSH key, as for ssh-keygen -Y sign')
    .option('--contracts <file>', 'the contract file', DEFAULT_CONTRACTS).option('--signers <file>', 'the allowed_signers file (default: beside the contracts)').option('--revoked <file>', 'keys that are revoked')
    .option('--draft <file...>', 'drafts of the review folder to take in; default: none, and the file is signed as it is')
    .option('--privileges <list...>', 'for drafted tools that name none: fs.read,http.get, or for one tool: notes/add=fs.write')
    .option('--effects <json...>', 'for drafted tools whose effects are unknown: {"always":[]}, or for one tool: notes/add={"always":["fs.write"]}')
    .option('--remove <tool...>', 'take tools out of the file: notes/add')
    .option('--yes', 'you have read the review').option('--state <folder>', 'the state folder, with your passphrase').option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .addHelpText('after', `
Examples:
  $ usher contract sign --as alice --key ~/.ssh/id_ed25519 --draft .usher/review/notes-1a2b3c4d.draft.json
  $ usher contract sign --as alice --key ~/.ssh/id_ed25519 --draft notes.draft.json --privileges fs.read notes/add=fs.read,fs.write.limited
  $ usher contract sign --as bob --key ~/.ssh/id_ed25519_sk      # the second signature

Exit code: 0 signed and holds, 1 signed but more is needed (or refused), 2 used wrongly.`)
    .action(async (options: SignOptions) => {
      const paths = pathsOf(options)
      const { drafts } = readDrafts(reviewOf(paths))
      const wanted = (options.draft ?? []).map(file => {
        const draft = drafts.find(one => resolve(one.file) === resolve(file))
        if (!draft) throw new UsherError('BAD_OPTION', `${file} is no draft in ${reviewOf(paths)}`)
        return draft
      })
      const unknown = (options.remove ?? []).find(tool => !readContractFile(paths.file).contracts.some(contract => contractKey(contract) === tool))
      if (unknown !== undefined) throw new UsherError('BAD_OPTION', `--remove ${JSON.stringify(unknown)}: no contract in ${paths.file} is for it`)
      for (const tool of options.remove ?? []) io.out(`${io.paint('green', 'removes')}  ${tool}`)
      const shown = wanted.map(draft => reviewDraft(draft, readContractFile(paths.file).contracts))
      for (const review of shown) io.out(reviewText(io, review))
      if (!await confirmed(options)) throw new UsherError('BAD_OPTION', 'nothing was signed: say yes, or give --yes after reading the review')
      // The key may lie open in a file that an agent can read: where a passphrase is set, it is asked for as well.
      await provenPerson(io, { act: 'contract.sign', about: paths.file }, { as: options.as, ...options.state === undefined ? {} : { state: options.state }, ...options.log === undefined ? {} : { log: options.log } })
      const by = { key: options.key, person: options.as, files: paths }
      if (wanted.length > 0 || options.remove) {
        const next = merged(paths.file, completedTools(wanted.flatMap(draft => draft.tools), options).map(tool => signedRecord(tool, options.as)), [...shown.flatMap(review => review.gone), ...options.remove ?? []])
        if (next.kind === 'text') await writeSigned(paths.file, next.text, by)
        else {
          for (const found of next.problems) io.out(`${io.paint('red', found.code)}  ${found.tool === null ? '' : `${JSON.stringify(found.tool)}: `}${found.message}`)
          throw new UsherError('CONTRACT_INVALID', 'nothing was written or signed: mend the drafts (or give --privileges and --effects) and sign again')
        }
      } else if (!existsSync(paths.file)) throw new UsherError('BAD_OPTION', `${paths.file} is not there; name drafts with --draft`)
      else await addSignature(paths.file, by, acceptedBefore(paths).before)
      for (const draft of wanted) removeDraft(draft.file)
      report(io, verifyContracts(paths, acceptedBefore(paths)), false)
    })
}

/** A person at a terminal is asked; anything else must have said so. */
async function confirmed(options: SignOptions): Promise<boolean> {
  if (options.yes) return true
  if (process.stdin.isTTY !== true) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`Sign this as ${options.as}? [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

function registerVerifyContracts(contract: Command, io: Io): void {
  contract.command('verify [file]')
    .description('Do the contracts keep every rule, and did the right people sign them?')
    .option('--signers <file>', 'the allowed_signers file (default: beside the contracts)').option('--revoked <file>', 'keys that are revoked')
    .option('--base <file>', 'the contracts as they were accepted before, with their signatures and signers beside them: those signers decide, and only what goes beyond needs all of them (default: what this machine accepted)')
    .option('--machine', 'also check who may write the files here').option('--i-own-this-machine', 'with --machine: the running user may own them').option('--json', 'as JSON')
    .addHelpText('after', '\nExit code: 0 ok, 1 unsigned or refused, 2 used wrongly.')
    .action((file: string | undefined, options: { signers?: string, revoked?: string, base?: string, machine?: true, iOwnThisMachine?: true, json?: true }) => {
      const paths = pathsOf({ ...options, contracts: file ?? DEFAULT_CONTRACTS })
      // Signers that are named are the owner's word; else the base brings its own, and those of the proposal decide nothing.
      const base = options.base === undefined ? undefined : contractPaths(resolve(options.base), { ...options.signers === undefined ? {} : { signers: paths.signers }, ...options.revoked === undefined ? {} : { revoked: paths.revoked } })
      if (base && options.machine) throw new UsherError('BAD_OPTION', '--machine asks who may write the files here, and --base is for files that come from elsewhere: give one of them')
      report(io, base ? verifyAgainstBase(paths, base) : verifyContracts(paths, { access: options.machine === true, ownMachine: options.iOwnThisMachine === true, ...acceptedBefore(paths) }), options.json === true)
    })
}

/** What this machine accepted before, where it did: only what goes beyond that needs every signer. */
function acceptedBefore(paths: ContractPaths): { readonly before?: ContractFile } {
  const { file } = readAccepted(acceptedFolder(paths), paths, Date.now())
  return file ? { before: file } : {}
}

function report(io: Io, verdict: Verdict, json: boolean): void {
  const { status, problems } = verdict
  if (status !== 'ok') io.exit(1)
  if (json) { io.out(JSON.stringify({ status, problems }, null, 2)); return }
  for (const problem of problems) io.out(`${io.paint(status === 'unsigned' ? 'yellow' : 'red', problem.code)}  ${problem.tool === null ? '' : `${JSON.stringify(problem.tool)}: `}${problem.message}`)
  const people = [...new Set(verdict.standing.good.flatMap(signature => signature.principals))].join(', ')
  io.out(`${io.paint(status === 'ok' ? 'green' : status === 'unsigned' ? 'yellow' : 'red', status)}  ${verdict.file.contracts.length} tools${people ? `, signed by ${people}` : ''}`)
}
