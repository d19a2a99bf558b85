/** A small house with one tool of each kind, on a real Usher with a real log: what every runtime's adapter is tried on. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { createUsher, defineTool, openEmbedder, type Tool, type Usher } from '../../src/index.ts'
import { openSqliteLog } from '../../src/log/sqlite.ts'
import { openLogReader } from '../../src/log/reader.ts'
import { queryLog, type LogEntry } from '../../src/log/query.ts'

const ROUTES = `
version: 1
routes:
  - name: lamp-on
    tool: lamp
    triggers: ["switch on the lamp [in the {room}]"]
    preset: { "on": true }
    allow: [device.actuate]
`

export interface Workbench {
  readonly usher: Usher
  readonly tools: readonly Tool[]
  /** What the handlers did, in order. */
  readonly done: string[]
  /** Whether the log held the call's row when the handler began. */
  readonly rowFirst: boolean[]
  readonly entries: () => readonly LogEntry[]
  readonly close: () => Promise<void>
}

export async function workbench(more: readonly Tool[] = []): Promise<Workbench> {
  const folder = mkdtempSync(join(tmpdir(), 'usher-integrations-'))
  writeFileSync(join(folder, 'lamp.yaml'), ROUTES)
  const stateDir = join(folder, 'state')
  const file = join(folder, 'log.sqlite')
  const done: string[] = []
  const rowFirst: boolean[] = []
  const entries = () => { const reader = openLogReader(file, { stateDir }); try { return queryLog(reader) } finally { reader.close() } }
  const did = (what: string, callId: string) => { done.push(what); rowFirst.push(entries().some(entry => entry.call?.call.callId === callId && entry.outcome === 'in-flight')) }
  const tools = [
    defineTool({ name: 'weather', description: 'Says the weather of a city.', input: z.object({ city: z.string().optional(), brief: z.boolean().optional() }), effects: {}, run: (args, call) => { did(`weather ${args.city ?? 'here'}`, call.callId); return { sky: 'clear', city: args.city ?? 'here' } } }),
    defineTool({ name: 'lamp', description: 'Says whether the lamp is on.', input: z.object({ room: z.string().optional() }), presetOnly: z.object({ on: z.boolean() }), effects: { on: ['device.actuate'] }, run: (args, call) => { did(`lamp ${args.room ?? ''} ${args.on === undefined ? 'as it was' : args.on}`, call.callId); return { lamp: args.on === true } } }),
    defineTool({ name: 'send', description: 'Sends a message.', input: z.object({ to: z.string(), text: z.string() }), effects: { always: ['message.send'] }, run: (args, call) => { did(`send ${args.to}: ${args.text}`, call.callId); return 'sent' } }),
    defineTool({ name: 'broken', description: 'Fails.', input: z.object({}), effects: {}, run: () => { throw new Error('the wire is cut') } }),
    ...more,
  ]
  const log = openSqliteLog(file, { stateDir, groupCommitMs: 0 })
  const model = await openEmbedder({ workers: 1 })
  const usher = await createUsher({ routes: join(folder, 'lamp.yaml'), tools, log, model, state: stateDir, secondReader: false, cache: false })
  return { usher, tools, done, rowFirst, entries, close: async () => { await usher.close(); await model.close(); log.close(); rmSync(folder, { recursive: true, force: true }) } }
}
