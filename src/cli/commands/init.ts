/** `usher init`: three questions, then a route, a tool module and a test, and a day with the owner's own words in it, decided with them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { parseEventLine } from '../../ingest/parse.ts'
import { parseEffect } from '../../vocabulary/effects.ts'
import { dayOf } from '../init-day.ts'
import { initFiles, type InitAnswers } from '../init-files.ts'
import type { Io } from '../io.ts'
import { withScratchUsher } from '../open.ts'
import { table } from '../table.ts'

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

Exit code: 0 written, 1 a file was there already, a test of the route does not hold, or its day is not as it should be, 2 used wrongly.`)
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
  const said = await day(folder, answers)
  const odd = said.events.filter(event => !event.asItShould)
  if (odd.length > 0) io.exit(1)
  if (options.json) { io.out(JSON.stringify({ folder, files: [...files.keys()], day: said }, null, 2)); return }
  for (const file of files.keys()) io.out(`${io.paint('green', 'written')}  ${join(options.folder, file)}`)
  io.out('\nA day with your words in it, decided with the new route; nothing was called:\n')
  io.out(table(io, ['source', 'text', 'what it is', 'would call', 'why'], said.events.map(({ source, text, what, wouldCall, outcome, why }) => [source, text, what, wouldCall ? answers.name : '-', wouldCall ? why : `${outcome}: ${why}`]), [12, 40, 23, 12, 'rest'],
    (row, column, cell) => column === 3 && said.events[row]?.asItShould === false ? io.paint('red', cell) : cell))
  io.out(odd.length === 0 ? `\nAll as it should be. Of the ${said.example.events} events of the example day, which are about other things, ${said.example.calls.length} would call ${answers.name}.` : `\n${odd.length} of them ${odd.length === 1 ? 'is' : 'are'} not as it should be: change the phrase, or add triggers and must_not_fire to the route (usher check says more).`)
  for (const text of said.example.calls.slice(0, 10)) io.out(`  ${text}`)
  io.out(`\n${answers.name} does nothing yet: its handler in tools.mjs is yours to write, and until then a call of it is logged as failed.`)
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

interface Decided { readonly source: string, readonly text: string, readonly what: string, readonly wouldCall: boolean, readonly outcome: string, readonly why: string, readonly asItShould: boolean }
interface Day { readonly events: readonly Decided[], readonly example: { readonly events: number, readonly calls: readonly string[] } }

/** Decided only: nothing is called and nothing is logged. Throws ROUTES_INVALID where a test of the route does not hold. */
async function day(folder: string, { name, say, effect }: InitAnswers): Promise<Day> {
  return withScratchUsher({ routes: [join(folder, 'routes')], tools: join(folder, 'tools.mjs') }, async usher => {
    const events: Decided[] = []
    for (const { source, text, what, calls } of dayOf(say, effect !== 'none')) {
      const decided = await usher.decide({ source, text })
      const wouldCall = decided.some(({ row, ready }) => ready !== undefined && row.tool === name)
      events.push({ source, text, what, wouldCall, outcome: decided[0]?.row.kind ?? 'no-match', why: decided[0]?.row.why ?? '', asItShould: calls === undefined || calls === wouldCall })
    }
    const lines = readFileSync(fileURLToPath(EXAMPLE_DAY), 'utf8').split('\n').filter(line => line.trim() !== '')
    const calls: string[] = []
    for (const line of lines) {
      const parsed = parseEventLine(line, { source: 'file', now: () => Date.now(), trustBody: true })
      if (parsed.kind === 'malformed') continue
      const { source, text } = parsed.event
      if ((await usher.decide({ source, text })).some(({ ready }) => ready !== undefined)) calls.push(`${source}: ${text}`)
    }
    return { events, example: { events: lines.length, calls } }
  })
}
