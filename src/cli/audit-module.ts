/** A program of its own: our own tools of a module as an MCP server over stdio, for `usher audit --tools MODULE`. Calls go through the dispatcher, as a person's. */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { Dispatcher } from '../dispatch/dispatcher.ts'
import { installObserver } from '../effects/observer.ts'
import { openSqliteLog } from '../log/sqlite.ts'
import { serveTools, type ServedCall, type ServedResult } from '../mcp/serve-tools.ts'
import type { Event } from '../types.ts'
import { newId } from '../util/ids.ts'
import { isRecord } from '../util/records.ts'
import { loadTools } from './setup.ts'

const observer = installObserver()
const clock = { now: () => Date.now() }
// The log of an audit is nobody's: it goes where only the watchers write.
const folder = join(dirname(process.env['USHER_EFFECTS_REPORT'] ?? join(process.cwd(), 'usher')), 'module')
mkdirSync(folder, { recursive: true })
const tools = await loadTools({ tools: process.argv[2] ?? '', folder, consoleAddress: 'http://127.0.0.1/' })
const log = openSqliteLog(join(folder, 'log.sqlite'), { clock, stateDir: folder, background: (name, work) => observer.background(`usher:${name}`, work) })
const dispatcher = new Dispatcher({ tools: new Map(tools.map(tool => [tool.name, tool])), log, observer, clock })

async function call({ tool, args }: ServedCall): Promise<ServedResult> {
  const event: Event = { id: newId('e'), source: 'user', text: '', at: clock.now() }
  const prepared = dispatcher.prepare({ by: 'person', who: 'usher audit', tool, args, event, eventId: event.id, explicit: true, origins: {} })
  if (prepared.kind === 'refused') return { text: prepared.outcome.why, isError: true }
  const outcome = await dispatcher.run(prepared, newId('d'))
  return { text: outcome.kind === 'called' ? JSON.stringify(outcome.result) ?? '' : `${outcome.kind}: ${outcome.why}`, ...outcome.kind === 'called' ? {} : { isError: true }, ...isRecord(outcome.result) ? { structured: outcome.result } : {} }
}

await serveTools(tools, { name: 'tools module', call }).connect(new StdioServerTransport())
