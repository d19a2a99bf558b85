/** Rows for tests, with every required field; what a test is about is passed in. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { LogOptions } from '../../../src/log/options.ts'
import { openSqliteLog, type SqliteLog } from '../../../src/log/sqlite.ts'
import type { ActRow, CallRow, DecisionRow, EventRow, OutcomeRow } from '../../../src/ports.ts'
import type { Effect } from '../../../src/types.ts'

export const T0 = Date.UTC(2026, 0, 5, 8, 0, 0)

export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'usher-log-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export interface OpenedLog { readonly log: SqliteLog, readonly file: string, readonly dir: string, readonly reopen: (options?: LogOptions) => SqliteLog }

/** A log in a folder of its own, closed when the test ends. */
export function tempLog(options: LogOptions = {}): OpenedLog {
  const dir = tempDir()
  const file = join(dir, 'calls.db')
  const reopen = (more: LogOptions = {}): SqliteLog => {
    const log = openSqliteLog(file, { stateDir: join(dir, 'state'), ...options, ...more })
    onTestFinished(() => { try { log.close() } catch { /* A test that breaks the log on purpose cannot close it either. */ } })
    return log
  }
  return { log: reopen(), file, dir, reopen }
}

export function eventOf(fields: Partial<EventRow> = {}): EventRow {
  const text = fields.text ?? 'please open the console'
  return { eventId: 'event-1', senderId: 'sender-1', source: 'user', text, textLength: text.length, at: T0, ...fields }
}

export function decisionOf(fields: Partial<DecisionRow> = {}): DecisionRow {
  return {
    decisionId: 'decision-1', eventId: 'event-1', nth: 0, kind: 'called', reason: 'ask', why: 'the words ask for it', route: 'open-console', tool: 'call_console', callId: 'call-1',
    phrase: 'open the console', score: 0.93, margin: 0.4, nearMisses: [], gate: [{ rule: 'source', passed: true, detail: 'user' }], reading: [], origins: {}, tableHash: 't', encoderId: 'e', at: T0 + 1, ...fields,
  }
}

export function callOf(fields: Partial<CallRow> = {}): CallRow {
  return {
    callId: 'call-1', by: 'router', tool: 'call_console', route: 'open-console', eventId: 'event-1', decisionId: 'decision-1', explicit: true, args: { open: true }, presetBytes: '{"open":true}',
    origins: {}, allowed: ['browser.open'], at: T0 + 2, ...fields,
  }
}

export function endOf(fields: Partial<OutcomeRow> = {}): OutcomeRow {
  return { callId: 'call-1', kind: 'called', reason: 'ask', why: 'the handler returned', result: { opened: true }, at: T0 + 5, ms: 3, ...fields }
}

export function effectOf(fields: Partial<Effect> = {}): Effect {
  return { kind: 'process.start', target: '/usr/bin/xdg-open', blocked: false, callId: 'call-1', at: T0 + 3, watcher: 'node', ...fields }
}

export function actOf(fields: Partial<ActRow> = {}): ActRow {
  return { who: 'anna', act: 'approve', about: 'decision-1', detail: {}, at: T0 + 9, ...fields }
}

/** One asked call with its effect, whole. */
export function wholeCall(log: SqliteLog): void {
  log.event(eventOf())
  log.decision(decisionOf())
  log.begin(callOf())
  log.effect(effectOf())
  log.end(endOf())
}
