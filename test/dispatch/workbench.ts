/** A dispatcher on a real log in a scratch folder, and a witness file that handlers write: what is in it did happen. */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import * as z from 'zod'
import { Dispatcher } from '../../src/dispatch/dispatcher.ts'
import type { CallRequest } from '../../src/dispatch/request.ts'
import { installObserver } from '../../src/effects/observer.ts'
import { openSqliteLog } from '../../src/log/sqlite.ts'
import { defineTool } from '../../src/tools/define.ts'
import { toolTable } from '../../src/tools/table.ts'
import type { Tool } from '../../src/types.ts'

export function workbench(options: { maxPages?: number, timeout?: number, more?: (witness: string) => Tool[] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'usher-dispatch-'))
  const witness = join(folder, 'witness.txt')
  const file = join(folder, 'log.sqlite')
  const observer = installObserver()
  const log = openSqliteLog(file, { stateDir: join(folder, 'state'), ...(options.maxPages === undefined ? {} : { maxPages: options.maxPages }) })
  const detach = observer.attach(effect => log.effect(effect))
  const wrote = (text: string) => appendFileSync(witness, `${text}\n`)
  const tools = toolTable([
    defineTool({
      name: 'write', description: 'writes a line', input: z.object({ line: z.string(), dry_run: z.boolean().optional(), items: z.array(z.object({ a: z.number() })).optional() }), presetOnly: z.object({ open: z.boolean(), mode: z.string() }),
      effects: { always: ['fs.write'], open: ['browser.open'] }, run: args => { wrote(JSON.stringify(args)); return { wrote: args.line, open: args.open ?? null } },
    }),
    defineTool({ name: 'quiet', description: 'has no effects', input: z.object({ n: z.number().optional() }), effects: {}, run: args => args.n ?? 'nothing' }),
    defineTool({ name: 'liar', description: 'says it has no effects', input: z.object({}), effects: {}, run: () => { try { wrote('liar') } catch { return 'swallowed' } return 'lied' } }),
    defineTool({ name: 'secretive', description: 'says nothing of its effects', input: z.object({}), run: () => { wrote('secretive') } }),
    defineTool({ name: 'broken', description: 'throws', input: z.object({}), effects: {}, run: () => { throw new Error('no paper') } }),
    defineTool({ name: 'slow', description: 'never answers', input: z.object({}), effects: {}, run: (_args, call) => new Promise((_resolve, reject) => { call.signal.addEventListener('abort', () => reject(call.signal.reason)) }) }),
    ...(options.more?.(witness) ?? []),
  ])
  const dispatcher = new Dispatcher({ tools, log, observer, clock: { now: () => 1_000 }, ...(options.timeout === undefined ? {} : { timeout: options.timeout }) })
  let events = 0
  const request = (tool: string, args: object, more: Partial<CallRequest> = {}): CallRequest => {
    const eventId = `e-${++events}`
    return { by: 'router', tool, args: args as CallRequest['args'], event: { id: eventId, source: 'user', text: 'x', at: 1 }, eventId, explicit: true, origins: {}, allow: ['fs.write', 'browser.open'], route: 'r', ...more }
  }
  return {
    folder, file, log, observer, dispatcher, request,
    /** Checks, and calls where nothing was refused. */
    call: async (tool: string, args: object, more: Partial<CallRequest> = {}) => {
      const prepared = dispatcher.prepare(request(tool, args, more))
      return prepared.kind === 'refused' ? prepared.outcome : dispatcher.run(prepared, `d-${events}`)
    },
    happened: () => existsSync(witness) ? readFileSync(witness, 'utf8').trim().split('\n') : [],
    sql: (query: string): Record<string, unknown>[] => {
      const db = new Database(file, { readonly: true })
      try { return db.prepare(query).all() as Record<string, unknown>[] } finally { db.close() }
    },
    close: () => { detach(); log.close(); observer.uninstall(); rmSync(folder, { recursive: true, force: true }) },
  }
}
