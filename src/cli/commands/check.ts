/** `usher check`: loads routes, runs their tests, says what it read and what looks risky. */
import type { Command } from 'commander'
import { openEmbedder } from '../../embed/embedder.ts'
import { buildMatcher } from '../../match/matcher.ts'
import type { AskScorer, Embedder } from '../../ports.ts'
import { openAskScorer } from '../../reader/scorer.ts'
import { testRoutes } from '../../route-tester.ts'
import { describeRoutes, type TableDescription } from '../../routes/describe.ts'
import type { FindingLevel } from '../../routes/finding.ts'
import { lintRoutes } from '../../routes/lint/lint.ts'
import { readRoutes } from '../../routes/load.ts'
import { problemText } from '../../routes/problem.ts'
import { lintTool } from '../../schema/lint.ts'
import { withHead } from '../../table-heads.ts'
import { toolTable } from '../../tools/table.ts'
import type { RouteTable, Tool } from '../../types.ts'
import { progress, type Io } from '../io.ts'
import { cacheFolder, loadTools, routesFolder } from '../setup.ts'
import { table } from '../table.ts'

interface CheckOptions { readonly tools?: string, readonly expand?: true, readonly json?: true, readonly model: boolean, readonly reader: boolean }

/** A finding about a route or about a tool that one calls. */
interface Shown { readonly level: FindingLevel, readonly rule: string, readonly about: string, readonly file?: string, readonly line?: number, readonly message: string }

export function registerCheck(program: Command, io: Io): void {
  program.command('check [routes...]')
    .option('--tools <module>', 'the tools that the routes call (default: the example tools)')
    .option('--expand', 'print every sentence that the triggers stand for')
    .option('--no-model', 'without vectors: the tests are not run, and near duplicates are found by their words only')
    .option('--no-reader', 'the tests without the trained second reader, as with run --no-reader: the rules alone')
    .option('--json', 'as JSON')
    .addHelpText('after', `
Examples:
  $ usher check
  $ usher check routes/console.yaml --expand
  $ usher check --json

Exit code: 0 fine, 1 an error, or a test of a route that does not hold, 2 used wrongly.`)
    .action(async (paths: string[], options: CheckOptions) => {
      const tools = toolTable(await loadTools({ folder: '.usher', consoleAddress: 'http://127.0.0.1/', ...(options.tools ? { tools: options.tools } : {}) }))
      const read = readRoutes(routesFolder(paths), { tools })
      if (read.kind === 'invalid') {
        io.exit(1)
        if (options.json) { io.out(JSON.stringify({ valid: false, problems: read.problems }, null, 2)); return }
        for (const problem of read.problems) io.err(problemText(problem))
        io.err(`${read.problems.length} ${read.problems.length === 1 ? 'problem' : 'problems'}; nothing was loaded`)
        return
      }
      const embedder = options.model ? await openEmbedder() : undefined
      let scorer: AskScorer | undefined
      try {
        // As loading runs them: the second reader may object to a sentence, and fire one alone.
        scorer = embedder && options.reader ? await openAskScorer() : undefined
        const findings = await findingsOf(read.table, tools, embedder, scorer)
        if (findings.some(found => found.level === 'error')) io.exit(1)
        const description = describeRoutes(read.table)
        io.out(options.json ? JSON.stringify({ valid: true, ...description, findings }, null, 2) : checkText(io, description, findings, options.expand === true, options.model))
      } finally {
        await scorer?.close()
        await embedder?.close()
      }
    })
}

async function findingsOf(routes: RouteTable, tools: ReadonlyMap<string, Tool>, embedder: Embedder | undefined, scorer: AskScorer | undefined): Promise<readonly Shown[]> {
  const used = new Set([...routes.routes.values()].map(route => route.tool))
  const aboutTools = [...tools.values()].filter(tool => used.has(tool.name)).flatMap(tool => lintTool(tool).map((found): Shown => ({ level: 'warning', rule: found.rule, about: `${tool.name}${found.at}`, message: found.message })))
  const bar = progress('embedding:')
  try {
    const vectors = embedder && await phraseVectors(routes, embedder, bar.step)
    const score = vectors && ((a: string, b: string) => dot(vectors.get(a), vectors.get(b)))
    const nearest = embedder && await buildMatcher([...routes.routes.values()].flatMap(route => route.phrases.map(phrase => ({ route: route.name, text: phrase.text }))), embedder, { cacheDir: cacheFolder(), onProgress: bar.step })
    const matcher = embedder && nearest && await withHead(nearest, { table: routes, tools, embedder, cacheDir: cacheFolder(), onProgress: bar.step })
    const tests = embedder && matcher ? await testRoutes({ table: routes, tools, embedder, matcher, ...scorer ? { scorer } : {} }) : []
    return [...[...tests, ...lintRoutes(routes, { tools, ...(score ? { score } : {}) })].map(({ route, ...found }): Shown => ({ ...found, about: route })), ...aboutTools]
  } finally {
    bar.end()
  }
}

async function phraseVectors(routes: RouteTable, embedder: Embedder, step: (done: number, total: number) => void): Promise<ReadonlyMap<string, Float32Array>> {
  const texts = [...new Set([...routes.routes.values()].flatMap(route => route.phrases.map(phrase => phrase.text)))]
  const vectors = new Map<string, Float32Array>()
  for (const text of texts) {
    vectors.set(text, (await embedder.embed(text)).vector)
    step(vectors.size, texts.length)
  }
  return vectors
}

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a && b ? a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0) : 0
}

const STYLES = { error: 'red', warning: 'yellow', info: 'dim' } as const

function checkText(io: Io, description: TableDescription, findings: readonly Shown[], expand: boolean, tested: boolean): string {
  const lines = [table(io, ['route', 'tool', 'sentences', 'from', 'preset', 'allow', 'settings', 'tests'], description.routes.map(route => [
    route.name, route.tool, String(route.sentences), route.from.join(', '), route.preset, route.allow.join(', '), route.settings.join('; '), `${route.tests.mustFire} / ${route.tests.mustNotFire}`,
  ]), [22, 18, 9, 14, 22, 18, 'rest', 7])]
  if (expand) {
    for (const route of description.routes) {
      lines.push(`\n${io.paint('bold', route.name)}`)
      for (const trigger of route.triggers) lines.push(`  ${trigger.template}`, ...trigger.sentences.map(sentence => `      ${sentence}`))
    }
  }
  lines.push('')
  for (const found of findings) lines.push(`${io.paint(STYLES[found.level], found.level)}  ${found.file ? `${found.file}:${found.line ?? 1}  ` : ''}${found.about}  ${found.rule}: ${found.message}`)
  const count = (level: FindingLevel) => findings.filter(found => found.level === level).length
  const tests = description.routes.reduce((sum, route) => sum + route.tests.mustFire + route.tests.mustNotFire, 0)
  lines.push(`${description.routes.length} routes, ${description.sentences} sentences from ${description.files.length} files; ${tested ? `${tests} tests run` : `${tests} tests not run`}; ${count('error')} errors, ${count('warning')} warnings, ${count('info')} notes`)
  return lines.join('\n')
}
