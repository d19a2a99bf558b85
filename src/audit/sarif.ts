/** The report as SARIF 2.1.0 (OASIS), for hosts that show findings beside code. Tools have no lines: the location is the tool's name. */
import { capped, visible } from '../util/mask.ts'
import { sha256 } from '../util/canonical.ts'
import { effectText, flagText, inOrder } from './text.ts'
import type { AuditReport, AuditTool } from './report.ts'

type SarifLevel = 'error' | 'warning' | 'note'
interface Result { readonly ruleId: string, readonly level: SarifLevel, readonly message: { readonly text: string }, readonly locations: readonly object[], readonly partialFingerprints: { readonly [name: string]: string } }

const VERDICT_RULES: { readonly [id: string]: string } = {
  'audit/fail': 'A call had an effect',
  'audit/not-exercised': 'No call got past the server\'s own checks, so nothing is known',
  'audit/not-watched': 'A call answered, and nobody could have seen what it did',
  'audit/failure': 'The server could not be audited',
}

/** @param artifact what stands for the server among files: its configuration or script */
export function sarifReport(report: AuditReport, version: string, artifact: string): object {
  const results = [...report.tools.flatMap(tool => toolResults(tool, artifact)), ...report.failure === undefined ? [] : [result('audit/failure', 'error', report.failure, '', artifact)]]
  const rules = [...new Set(results.map(one => one.ruleId))].sort().map(id => ({ id, shortDescription: { text: VERDICT_RULES[id] ?? `Flag: ${id.replace('audit/flag/', '')}` } }))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0',
    runs: [{ tool: { driver: { name: 'usher audit', version, rules } }, results, invocations: [{ executionSuccessful: report.failure === undefined, exitCode: report.summary.exit }] }],
  }
}

function toolResults(tool: AuditTool, artifact: string): readonly Result[] {
  return [
    ...tool.flags.map(flag => result(`audit/flag/${flag.rule}`, flag.level === 'arms' ? 'warning' : 'note', `${flagText(tool.name, flag)}: ${flag.why}`, tool.name, artifact)),
    ...tool.calls.filter(call => call.verdict === 'fail').map(call => result('audit/fail', 'error', `${tool.name} ${JSON.stringify(call.arguments)} with ${inOrder(call.effects).map(effectText).join('; ')}`, tool.name, artifact)),
    ...tool.calls.filter(call => call.verdict === 'not-watched').map(call => result('audit/not-watched', 'warning', `${tool.name} ${JSON.stringify(call.arguments)}: nobody could see its ${(call.unwatched ?? []).join(', ')}`, tool.name, artifact)),
    ...tool.calls.length > 0 && !tool.exercised ? [result('audit/not-exercised', 'warning', `${tool.name} was not exercised: ${tool.calls.at(-1)?.reply.text.split('\n')[0] ?? ''}`, tool.name, artifact)] : [],
  ]
}

function result(ruleId: string, level: SarifLevel, text: string, tool: string, artifact: string): Result {
  return {
    ruleId, level, message: { text: capped(text, 2000).split('\n').map(visible).join('\n') },
    locations: [{ physicalLocation: { artifactLocation: { uri: encodeURI(artifact) }, region: { startLine: 1 } }, ...tool === '' ? {} : { logicalLocations: [{ name: visible(tool), kind: 'function' }] } }],
    partialFingerprints: { 'usherAudit/v1': sha256(JSON.stringify([ruleId, tool, text])).slice(0, 32) },
  }
}
