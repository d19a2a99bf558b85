/** The effects that a route could cause: those of its preset, and of every key that the filler might set. */
import type { EffectPattern, JsonObject, Route, Tool } from '../types.ts'
import { declaredEffects } from '../vocabulary/effects.ts'

export function routeEffects(route: Route, tool: Tool): readonly EffectPattern[] {
  const found = new Set(declaredEffects(tool.effects, route.preset))
  const shown = (tool.visible['properties'] ?? {}) as JsonObject
  for (const [key, arms] of Object.entries(tool.effects ?? {})) {
    if (key === 'always' || arms === undefined || !Object.hasOwn(shown, key) || Object.hasOwn(route.preset, key)) continue
    const patterns = (Array.isArray(arms) ? arms : Object.values(arms).flat()) as readonly EffectPattern[]
    for (const pattern of patterns) found.add(pattern)
  }
  return [...found]
}
