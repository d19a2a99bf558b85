/** The record of one decision: everything that it rested on, so that it can be explained and made again. */
import type { Pursuit } from '../gate/rule.ts'
import type { DecisionRow } from '../ports.ts'
import type { AskReading, Candidate, GateStep, Json, JsonObject, NearMiss, Outcome, OutcomeKind, RouteTable } from '../types.ts'
import { secretPaths } from '../schema/secret-paths.ts'
import { newId } from '../util/ids.ts'

/** What is the same for all decisions of one event. */
export interface Ground {
  readonly eventId: string
  readonly candidates: readonly Candidate[]
  readonly reading: AskReading
  readonly table: RouteTable
  readonly encoderId: string
  readonly cutAt?: number
  readonly reader?: JsonObject
  readonly at: number
}

export interface Finding {
  readonly kind: OutcomeKind
  readonly reason: string
  readonly why: string
  readonly pursuit?: Pursuit
  readonly gate?: readonly GateStep[]
  readonly args?: JsonObject
  readonly origins?: { readonly [path: string]: Json }
  readonly question?: string
}

export function decisionRow(ground: Ground, nth: number, finding: Finding): DecisionRow {
  const { pursuit } = finding
  const best = pursuit?.candidate ?? (pursuit ? undefined : ground.candidates[0])
  const runnerUp = pursuit ? pursuit.runnerUp : ground.candidates[1]
  const span = pursuit?.ask?.span ?? pursuit?.notAsk?.span
  const phrase = pursuit?.ask?.phrase.text ?? pursuit?.notAsk?.phrase.text ?? best?.phrase
  return {
    decisionId: newId('d'), eventId: ground.eventId, nth, kind: finding.kind, reason: finding.reason, why: finding.why,
    nearMisses: nearMisses(ground, pursuit), gate: finding.gate ?? [], reading: pursuit?.ask?.steps ?? pursuit?.notAsk?.steps ?? [],
    origins: finding.origins ?? {}, tableHash: ground.table.hash, encoderId: ground.encoderId, at: ground.at,
    ...(pursuit ? { route: pursuit.route.name, tool: pursuit.route.tool, presetBytes: pursuit.route.presetBytes } : {}),
    ...(phrase === undefined ? {} : { phrase }),
    ...(span ? { span } : {}),
    ...(best ? { score: best.score } : {}),
    ...(runnerUp ? { runnerUp: { route: runnerUp.route, phrase: runnerUp.phrase, score: runnerUp.score } } : {}),
    ...(best && runnerUp ? { margin: best.score - runnerUp.score } : {}),
    ...(best?.head ? { head: { ...best.head, ...(runnerUp?.probability === undefined ? {} : { runnerUp: runnerUp.probability }) } } : {}),
    ...(finding.args ? { args: finding.args, ...secretsOf(pursuit, finding.args) } : {}),
    ...(finding.question ? { question: finding.question } : {}),
    ...(ground.reader ? { reader: ground.reader } : {}),
    ...(ground.cutAt === undefined ? {} : { cutAt: ground.cutAt }),
  }
}

function secretsOf(pursuit: Pursuit | undefined, args: JsonObject): { secretPaths?: readonly string[] } {
  const found = pursuit ? secretPaths(pursuit.tool, args) : []
  return found.length > 0 ? { secretPaths: found } : {}
}

/** At most five, best first: the routes that this event did not reach, and why. */
function nearMisses(ground: Ground, pursuit: Pursuit | undefined): NearMiss[] {
  return ground.candidates.filter(item => item.route !== pursuit?.route.name).slice(0, 5).map(item => {
    // A route with a head is near by its probability: score and threshold are of one kind.
    const threshold = item.head?.threshold ?? ground.table.routes.get(item.route)?.threshold ?? 1
    const score = item.head?.probability ?? item.score
    const said = ground.reading.notAsks.find(other => other.route === item.route)
    return { route: item.route, phrase: item.phrase, score, threshold, reason: said?.reason ?? (score < threshold ? 'below-threshold' : 'abstain:similar') }
  })
}

export function outcomeOf(row: DecisionRow): Outcome {
  return {
    kind: row.kind, reason: row.reason, why: row.why, eventId: row.eventId, decisionId: row.decisionId, nearMisses: row.nearMisses,
    ...(row.route ? { route: row.route } : {}), ...(row.tool ? { tool: row.tool } : {}), ...(row.callId ? { callId: row.callId } : {}),
    ...(row.args ? { args: row.args } : {}), ...(row.question ? { question: row.question } : {}),
  }
}
