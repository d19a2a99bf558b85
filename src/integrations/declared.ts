/** From a runtime's own tools to Usher's: the owner adds what no runtime knows: which effects a tool has, and which parameters no model may set. */
import { UsherError } from '../errors.ts'
import { visibleFromForeign } from '../schema/visible.ts'
import type { CallContext, JsonObject, JsonSchema, Tool, ToolEffects } from '../types.ts'
import { own } from '../util/own.ts'
import { isRecord, mergeOwn, without } from '../util/records.ts'

export interface Declaration {
  /** `{}`: none at all. Left out: unknown, which counts as destructive, so a model's call waits for a person. */
  readonly effects?: ToolEffects
  /** Parameters that only a route's preset or an approved call may set: taken out of what a model and the filler see. */
  readonly presetOnly?: readonly string[]
}

export interface ForeignTool {
  readonly name: string
  readonly description: string
  readonly schema: unknown
  readonly run: (args: JsonObject, call: CallContext) => unknown
}

/** Throws TOOL_INVALID. */
export function declared(foreign: ForeignTool, declarations: { readonly [name: string]: Declaration }): Tool {
  const bad = (what: string) => new UsherError('TOOL_INVALID', `tool ${JSON.stringify(foreign.name)}: ${what}`)
  const seen = visibleFromForeign(foreign.schema)
  if (seen.kind === 'refused') throw bad(`its input schema cannot be shown: ${seen.reason}`)
  const { effects, presetOnly = [] } = own(declarations, foreign.name) ?? {}
  const properties = isRecord(seen.schema['properties']) ? seen.schema['properties'] : {}
  for (const key of presetOnly) if (!Object.hasOwn(properties, key)) throw bad(`\`presetOnly\` names ${JSON.stringify(key)}, which its schema does not have`)
  for (const key of Object.keys(effects ?? {})) if (key !== 'always' && !Object.hasOwn(properties, key)) throw bad(`\`effects\` names ${JSON.stringify(key)}, which its schema does not have`)
  const hidden = new Set(presetOnly)
  return {
    name: foreign.name, description: foreign.description || foreign.name, effects, origin: { kind: 'code' },
    visible: hidden.size === 0 ? seen.schema : hide(seen.schema, properties, hidden),
    presetOnly: Object.fromEntries([...hidden].map(key => [key, properties[key] as JsonSchema])),
    run: foreign.run,
  }
}

/** Without the hidden parameters, and without a word that requires them. */
function hide(schema: JsonObject, properties: JsonObject, hidden: ReadonlySet<string>): JsonObject {
  const required = Array.isArray(schema['required']) ? schema['required'].filter(name => !hidden.has(String(name))) : []
  const rest = without(schema, new Set(['properties', 'required']))
  return mergeOwn(rest, { properties: without(properties, hidden) }, required.length > 0 ? { required } : {})
}

/** Throws TOOL_INVALID where a declaration is for no tool: a slip in a name would leave its effects unknown. */
export function checkDeclarations(names: readonly string[], declarations: { readonly [name: string]: Declaration }): void {
  for (const name of Object.keys(declarations)) if (!names.includes(name)) throw new UsherError('TOOL_INVALID', `a declaration is for ${JSON.stringify(name)}, and no tool is called so; the tools are ${names.join(', ')}`)
}
