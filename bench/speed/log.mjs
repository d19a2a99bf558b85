/** A durable logged call over a bare INSERT with fsync, on the same disk, rounds interleaved. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, short } from './stats.mjs'

export async function log(context) {
  const { default: Database } = await import('better-sqlite3')
  const { createUsher, defineTool } = await import('../../dist/index.js')
  const { tableOf } = await import('./usher_table.mjs')
  const z = await import('zod')
  const scratch = mkdtempSync(join(tmpdir(), 'usher-bench-'))
  const db = new Database(join(scratch, 'bare.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('CREATE TABLE row (id TEXT PRIMARY KEY, at INTEGER, body TEXT) STRICT')
  const insert = db.prepare('INSERT INTO row VALUES (?, ?, ?)')
  const tool = defineTool({ name: 'act', description: 'Does nothing.', input: z.object({ n: z.number() }), effects: {}, run: () => 'done' })
  const usher = await createUsher({ routes: tableOf([{ name: 'a', utterances: ['nothing at all'] }]), tools: [tool], log: join(scratch, 'log.db'), cache: false })
  const body = JSON.stringify({ tool: 'act', args: { n: 1 }, at: Date.now(), who: 'bench' }).padEnd(400, ' ')
  const [rounds, calls] = context.quick ? [4, 50] : [12, 200]
  const ratios = []
  const group = []
  const times = { bare: [], call: [], group: [] }
  let id = 0
  for (let round = 0; round < rounds; round++) {
    let start = performance.now()
    for (let i = 0; i < calls; i++) insert.run(`r${id++}`, Date.now(), body)
    const bare = (performance.now() - start) / calls
    start = performance.now()
    for (let i = 0; i < calls; i++) await usher.call('act', { n: i }, { by: 'person', who: 'bench' })
    const call = (performance.now() - start) / calls
    start = performance.now()
    const waiting = Array.from({ length: calls }, (_, i) => usher.call('act', { n: i }, { by: 'person', who: 'bench' }))
    await Promise.all(waiting)
    const together = (performance.now() - start) / calls
    times.bare.push(bare)
    times.call.push(call)
    times.group.push(together)
    ratios.push(call / bare)
    group.push(call / together)
  }
  await usher.close()
  db.close()
  rmSync(scratch, { recursive: true, force: true })
  context.row('durable logged call over a bare INSERT with fsync', median(ratios), { most: 1.3, detail: `call ${short(median(times.call))} ms, INSERT ${short(median(times.bare))} ms` })
  context.row('calls a second under load over one after the other', median(group), { least: 5, detail: `${short(1000 / median(times.group))}/s over ${short(1000 / median(times.call))}/s` })
}
