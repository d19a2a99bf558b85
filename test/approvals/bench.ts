/** An Usher on real files, with an encoder that costs nothing: these tests say the phrases word for word. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import * as z from 'zod'
import type { Card } from '../../src/approvals/card.ts'
import { PINNED_ENCODER } from '../../src/embed/pinned.ts'
import { createUsher, defineTool, type Embedder, type Outcome, type Tool, type Usher, type UsherOptions } from '../../src/index.ts'

export const ROUTES = `
version: 1
routes:
  - name: bell
    tool: bell
    triggers: ["ring the bell", "ring the bell {times:integer} times"]
    preset: { loud: true }
    allow: [device.actuate]
    approve: always
  - name: chime
    tool: chime
    triggers: ["strike the chime"]
    allow: [device.actuate]
    from: [user, chat]
  - name: note
    tool: note
    triggers: ["note down", "note down {text:rest}"]
    allow: [fs.write]
  - name: near
    tool: chime
    triggers: ["sound the great gong"]
    allow: [device.actuate]
    ask: true
`

/** What really happened, in order. */
export const done: string[] = []

export function tools(more: { bell?: Partial<Tool> } = {}): Tool[] {
  return [
    { ...defineTool({ name: 'bell', description: 'rings', input: z.object({ times: z.number().int().optional(), pin: z.string().optional() }), presetOnly: z.object({ loud: z.boolean() }), effects: { always: ['device.actuate'] }, run: args => { done.push(`bell ${JSON.stringify(args)}`); return 'rang' } }), ...more.bell },
    defineTool({ name: 'chime', description: 'strikes', input: z.object({ fail: z.boolean().optional() }), effects: { always: ['device.actuate'] }, run: () => { done.push('chime'); if (failing.on) throw new Error('cracked') } }),
    defineTool({ name: 'note', description: 'writes down', input: z.object({ text: z.string(), copies: z.number().int().optional() }), effects: { always: ['fs.write'] }, run: args => { done.push(`note ${args.text}`) } }),
    defineTool({ name: 'secret', description: 'takes a password', input: z.object({ password: z.string() }), effects: { always: ['access.grant'] }, run: args => { done.push(`secret ${args.password}`) } }),
  ]
}

export const failing = { on: false }

export function fakeModel(): Embedder {
  const vector = new Float32Array(384)
  vector[0] = 1
  return { id: PINNED_ENCODER, dimension: 384, embed: async () => ({ vector }), close: async () => {} }
}

export interface Bench {
  readonly folder: string
  readonly clock: { at: number, now(): number }
  readonly cards: Card[]
  readonly usher: Usher
  say(text: string, more?: object): Promise<readonly Outcome[]>
  /** Closes, and opens the same files again: a restart. */
  restart(more?: Partial<UsherOptions>): Promise<void>
  /** A second Usher on the same files. */
  second(more?: Partial<UsherOptions>): Promise<Usher>
  routes(text: string): void
  sql(query: string): Record<string, unknown>[]
  close(): Promise<void>
}

export async function bench(more: Partial<UsherOptions> = {}, routes = ROUTES): Promise<Bench> {
  done.length = 0
  failing.on = false
  const folder = mkdtempSync(join(tmpdir(), 'usher-approvals-'))
  const file = join(folder, 'routes.yaml')
  writeFileSync(file, routes)
  const clock = { at: Date.UTC(2026, 2, 3, 12), now(): number { return this.at } }
  const cards: Card[] = []
  const open = (extra: Partial<UsherOptions> = {}): Promise<Usher> => createUsher({
    routes: file, tools: tools(), log: join(folder, 'log.sqlite'), state: join(folder, 'state'), model: fakeModel(), secondReader: false, routeTests: 'skip', clock, timeZone: 'UTC', onCard: card => { cards.push(card) }, ...more, ...extra,
  })
  let usher = await open()
  const others: Usher[] = []
  let ids = 0
  return {
    folder, clock, cards,
    get usher() { return usher },
    say: async (text, extra = {}) => (await usher.handle({ source: 'user', text, id: `t-${++ids}`, ...extra })).outcomes,
    restart: async extra => { await usher.close(); usher = await open(extra) },
    second: async extra => { const other = await open(extra); others.push(other); return other },
    routes: text => writeFileSync(file, text),
    sql: query => {
      const db = new Database(join(folder, 'log.sqlite'), { readonly: true })
      try { return db.prepare(query).all() as Record<string, unknown>[] } finally { db.close() }
    },
    close: async () => { for (const other of others) await other.close(); await usher.close(); rmSync(folder, { recursive: true, force: true }) },
  }
}

export const alice = { kind: 'none' as const, who: 'alice' }
