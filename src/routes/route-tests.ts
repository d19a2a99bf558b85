/** A route's own tests: the sentences under `must_fire` and `must_not_fire`, decided by the real steps. */
import type { OutcomeKind, Route, RouteTable } from '../types.ts'
import { quoted } from '../util/mask.ts'
import { OUTCOMES } from '../vocabulary/outcomes.ts'
import { finding, type Finding } from './finding.ts'

/** What became (or would become) of a sentence; `route`: of which route the decision speaks, where it is not the one asked about. */
export type TestVerdict = OutcomeKind | { readonly kind: OutcomeKind, readonly route?: string | undefined, readonly why?: string | undefined }

/** Calls nothing: it says what would happen to an event with this text from the first source of the route's `from`. */
export type TestDecide = (text: string, route: Route) => Promise<TestVerdict>

/** The words were understood as an ask for the route: it was called, or waits, or is held only by the owner's own switch. */
const REACHED: ReadonlySet<OutcomeKind> = new Set(['called', 'failed', 'unknown', 'blocked', 'needs-approval', 'stopped', 'limited', 'duplicate'])

/** One finding of level error for each test that does not hold; none: all hold. Sentences run one after the other. */
export async function runRouteTests(table: RouteTable, decide: TestDecide): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const route of table.routes.values()) {
    for (const text of route.mustFire) {
      const { kind, name, why } = read(await decide(text, route), route)
      if (name !== route.name) findings.push(finding('error', 'must-fire', route, `${quoted(text)} must fire this route, and ${REACHED.has(kind) ? 'fires' : 'is nearest to'} route ${JSON.stringify(name)}${why}; add it as a trigger here, or word the other route's triggers more narrowly`))
      else if (!REACHED.has(kind)) findings.push(finding('error', 'must-fire', route, `${quoted(text)} must fire this route, and the outcome is ${kind} (${OUTCOMES[kind].means})${why}; ${OUTCOMES[kind].next}`))
    }
    for (const text of route.mustNotFire) {
      const { kind, name, why } = read(await decide(text, route), route)
      if (name === route.name && REACHED.has(kind)) findings.push(finding('error', 'must-not-fire', route, `${quoted(text)} must not fire this route, and the outcome is ${kind} (${OUTCOMES[kind].means})${why}; put its words under \`not\`, or word the triggers more narrowly`))
    }
  }
  return findings
}

function read(verdict: TestVerdict, route: Route): { readonly kind: OutcomeKind, readonly name: string, readonly why: string } {
  if (typeof verdict === 'string') return { kind: verdict, name: route.name, why: '' }
  return { kind: verdict.kind, name: verdict.route ?? route.name, why: verdict.why === undefined ? '' : `: ${verdict.why}` }
}
