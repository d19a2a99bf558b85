/** The index beside the log says the same as the log's own query, however the rows came. */
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LogReads } from '../../../src/console/reads/log-reads.ts'
import type { Filter, Overview } from '../../../src/console/ports.ts'
import { pruneLog } from '../../../src/log/prune.ts'
import { queryLog } from '../../../src/log/query.ts'
import { openLogReader } from '../../../src/log/reader.ts'
import type { SqliteLog } from '../../../src/log/sqlite.ts'
import type { OutcomeKind } from '../../../src/types.ts'
import { actOf, callOf, decisionOf, effectOf, endOf, eventOf, T0, tempLog, type OpenedLog } from '../../log/support/rows.ts'

function readsOf(file: string): LogReads {
  const reads = new LogReads(file)
  onTestFinished(() => reads.close())
  return reads
}
const look = (reads: LogReads, filter: Filter = {}, more: { before?: number, limit?: number, edges?: readonly number[] } = {}): Overview => reads.overview({ filter, edges: more.edges ?? [T0, T0 + 3_600_000], limit: more.limit ?? 1000, ...(more.before === undefined ? {} : { before: more.before }) })
const lines = ({ entries }: Overview) => entries.map(entry => [entry.seq, entry.outcome])

/** The same question to the log itself. */
function asked(file: string, filter: Filter): (string | number)[][] {
  const reader = openLogReader(file, { recover: false })
  try {
    const { text: _text, effects: _effects, ...rest } = filter
    return queryLog(reader, { ...rest as object, limit: 1000 }).toReversed().map(entry => [entry.seq, entry.outcome])
  } finally { reader.close() }
}

type Step = { readonly kind: 'held' | 'called' | 'alone' | 'malformed' | 'late-decision' | 'announced' | 'refused', readonly source: number, readonly route: number, readonly end: number, readonly effects: number }
const STEP: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom('held', 'called', 'alone', 'malformed', 'late-decision', 'announced', 'refused'), source: fc.nat(3), route: fc.nat(2), end: fc.nat(4), effects: fc.nat(2) })
const SOURCES = ['user', 'chat:alice', 'chat', 'chatter']
const ROUTES = ['open-console', '__proto__', 'a\0b']
const ENDS: readonly (OutcomeKind | 'none')[] = ['called', 'failed', 'unknown', 'blocked', 'none']

function write(log: SqliteLog, n: number, step: Step): void {
  const ids = { eventId: `e-${n}`, decisionId: `d-${n}`, callId: `c-${n}` }
  const [source = 'user', route = 'r'] = [SOURCES[step.source], ROUTES[step.route]]
  const { callId: _call, ...held } = decisionOf({ ...ids, kind: 'not-explicit', route, at: T0 + n })
  if (step.kind !== 'alone') log.event(eventOf({ eventId: ids.eventId, senderId: `s-${n}`, source, at: T0 + n, ...(step.kind === 'malformed' ? { malformed: 'no JSON' } : {}) }))
  if (step.kind === 'held') log.decision(held)
  if (step.kind === 'called' || step.kind === 'announced' || step.kind === 'refused') log.decision(decisionOf({ ...ids, route, at: T0 + n }))
  // Every other one is written by then: its end is a row of its own.
  if (step.kind === 'refused' && n % 2 === 0) log.act(actOf())
  if (step.kind === 'refused') log.refused({ ...ids, kind: 'stopped', reason: 'kill-switch', why: 'a person stopped all', at: T0 + n })
  if (step.kind === 'called' || step.kind === 'alone' || step.kind === 'late-decision') {
    const { eventId: _event, decisionId: _decision, ...alone } = callOf({ ...ids, route, at: T0 + n })
    log.begin(step.kind === 'alone' ? alone : callOf({ ...ids, route, at: T0 + n }))
    for (let at = 0; at < step.effects; at++) log.effect(effectOf({ callId: ids.callId, at: T0 + n, blocked: at === 1 }))
    const end = ENDS[step.end] ?? 'none'
    if (end === 'called' || end === 'failed' || end === 'unknown' || end === 'blocked') log.end(endOf({ callId: ids.callId, kind: end }))
    if (end === 'unknown' && n % 2 === 0) log.end(endOf({ callId: ids.callId, kind: 'called' }))
  }
  if (step.kind === 'late-decision') log.decision(decisionOf({ ...ids, route, at: T0 + n }))
}

test('the list says what the log\'s own query says, for every filter, while the log grows', () => {
  const filters: readonly Filter[] = [{}, ...SOURCES.map(source => ({ source })), ...ROUTES.map(route => ({ route })), ...[...ENDS.slice(0, 4), 'not-explicit', 'malformed', 'stopped', 'in-flight'].map(outcome => ({ outcome: outcome as OutcomeKind })), { since: T0 + 3 }, { since: T0 + 1, until: T0 + 4, source: 'chat' }, { tool: 'call_console' }, { tool: 'toString' }]
  fc.assert(fc.property(fc.array(fc.array(STEP, { maxLength: 4 }), { minLength: 1, maxLength: 4 }), batches => {
    const { log, file } = tempLog()
    const reads = readsOf(file)
    let n = 0
    for (const batch of batches) {
      for (const step of batch) write(log, n++, step)
      log.act(actOf()) // what waited is written with it
      for (const filter of filters) expect([filter, lines(look(reads, filter))]).toEqual([filter, asked(file, filter)])
    }
    log.close()
  }), { seed: 9, numRuns: 15 })
})

describe('over one log', () => {
  const three = (): OpenedLog & { reads: LogReads } => {
    const opened = tempLog()
    for (const n of [0, 1, 2]) write(opened.log, n, { kind: 'called', source: n, route: 0, end: 0, effects: n })
    opened.log.event(eventOf({ eventId: 'e-9', senderId: 's-9', text: 'fifty % of_it \\ all', at: T0 + 9 }))
    opened.log.decision({ ...decisionOf({ eventId: 'e-9', decisionId: 'd-9', kind: 'no-match', at: T0 + 9 }), callId: undefined as never })
    opened.log.act(actOf())
    return { ...opened, reads: readsOf(opened.file) }
  }

  test('pages follow each other without a gap or a line twice, also while new ones come', () => {
    const { log, reads } = three()
    const seen: number[] = []
    let before: number | undefined
    for (let n = 20; ; n++) {
      const { entries, older } = look(reads, {}, { limit: 1, ...(before === undefined ? {} : { before }) })
      seen.push(...entries.map(entry => entry.seq))
      write(log, n, { kind: 'held', source: 0, route: 0, end: 0, effects: 0 })
      log.act(actOf())
      if (older === undefined) break
      before = older
    }
    expect(seen).toHaveLength(4)
    expect(new Set(seen).size).toBe(4)
    expect([...seen].sort((a, b) => b - a)).toEqual(seen)
  })
  test('words are found wherever they stand, whatever the case, and signs of LIKE are signs', () => {
    const { reads } = three()
    const found = (text: string) => look(reads, { text }).entries.map(entry => entry.id)
    expect(found('% OF_IT')).toEqual(['d-9'])
    expect(found('\\ all')).toEqual(['d-9'])
    expect(found('f%y')).toEqual([])
    expect(found('o____n')).toEqual([])
    expect(found('OPEN')).toHaveLength(3)
    expect(look(reads, { text: 'open' }).total).toBeUndefined()
  })
  test('with effects only: what happened and what was stopped, counted apart', () => {
    const { reads } = three()
    expect(look(reads, { effects: true }).entries.map(({ id, effects, stopped }) => [id, effects, stopped])).toEqual([['d-2', 1, 1], ['d-1', 1, 0]])
  })
  test('the picture counts what fired and what was held, by kind of source and column', () => {
    const { reads } = three()
    expect(look(reads, {}, { edges: [T0, T0 + 2, T0 + 10] }).buckets).toEqual([
      { source: 'chat', at: T0, fired: 1, held: 0, effects: 1, stopped: 0 }, { source: 'chat', at: T0 + 2, fired: 1, held: 0, effects: 1, stopped: 1 },
      { source: 'user', at: T0, fired: 1, held: 0, effects: 0, stopped: 0 }, { source: 'user', at: T0 + 2, fired: 0, held: 1, effects: 0, stopped: 0 },
    ])
  })
  test('what retention cut is gone from the list', () => {
    const { log, file, reads, dir } = three()
    expect(look(reads).total).toBe(4)
    log.close()
    pruneLog(file, { before: T0 + 8, stateDir: `${dir}/state`, evenUnexplained: true })
    expect(lines(look(reads))).toEqual(asked(file, {}))
    expect(look(reads).total).toBe(1)
  })
  test('news are lines, not rows', () => {
    const { log, reads } = three()
    const { seq } = reads.news(0)
    log.act(actOf())
    expect(reads.news(seq)).toEqual({ seq: seq + 1, entries: 0 })
    write(log, 30, { kind: 'called', source: 0, route: 0, end: 0, effects: 1 })
    expect(reads.news(seq)).toMatchObject({ entries: 1 })
  })
  test('evidence has what people did about it; a beginning of an id is enough, and one of several says which', () => {
    const { log, reads } = three()
    log.act(actOf({ act: 'report', about: 'c-1', detail: { wrong: 'only quoted' } }))
    const found = reads.evidence('c-1')
    expect(found.kind === 'found' && found.evidence.acts.map(act => act.detail)).toEqual([{ wrong: 'only quoted' }])
    expect(reads.evidence('c-')).toMatchObject({ kind: 'many' })
    expect(reads.evidence('toString')).toEqual({ kind: 'none' })
  })
  test('a long text comes cut with its length, and whole when asked for', () => {
    const { log, reads } = three()
    const text = 'x\u202E'.repeat(500_000)
    log.event(eventOf({ eventId: 'e-big', senderId: 'big', text }))
    log.act(actOf())
    const found = reads.evidence('e-big')
    expect(found.kind === 'found' && [found.evidence.event?.text?.length, found.evidence.event?.textLength]).toEqual([20_000, 1_000_000])
    expect(reads.text('e-big')).toBe(text)
    expect(reads.text('none')).toBeUndefined()
  })
})
