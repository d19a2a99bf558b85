/** `usher calibrate`: thresholds of routes with several phrases, from a budget of false fires. */
import { existsSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { Command } from 'commander'
import { openEmbedder } from '../../embed/embedder.ts'
import { UsherError } from '../../errors.ts'
import { evalData } from '../../eval/data.ts'
import { DEFAULT_BUDGET, type BuiltHead } from '../../heads/build.ts'
import { calibrate, type Chosen, type CurvePoint, type Labelled } from '../../heads/calibrate.ts'
import { framed } from '../../heads/kernel.ts'
import { sigmoid } from '../../heads/logistic.ts'
import { readSideFile, writeSideFile } from '../../heads/side-file.ts'
import type { Embedder } from '../../ports.ts'
import { loadRoutes } from '../../routes/load.ts'
import { sideFileOf, tableHead } from '../../table-heads.ts'
import { toolTable } from '../../tools/table.ts'
import type { JsonObject } from '../../types.ts'
import { curveSvg, curveText } from '../curve.ts'
import { progress, type Io } from '../io.ts'
import { cacheFolder, loadTools, routesFolder } from '../setup.ts'
import { table } from '../table.ts'
import { readJson } from '../read-json.ts'

interface CalibrateOptions { readonly routes?: string[], readonly tools?: string, readonly budget: string, readonly labelled?: string, readonly as?: string, readonly yes?: true, readonly dryRun?: true, readonly json?: true }

export function registerCalibrate(program: Command, io: Io): void {
  program.command('calibrate')
    .option('--routes <path...>', 'route files or folders')
    .option('--tools <module>', 'the tools that the routes call (default: the example tools)')
    .option('--budget <share>', 'part of the events for no route that may fire one', `${DEFAULT_BUDGET * 100}%`)
    .option('--labelled <file>', 'labelled texts in the form of usher eval; route null: it asks for none')
    .option('--as <person>', 'your name, for the record')
    .option('--yes', 'lower thresholds too')
    .option('--dry-run', 'write nothing')
    .option('--json', 'as JSON')
    .addHelpText('after', `
A threshold is only ever lowered with --yes, and never below a sentence of \`not\` or \`must_not_fire\`. Routes with effects need an explicit ask whatever this says.

Examples:
  $ usher calibrate
  $ usher calibrate --budget 0.1% --labelled my-asks.json --as alice

Exit code: 0 written (or nothing to do), 1 not written since a threshold would be lowered, 2 used wrongly.`)
    .action(async (options: CalibrateOptions) => {
      const budget = shareOf(options.budget)
      const tools = toolTable(await loadTools({ folder: '.usher', consoleAddress: 'http://127.0.0.1/', ...(options.tools ? { tools: options.tools } : {}) }))
      const routes = loadRoutes(routesFolder(options.routes), { tools })
      const embedder = await openEmbedder()
      const bar = progress('embedding:')
      try {
        const built = await tableHead({ table: routes, tools, embedder, cacheDir: cacheFolder(), calibration: false, onProgress: bar.step })
        bar.end()
        if (!built) { io.out(options.json ? JSON.stringify({ routes: [] }) : 'no route without effects has five triggers or more: each goes by its nearest phrase'); return }
        const chosen = calibrate(built, budget, await labelledTexts(options.labelled, embedder))
        const path = sideFileOf(routes)
        const lowered = path !== undefined && existsSync(path) ? loweredBy(chosen, readSideFile(path, embedder.id).thresholds) : []
        const held = lowered.length > 0 && !options.yes
        if (held) io.exit(1)
        const write = path !== undefined && !options.dryRun && !held
        if (write) store(path, built, chosen, budget, options.as ?? userInfo().username)
        io.out(options.json ? json(chosen, budget, lowered, write ? path : null) : text(io, chosen, lowered, write ? path : undefined, held))
      } finally {
        bar.end()
        await embedder.close()
      }
    })
}

/** `0.1%`, `0.1 %` or `0.001`. */
function shareOf(text: string): number {
  const value = /^(\d+(?:\.\d+)?|\.\d+)\s*(%?)$/.exec(text.trim())
  const share = value ? Number(value[1]) / (value[2] === '%' ? 100 : 1) : NaN
  if (!(share > 0 && share <= 0.5)) throw new UsherError('BAD_OPTION', `--budget must be a share above 0 and at most 50%, like 0.1%, got ${JSON.stringify(text)}`)
  return share
}

async function labelledTexts(file: string | undefined, embedder: Embedder): Promise<readonly Labelled[]> {
  if (file === undefined) return []
  const { cases } = evalData(readJson(file), file)
  const bar = progress('embedding labelled texts:')
  const found: Labelled[] = []
  for (const { text: said, route } of cases) {
    const [plain, inFrame] = await Promise.all([embedder.embed(said), embedder.embed(framed(said))])
    found.push({ text: said, route, vectors: { plain: plain.vector, framed: inFrame.vector } })
    bar.step(found.length, cases.length)
  }
  bar.end()
  return found
}

interface Lowered { readonly route: string, readonly from: number, readonly to: number }

function loweredBy(chosen: Chosen, before: ReadonlyMap<string, number>): Lowered[] {
  return chosen.routes.flatMap(({ route, threshold }) => {
    const from = before.get(route)
    return from !== undefined && threshold < from - 1e-9 ? [{ route, from, to: threshold }] : []
  })
}

function store(path: string, built: BuiltHead, chosen: Chosen, budget: number, who: string): void {
  const { encoder, probability } = built.head.facts
  writeSideFile(path, { encoder, inputs: built.inputs, budget, probability, thresholds: chosen.thresholds, who, at: Date.now(), why: chosen.why, evidence: { routes: chosen.routes.map(route => ({ ...route })), thin: [...chosen.thin] } as JsonObject })
  writeFileSync(path.replace(/\.json$/, '.svg'), curveSvg(chosen.curve, chosenPoint(chosen), 'Hits against false fires'), { mode: 0o600 })
}

/** Where the budget's threshold is on the curve. */
function chosenPoint({ threshold, routes }: Chosen): CurvePoint {
  const texts = routes.reduce((sum, route) => sum + route.texts, 0)
  return { probability: sigmoid(threshold.logit), hits: texts === 0 ? 0 : routes.reduce((sum, route) => sum + route.hits, 0) / texts, falseFires: threshold.neutral === 0 ? 0 : threshold.fired / threshold.neutral }
}

function json(chosen: Chosen, budget: number, lowered: readonly Lowered[], written: string | null): string {
  return JSON.stringify({ budget, written, lowered, threshold: { ...chosen.threshold, probability: sigmoid(chosen.threshold.logit) }, routes: chosen.routes, curve: chosen.curve, why: chosen.why, thin: chosen.thin }, null, 2)
}

function text(io: Io, chosen: Chosen, lowered: readonly Lowered[], written: string | undefined, held: boolean): string {
  const rows = chosen.routes.map(({ route, threshold, texts, hits, false: wrong, guarded, thin }) => [route, threshold.toFixed(3), `${hits} of ${texts}`, String(wrong), [...guarded ? ['a sentence must not fire it'] : [], ...thin ? ['thin'] : []].join(', ')])
  return [
    table(io, ['route', 'probability', 'hits', 'false', ''], rows, ['rest', 11, 10, 7, 30]),
    curveText(chosen.curve, chosenPoint(chosen)),
    ...chosen.why.map(line => `why   ${line}`),
    ...chosen.thin.map(line => `${io.paint('yellow', 'thin')}  ${line}`),
    ...lowered.map(({ route, from, to }) => `${io.paint('red', 'lower')} ${route} from ${from.toFixed(3)} to ${to.toFixed(3)}`),
    held ? 'nothing was written: a threshold would be lowered; read the difference, then give --yes' : written === undefined ? 'nothing was written' : `written: ${written}`,
  ].join('\n')
}
