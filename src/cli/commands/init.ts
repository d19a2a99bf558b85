/** `usher init`: three questions, then a route, a tool module and a test, and the example day decided with them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { parseEventLine } from '../../ingest/parse.ts'
import { parseEffect } from '../../vocabulary/effects.ts'
import { initFiles, type InitAnswers } from '../init-files.ts'
import type { Io } from '../io.ts'
import { withScratchUsher } from '../open.ts'

interface InitOptions { readonly name?: string, readonly say?: string, readonly effect?: string, readonly folder: string, readonly yes?: true, readonly json?: true }

const DEFAULTS: InitAnswers = { name: 'lamp', say: 'switch on the lamp', effect: 'device.actuate' }
const EXAMPLE_DAY = new URL('../../../src/example/day.jsonl', import.meta.url)

export function registerInit(program: Command, io: Io): void {
  program.command('init')
    .option('--name <name>', 'what the tool is called')
    .option('--say <words>', 'what you say to ask for it')
    .option('--effect <effect>', 'what it does, in the words of the effects table, or "none"')
    .option('--folder <folder>', 'where to write', '.')
    .option('--yes', `without questions: ${DEFAULTS.name}, "${DEFAULTS.say}", ${DEFAULTS.effect} where no option says otherwise`)
    .option('--json', 'what was written and decided, as JSON')
    .addHelpText('after', `
Nothing that is there already is overwritten. usher-router and zod must be installed there: npm install usher-router zod.

Examples:
  $ usher init
  $ usher init --name kettle --say "put the kettle on" --effect device.actuate
  $ usher init --yes --folder my-usher

Exit code: 0 written, 1 a file was there already or a test of the route does not hold, 2 used wrongly.`)
    .action((options: InitOptions) => init(io, options))
}

async function init(io: Io, options: InitOptions): Promise<void> {
  const folder = resolve(options.folder)
  mustResolve(folder)
  const answers = checked(await ask(io, options))
  const files = initFiles(answers)
  const there = [...files.keys()].filter(file => existsSync(join(folder, file)))
  if (there.length > 0) {
    io.exit(1)
    io.err(`already there, and left as it is: ${there.join(', ')}; nothing was written. Name another folder with --folder`)
    return
  }
  for (const [file, text] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const said = await day(folder)
  if (options.json) { io.out(JSON.stringify({ folder, files: [...files.keys()], day: said }, null, 2)); return }
  for (const file of files.keys()) io.out(`${io.paint('green', 'written')}  ${join(options.folder, file)}`)
  io.out(`\nThe example day, decided with it: ${said.events} events, ${said.calls.length} would call ${answers.name}, ${said.near.length} come near without asking.`)
  for (const text of [...said.calls, ...said.near].slice(0, 10)) io.out(`  ${text}`)
  io.out(`\nTry next, in ${options.folder}:\n  npx usher decide --routes routes --tools tools.mjs "please ${answers.say}"\n  npx usher check routes --tools tools.mjs\n  node --test test/`)
}

/** What the written files import. Found out before a question is asked: files that do not load are no beginning. */
function mustResolve(folder: string): void {
  const { resolve: find } = createRequire(join(folder, 'tools.mjs'))
  const missing = ['usher-router', 'zod'].filter(name => {
    try {
      find(name)
      return false
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return true
      throw error
    }
  })
  if (missing.length === 0) return
  const first = existsSync(join(folder, 'package.json')) ? '' : 'npm init -y && '
  throw new UsherError('BAD_OPTION', `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not installed for ${folder}, and the files that would be written there import ${missing.length === 1 ? 'it' : 'them'}; nothing was written. In that folder: ${first}npm install ${missing.join(' ')}, then npx usher init`)
}

async function ask(io: Io, { name, say, effect, yes }: InitOptions): Promise<InitAnswers> {
  const given = { ...(name === undefined ? {} : { name }), ...(say === undefined ? {} : { say }), ...(effect === undefined ? {} : { effect }) }
  if (yes || Object.keys(given).length === 3) return { ...DEFAULTS, ...given }
  if (!io.terminal || process.stdin.isTTY !== true) throw new UsherError('BAD_OPTION', 'there is no terminal to ask on: give --name, --say and --effect, or --yes')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const question = async (key: keyof InitAnswers, words: string): Promise<string> => given[key] ?? ((await lines.question(`${words} [${DEFAULTS[key]}] `)).trim() || DEFAULTS[key])
  try {
    return {
      name: await question('name', 'What is it called?'), say: await question('say', 'What do you say to ask for it?'),
      effect: await question('effect', 'What does it do? (none, device.actuate, message.send, browser.open, data.change, ...)'),
    }
  } finally {
    lines.close()
  }
}

function checked(answers: InitAnswers): InitAnswers {
  const { name, say, effect } = answers
  if (!/^[a-z][a-z0-9_-]{0,39}$/.test(name)) throw new UsherError('BAD_OPTION', `a name is up to 40 small letters, digits, "_" or "-", beginning with a letter; got ${JSON.stringify(name)}`)
  if (!/^[\p{L}\p{N}][\p{L}\p{N}\p{M} ,.'’-]{2,120}$/u.test(say)) throw new UsherError('BAD_OPTION', `what you say is 3 to 120 characters of plain words; got ${JSON.stringify(say)}`)
  if (effect !== 'none' && (parseEffect(effect) === undefined || effect === 'unknown')) throw new UsherError('BAD_OPTION', `an effect is "none" or a word of the effects table, such as device.actuate or message.send; got ${JSON.stringify(effect)}`)
  return answers
}

interface Day { readonly events: number, readonly calls: readonly string[], readonly near: readonly string[] }

/** Decided only: nothing is called and nothing is logged. Throws ROUTES_INVALID where a test of the route does not hold. */
async function day(folder: string): Promise<Day> {
  const lines = readFileSync(fileURLToPath(EXAMPLE_DAY), 'utf8').split('\n').filter(line => line.trim() !== '')
  return withScratchUsher({ routes: [join(folder, 'routes')], tools: join(folder, 'tools.mjs') }, async usher => {
    const calls: string[] = []
    const near: string[] = []
    for (const line of lines) {
      const parsed = parseEventLine(line, { source: 'file', now: () => Date.now(), trustBody: true })
      if (parsed.kind === 'malformed') continue
      const { source, text } = parsed.event
      for (const { row, ready } of await usher.decide({ source, text })) {
        if (ready) calls.push(`would call  ${source}: ${text}`)
        else if (row.route !== undefined) near.push(`${row.kind}  ${source}: ${text}`)
      }
    }
    return { events: lines.length, calls, near }
  })
}
