/**
 * What Claude Code's tools may do, in Usher's words. A name that is not here has unknown effects and counts as destructive; so has every MCP
 * tool without a contract. The names are Claude Code's own (the `tool_name` of its hooks).
 */
import type { Contract } from '../../contract/contract.ts'
import { contractKey } from '../../contract/contract.ts'
import type { ContractStore } from '../../contract/store.ts'
import type { ToolEffects } from '../../types.ts'
import { foreignTool } from '../gate/foreign.ts'
import type { FoundTool } from '../gate/judge.ts'

const NONE: ToolEffects = {}
const BUILT_IN: ReadonlyMap<string, ToolEffects> = new Map<string, ToolEffects>([
  ...['Read', 'Glob', 'Grep', 'LS', 'NotebookRead', 'TodoRead', 'TodoWrite', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate', 'TaskOutput', 'BashOutput', 'ListMcpResources', 'ListMcpResourcesTool', 'ToolSearch', 'AskUserQuestion', 'EnterPlanMode', 'ExitPlanMode'].map(name => [name, NONE] as const),
  ...['WebFetch', 'WebSearch'].map(name => [name, { always: ['http.get'] }] as const),
  ...['Write', 'Edit', 'MultiEdit', 'NotebookEdit'].map(name => [name, { always: ['fs.write'] }] as const),
])

/** @param contracts where given, an MCP tool without one is refused */
export function claudeTool(name: string, contracts: ContractStore | undefined): FoundTool {
  if (!name.startsWith('mcp__') || !contracts) return { kind: 'tool', tool: foreignTool(name, BUILT_IN.get(name)) }
  const broken = contracts.check()[0]
  if (broken) return { kind: 'refused', reason: 'file', why: broken.message }
  // Names are folded on the way to the model, so two contracts may look alike from here: then it is none of them.
  const fitting = contracts.callable().filter(contract => hookNames(contract).has(name))
  const [contract] = fitting
  if (!contract || fitting.length > 1) return { kind: 'refused', reason: 'missing', why: `${fitting.length > 1 ? `${fitting.length} contracts` : 'no signed contract'} ${fitting.length > 1 ? 'fit' : 'is for'} ${JSON.stringify(name)}; draft one: usher contract draft` }
  const admission = contracts.admit(contractKey(contract))
  if (admission.kind === 'refused') return admission
  const tool = foreignTool(name, contract.effects, contract.inputSchema)
  return { kind: 'tool', tool: { ...tool, presetOnly: contract.presetOnly, origin: { kind: 'mcp', server: contract.server?.name ?? 'local', contractHash: contract.contractHash } } }
}

/** `mcp__<server>__<tool>`, with what a tool name may not hold as `_`. */
function hookNames(contract: Contract): ReadonlySet<string> {
  if (!contract.server) return new Set()
  const fold = (text: string) => text.replace(/[^A-Za-z0-9_-]/g, '_')
  return new Set([`mcp__${contract.server.name}__${contract.name}`, `mcp__${fold(contract.server.name)}__${fold(contract.name)}`])
}
