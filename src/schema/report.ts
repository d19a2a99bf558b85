/** What `usher schema` shows. */
import type { JsonObject, JsonSchema } from '../types.ts'
import { measureSchemas, type BudgetOptions, type SchemaBudget } from './budget.ts'
import { lintTool, type LintFinding } from './lint.ts'
import { compareRatchet, ratchetOf, type Ratchet, type RatchetVerdict } from './ratchet.ts'

export interface SchemaReport extends SchemaBudget {
  readonly findings: readonly ({ readonly tool: string } & LintFinding)[]
  readonly ratchet: RatchetVerdict | undefined
  /** The figures to keep in the ratchet file. */
  readonly figures: Ratchet
  /** Under the limits, described enough, and level with the ratchet. */
  readonly passed: boolean
}

export function schemaReport(tools: readonly { readonly name: string, readonly description: string, readonly visible: JsonObject, readonly presetOnly?: { readonly [key: string]: JsonSchema } }[], options: BudgetOptions & { readonly ratchet?: Ratchet, /** Preset-only names that a description may mention. */ readonly accepted?: ReadonlySet<string> } = {}): SchemaReport {
  const { ratchet: kept, accepted, ...limits } = options
  const budget = measureSchemas(tools, limits)
  const figures = ratchetOf(budget)
  const ratchet = kept ? compareRatchet(figures, kept) : undefined
  const findings = tools.flatMap(tool => lintTool(tool, accepted ? { accepted } : {}).map(finding => ({ tool: tool.name, ...finding })))
  return { ...budget, findings, ratchet, figures, passed: budget.ok && (ratchet === undefined || ratchet.kind === 'equal') }
}
