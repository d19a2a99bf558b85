/** Tools in code: one zod schema for what a model and the filler see, one for what only a route's preset may set. */
import * as z from 'zod'
import { UsherError } from '../errors.ts'
import { visibleFromZod } from '../schema/zod.ts'
import type { CallContext, JsonObject, JsonSchema, Tool, ToolEffects } from '../types.ts'
import { parseEffect } from '../vocabulary/effects.ts'

export interface ToolDefinition<Input extends z.ZodType, PresetOnly extends z.ZodObject> {
  /** One word: letters, digits, `_`, `-`, `.`; up to 128. */
  readonly name: string
  readonly description: string
  readonly input: Input
  readonly presetOnly?: PresetOnly
  /** `{}`: none at all. Left out: unknown, which counts as destructive. */
  readonly effects?: ToolEffects
  readonly run: (args: z.input<Input> & Partial<z.input<PresetOnly>>, call: CallContext) => unknown
}

/** Checks the definition once, here. Throws TOOL_INVALID. */
export function defineTool<Input extends z.ZodType, PresetOnly extends z.ZodObject = z.ZodObject<Record<never, never>>>(definition: ToolDefinition<Input, PresetOnly>): Tool {
  const { name, description, input, presetOnly, effects, run } = definition
  const bad = (what: string) => new UsherError('TOOL_INVALID', `tool ${JSON.stringify(name)}: ${what}`)
  if (typeof name !== 'string' || !/^[A-Za-z0-9_.-]{1,128}$/.test(name)) throw bad('a name is 1 to 128 letters, digits, "_", "-" or "."')
  if (typeof description !== 'string' || description.trim() === '') throw bad('a tool needs a description')
  if (typeof run !== 'function') throw bad('`run` must be a function')
  const seen = visibleFromZod(input)
  if (seen.kind !== 'visible') throw bad(`its input schema cannot be shown: ${seen.reason}`)
  const hidden = presetOnly ? presetProperties(presetOnly) : {}
  const shown = new Set(Object.keys((seen.schema['properties'] ?? {}) as JsonObject))
  for (const key of Object.keys(hidden)) if (shown.has(key)) throw bad(`"${key}" is in both \`input\` and \`presetOnly\``)
  checkEffects(effects, [...shown, ...Object.keys(hidden)], bad)
  return { name, description, visible: seen.schema, presetOnly: hidden, effects, origin: { kind: 'code' }, run: (args, call) => run(args as Parameters<typeof run>[0], call) }
}

function presetProperties(schema: z.ZodObject): Record<string, JsonSchema> {
  const json = z.toJSONSchema(schema, { io: 'input' }) as { properties?: Record<string, JsonSchema> }
  return json.properties ?? {}
}

function checkEffects(effects: ToolEffects | undefined, keys: readonly string[], bad: (what: string) => UsherError): void {
  for (const [key, arms] of Object.entries(effects ?? {})) {
    if (key !== 'always' && !keys.includes(key)) throw bad(`\`effects\` names "${key}", which is neither in \`input\` nor in \`presetOnly\``)
    const patterns = Array.isArray(arms) ? arms : Object.values(arms ?? {}).flat()
    for (const pattern of patterns as readonly unknown[]) {
      if (typeof pattern !== 'string' || parseEffect(pattern) === undefined) throw bad(`${JSON.stringify(pattern)} is no effect; see the vocabulary of effects`)
    }
  }
}
