/** `usher replay LOG`: what would these routes have done with what was logged? */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { UsherOptions } from '../../assemble.ts'
import { openEmbedder } from '../../embed/embedder.ts'
import { PINNED_ENCODER } from '../../embed/pinned.ts'
import { UsherError } from '../../errors.ts'
import type { DecisionRow } from '../../ports.ts'
import { loggedEvents } from '../../log/replay-source.ts'
import { openLogReader } from '../../log/reader.ts'
import { openAskScorer } from '../../reader/scorer.ts'
import { replay, type ReplayModels, type ReplayReport } from '../../replay.ts'
import { progress, type Io } from '../io.ts'
import { withScratchUsher } from '../open.ts'
import { cacheFolder, existingLog } from '../setup.ts'
import { sinceOption } from '../since.ts'
import { table } from '../table.ts'

export function registerReplay(program: Command, io: Io): void {
  program.command('replay [log]')
    .option('--routes <path...>', 'the route files or folders to try')
    .option('--tools <module>', 'a tools module')
    .option('--model <folder>', 'another encoder (a folder with model.json): every event is decided with it, whatever its row names')
    .option('--reader <folder>', 'another second reader, or "off" for the rules alone; the same')
    .option('--since <when>', 'only events since then')
    .option('--json', 'as JSON')
    .addHelpText('after', `
Examples:
  $ usher replay .usher/log.sqlite --routes new-routes/
  $ usher replay --routes new-routes/ --since 7d --json
  $ usher replay --model models/my-encoder --reader off

Without --model and --reader an event is decided again with the models that its row names; where they are not here, that is said.
Exit code: 0 nothing with effects newly fires, 1 something does, 2 used wrongly.`)
    .action(async (log: string | undefined, options: ReplayOptions) => {
      const file = existingLog(log)
      const reader = openLogReader(file)
      const bar = progress('deciding again:')
      const clock = { at: 0, now(): number { return this.at } }
      const models = await openModels(options)
      try {
        const report = await withScratchUsher(options, async usher => replay(
          loggedEvents(reader, options.since === undefined ? {} : { since: sinceOption(options.since) }),
          async (event, before) => {
            clock.at = event.at
            const decisions = await usher.decide({ ...event }, headOf(before, usher.table.hash)).catch(goneHead)
            if (!decisions) return undefined
            return decisions.map(({ row, ready }) => ({ row, fires: ready !== undefined, effectful: ready !== undefined && (ready.allowed === null || ready.allowed.length > 0) }))
          },
          done => bar.step(done, done),
          models.named,
        ), { clock, cache: cacheOf(file), ...models.usher })
        bar.end()
        if (report.changes.some(change => change.change === 'newly-fires' && change.effectful)) io.exit(1)
        io.out(options.json ? JSON.stringify(report, null, 2) : reportText(io, report))
      } finally {
        bar.end()
        reader.close()
        await models.close()
      }
    })
}

interface ReplayOptions { readonly routes?: string[], readonly tools?: string, readonly model?: string, readonly reader?: string, readonly since?: string, readonly json?: true }
interface Models { readonly usher: Partial<UsherOptions>, readonly named?: ReplayModels, close(): Promise<void> }

/** Opens what the options name, else what comes with Usher. A folder that holds no model is refused: the rules alone would answer another question. */
async function openModels({ model, reader }: ReplayOptions): Promise<Models> {
  const embedder = model === undefined ? undefined : await openEmbedder({ modelDir: resolve(model) })
  const missing: string[] = []
  const scorer = reader === 'off' ? undefined : await openAskScorer({ ...reader === undefined ? {} : { modelDir: resolve(reader) }, warn: words => { missing.push(words) } })
  if (reader !== undefined && reader !== 'off' && scorer === undefined) throw new UsherError('MODEL_MISSING', missing.join('; '))
  return {
    usher: { secondReader: scorer ?? false, ...embedder ? { model: embedder, encoder: embedder.id, routeTests: 'skip' } : {} },
    ...model === undefined && reader === undefined ? { named: { encoder: PINNED_ENCODER, ...scorer ? { reader: scorer.id } : {} } } : {},
    close: async () => { await embedder?.close(); await scorer?.close() },
  }
}

/** The heads that decided are kept beside the log that they decided for. */
function cacheOf(log: string): string {
  const beside = `${log}.cache`
  return existsSync(beside) ? beside : cacheFolder()
}

/** With the routes that it was decided with, a decision is made again by the head that made it; other routes have a head of their own. */
function headOf(before: readonly DecisionRow[], tableHash: string): { head?: string } {
  const hash = before.find(row => row.head && row.tableHash === tableHash)?.head?.['hash']
  return typeof hash === 'string' ? { head: hash } : {}
}

/** Undefined: the head is no longer kept. Any other failure goes on. */
function goneHead(error: unknown): undefined {
  if (!UsherError.is(error) || error.code !== 'INDEX_INVALID') throw error
}

function reportText(io: Io, report: ReplayReport): string {
  const rows = report.changes.map(change => [change.change, change.source, change.text, change.before, change.after])
  const head = `${report.events} events decided again: ${report.same} the same, ${report.changes.length} otherwise, ${report.notReplayable} not replayable`
    + report.otherModels.map(({ model, events, first }) => `\n${events} need the model ${model}, which is not the one here (the first: ${first}); name its folder with --model or --reader`).join('')
  return rows.length === 0 ? head : `${table(io, ['change', 'source', 'text', 'before', 'after'], rows, [16, 13, 'rest', 32, 32])}\n\n${head}`
}
