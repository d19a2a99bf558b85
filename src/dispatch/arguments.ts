/** The arguments of one call: nothing that the schema does not know, nothing that overrides a preset, and a preset that arrives as it was written. */
import { compileValidator } from '../schema/validate.ts'
import { isMade, markMade } from '../schema/visible.ts'
import { siftArguments } from '../schema/dropped.ts'
import { foldName } from '../schema/safety-keys.ts'
import type { JsonObject, Tool } from '../types.ts'
import { frozen, mergeOwn } from '../util/records.ts'
import { quoted } from '../util/mask.ts'
import { notPlain } from '../util/plain.ts'
import type { CallRequest, IgnoredKeys, Refused } from './request.ts'

export type Checked = { readonly kind: 'checked', readonly args: JsonObject, readonly ignored: IgnoredKeys } | Refused

const refused = (kind: 'denied' | 'needs-approval', reason: string, why: string): Refused => ({ kind: 'refused', outcome: { kind, reason, why } })

export function checkArguments(tool: Tool, request: CallRequest): Checked {
  const odd = notPlain(request.args, 'the arguments')
  if (odd !== undefined) return refused('denied', 'invalid-args', `what ${tool.name} would get is not what was given: ${odd}`)
  const preset = request.preset ?? {}
  const override = presetKeyOf(preset, request.args)
  if (override !== undefined) return refused('denied', 'preset-override', `something gave a value for ${quoted(override)}, which the route presets`)
  // A person approved exact bytes, preset-only keys included; nobody else may set one.
  const known = request.by === 'approval' ? fullSchema(tool) : tool.visible
  const { ignored, kept } = siftArguments(known, request.args, { presetOnly: request.by === 'approval' ? [] : Object.keys(tool.presetOnly) })
  if (ignored.safetyKeyHit) return refused('denied', 'safety-key', `the key ${quoted(ignored.safetyKeyHit.lost)} is not one of ${tool.name}; ${quoted(ignored.safetyKeyHit.meant)} is near and guards against effects, so nothing was called`)
  if (ignored.presetOnlyHit) return refused('needs-approval', 'preset-only-key', `only a route's preset, or an approval of exactly this call, may set ${quoted(ignored.presetOnlyHit)} of ${tool.name}`)
  // A copy of both: the handler must not be able to edit the route's preset, nor the caller what the log says.
  const args = mergeOwn(kept, structuredClone(preset) as JsonObject)
  const problems = problemsOf(tool, args)
  if (problems.length > 0) return refused('denied', 'invalid-args', `the arguments do not fit ${tool.name}: ${problems.slice(0, 3).join('; ')}`)
  return { kind: 'checked', args: frozen(args), ignored: { names: ignored.names, count: ignored.count, exact: ignored.exact } }
}

/** Two spellings of one key (another form, casing or a dotted path to it) are one key here: the stricter reading. */
function presetKeyOf(preset: JsonObject, args: JsonObject): string | undefined {
  const keys = new Set(Object.keys(preset).map(foldName))
  return Object.keys(args).find(key => [key, ...key.split(/[./[\]]+/)].some(name => keys.has(foldName(name))))
}

/** What the handler's own schema would say: visible and preset-only parameters together. */
export function fullSchema(tool: Tool): JsonObject {
  const full = mergeOwn(tool.visible, { properties: mergeOwn((tool.visible['properties'] ?? {}) as JsonObject, tool.presetOnly as JsonObject) })
  // The preset-only part of a tool in code comes from the same library.
  return isMade(tool.visible) ? markMade(full) : full
}

const validators = new WeakMap<Tool, ReturnType<typeof compileValidator>>()

function problemsOf(tool: Tool, args: JsonObject): readonly string[] {
  let validator = validators.get(tool)
  if (!validator) validators.set(tool, validator = compileValidator(fullSchema(tool)))
  if (validator.kind !== 'validator') return [validator.reason]
  const checked = validator.check(args)
  return checked.ok ? [] : checked.problems
}
