/** `usher eval FILE`: how well do the words of these routes fire on labelled events? */
import type { Command } from 'commander'
import { openEmbedder } from '../../embed/embedder.ts'
import { UsherError } from '../../errors.ts'
import { runEval } from '../../eval/eval.ts'
import { formatEval } from '../../eval/report.ts'
import { openAskScorer } from '../../reader/scorer.ts'
import { buildMatcher } from '../../match/matcher.ts'
import type { Io } from '../io.ts'
import { progress } from '../io.ts'
import { readJson } from '../read-json.ts'
import { cacheFolder } from '../setup.ts'

export function registerEval(program: Command, io: Io): void {
  program.command('eval <file>')
    .option('--errors <n>', 'list at most so many errors', '40')
    .option('--reader <on|off>', 'the trained second reader: it may object and offer', 'on')
    .option('--no-model', 'the words alone, without vectors')
    .option('--json', 'as JSON')
    .addHelpText('after', `
Every route of the file counts as effectful; its sources are user and voice unless it says \`from\`.

Example:
  $ usher eval my-asks.json --json

Exit code: 0 done, 2 used wrongly.`)
    .action(async (file: string, options: { errors: string, reader: string, model: boolean, json?: true }) => {
      const max = Number(options.errors)
      if (!(Number.isInteger(max) && max >= 0)) throw new UsherError('BAD_OPTION', `--errors must be a whole number, got ${JSON.stringify(options.errors)}`)
      if (options.reader !== 'on' && options.reader !== 'off') throw new UsherError('BAD_OPTION', `--reader must be on or off, got ${JSON.stringify(options.reader)}`)
      const data = readJson(file)
      const scorer = options.reader === 'on' ? await openAskScorer() : undefined
      const embedder = options.model ? await openEmbedder() : undefined
      const bar = progress('embedding:')
      let embedded = 0
      try {
        const counted = embedder && { ...embedder, id: embedder.id, dimension: embedder.dimension, embed: (text: string) => { bar.step(++embedded, embedded); return embedder.embed(text) }, close: () => embedder.close() }
        const report = await runEval(data, { where: file, ...(scorer ? { scorer } : {}), ...(counted ? { embedder: counted, buildMatcher: (phrases, model) => buildMatcher(phrases, model, { cacheDir: cacheFolder() }) } : {}) })
        bar.end()
        io.out(options.json ? JSON.stringify(report) : formatEval(report, max))
      } finally {
        bar.end()
        await embedder?.close()
        await scorer?.close()
      }
    })
}
