/** Runs a route's own tests through the real steps, on a clean slate: nothing is logged, and no earlier call counts against a limit. */
import { createAskReader } from './ask/reader.ts'
import { prepareCall } from './dispatch/prepare.ts'
import { UsherError } from './errors.ts'
import { runRouteTests, type TestDecide } from './routes/route-tests.ts'
import type { Finding } from './routes/finding.ts'
import type { AskReader, AskScorer, CallLog, Embedder, Matcher } from './ports.ts'
import { Router } from './router.ts'
import type { RouteTable, Tool } from './types.ts'
import { newId } from './util/ids.ts'

const refuse = (): never => { throw new UsherError('CLOSED', 'a test of a route calls and logs nothing') }

/** A log that remembers nothing and takes nothing. */
const BLANK: CallLog = {
  location: 'none', event: refuse, decision: refuse, begin: refuse, end: refuse, effect: refuse, act: refuse,
  seen: () => undefined, callTimes: () => [], causes: () => [], close: () => undefined,
}

export interface TesterParts { readonly table: RouteTable, readonly tools: ReadonlyMap<string, Tool>, readonly embedder: Embedder, readonly matcher: Matcher, readonly reader?: AskReader, readonly scorer?: AskScorer }

export function routeTester({ table, tools, embedder, matcher, reader, scorer }: TesterParts): TestDecide {
  const router = new Router({
    table, tools, embedder, matcher, reader: reader ?? createAskReader(table.routes.values()), ...(scorer ? { scorer } : {}), log: BLANK, dispatcher: { prepare: request => prepareCall(tools, request), run: refuse },
    clock: { now: () => 0 }, timeZone: 'UTC', hostState: new Map(), maxDepth: 1,
  })
  return async (text, route) => {
    const decisions = await router.decide({ id: newId('e'), source: route.from[0] ?? 'user', text, at: 0 })
    const own = decisions.find(({ row }) => row.route === route.name) ?? decisions[0]
    return own ? { kind: own.ready ? 'called' : own.row.kind, route: own.row.route, why: own.row.why } : 'no-match'
  }
}

/** Throws READER_FAILED where the second reader could not answer: then its objections say nothing of the routes. */
export async function testRoutes(parts: TesterParts): Promise<readonly Finding[]> {
  let failed: { readonly cause: unknown } | undefined
  const { scorer } = parts
  const heard: AskScorer | undefined = scorer && {
    id: scorer.id, thresholds: scorer.thresholds, close: () => scorer.close(),
    score: async (phrases, text) => {
      try {
        return await scorer.score(phrases, text)
      } catch (cause) {
        failed ??= { cause }
        throw cause
      }
    },
  }
  const { scorer: _scorer, ...others } = parts
  const findings = await runRouteTests(parts.table, routeTester({ ...others, ...heard ? { scorer: heard } : {} }))
  const { cause } = (failed as { readonly cause: unknown } | undefined) ?? {}
  if (cause === undefined) return findings
  throw new UsherError('READER_FAILED', `the second reader failed while the routes' own tests ran: ${cause instanceof Error ? cause.message : String(cause)}; install the package again, or let the rules decide alone (--no-reader, in code secondReader: false)`, { cause })
}
