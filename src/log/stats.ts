/** Figures per route: is it worth having, and is it safe? */
import { endOfDecision, isClosing } from './announced.ts'
import { fromPlain } from './plain.ts'
import type { LogReader } from './reader.ts'

export interface RouteStats {
  readonly route: string
  /** Calls of the route. */
  readonly fired: number
  readonly lastFired?: number
  /** Decisions by outcome that did not fire. */
  readonly held: ReadonlyMap<string, number>
  /** How often an event reached its threshold and did not fire it. Decisions also list what came less near; that is not counted. */
  readonly nearMisses: number
  /** Calls that a person reported as wrong. */
  readonly falseFires: number
  readonly failed: number
  readonly unknown: number
  /** Handler time in ms. */
  readonly latency?: { readonly p50: number, readonly p95: number, readonly max: number }
}

interface Count { readonly route: string, readonly name: string, readonly n: number }

/** Sorted by route name. @param since ms since 1970 */
export function stats(reader: LogReader, since = 0): readonly RouteStats[] {
  const ask = (sql: string) => reader.db.prepare(sql).all({ since })
  const calls = ask('SELECT route, count(*) AS n, max(at) AS last FROM rows WHERE kind = \'call\' AND route IS NOT NULL AND at >= :since GROUP BY route') as { route: string, n: number, last: number }[]
  const held = ask(`SELECT route, ${endOfDecision('d')} AS name, count(*) AS n FROM rows d WHERE kind = 'decision' AND route IS NOT NULL AND at >= :since
    AND NOT EXISTS (SELECT 1 FROM rows c WHERE c.kind = 'call' AND c.call_id = d.call_id) AND NOT ${isClosing('d')} GROUP BY route, name HAVING name <> 'in-flight' ORDER BY name`) as Count[]
  const misses = ask(`SELECT json_extract(m.value, '$.route') AS route, '' AS name, count(*) AS n FROM rows d, json_each(d.body, '$.nearMisses') m WHERE d.kind = 'decision' AND d.at >= :since
    AND json_extract(m.value, '$.score') >= json_extract(m.value, '$.threshold') GROUP BY 1`) as Count[]
  const reports = ask(`SELECT c.route, '' AS name, count(DISTINCT c.call_id) AS n FROM rows a JOIN rows c ON c.kind = 'call' AND c.call_id = json_extract(a.body, '$.about')
    WHERE a.kind IN ('act', 'checkpoint') AND json_extract(a.body, '$.act') = 'report' AND c.at >= :since AND c.route IS NOT NULL GROUP BY c.route`) as Count[]
  const ends = ask(`SELECT c.route, json_extract(o.body, '$.kind') AS name, json_extract(o.body, '$.ms') AS n FROM rows c JOIN rows o ON o.seq = (SELECT max(l.seq) FROM rows l WHERE l.kind = 'outcome' AND l.call_id = c.call_id)
    WHERE c.kind = 'call' AND c.route IS NOT NULL AND c.at >= :since`) as Count[]
  const routes = new Set([...calls, ...held, ...misses, ...reports].map(row => row.route))
  return [...routes].sort().map(route => routeStats(route, { calls, held, misses, reports, ends }))
}

interface Rows {
  readonly calls: readonly { readonly route: string, readonly n: number, readonly last: number }[]
  readonly held: readonly Count[], readonly misses: readonly Count[], readonly reports: readonly Count[], readonly ends: readonly Count[]
}

function routeStats(route: string, rows: Rows): RouteStats {
  const of = <T extends { readonly route: string }>(list: readonly T[]) => list.filter(row => row.route === route)
  const called = of(rows.calls)[0]
  const ends = of(rows.ends)
  const times = ends.filter(end => end.name === 'called').map(end => end.n).sort((a, b) => a - b)
  const latency = times.length === 0 ? undefined : { p50: percentile(times, 0.5), p95: percentile(times, 0.95), max: percentile(times, 1) }
  return {
    route: fromPlain(route), fired: called?.n ?? 0, held: new Map(of(rows.held).map(row => [row.name, row.n])), nearMisses: of(rows.misses)[0]?.n ?? 0, falseFires: of(rows.reports)[0]?.n ?? 0,
    failed: ends.filter(end => end.name === 'failed').length, unknown: ends.filter(end => end.name === 'unknown').length,
    ...(called ? { lastFired: called.last } : {}), ...(latency ? { latency } : {}),
  }
}

/** Nearest rank. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}
