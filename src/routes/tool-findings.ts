/** A route beside its tool: what loads and may still be a mistake. */
import { armedPairs } from '../schema/arming.ts'
import type { Route, Tool } from '../types.ts'
import { declaredEffects, permits } from '../vocabulary/effects.ts'
import { finding, type Finding } from './finding.ts'
import { visibleProperties } from './tool-check.ts'

export function toolFindings(route: Route, tool: Tool): Finding[] {
  return [...effectFindings(route, tool), ...slotFindings(route, tool), ...defaultFindings(route, tool)]
}

function effectFindings(route: Route, tool: Tool): Finding[] {
  if (!tool.effects) return [finding('warning', 'effects-undeclared', route, `the tool ${JSON.stringify(tool.name)} ${tool.doubt ?? 'does not say what it causes'}, so every call of this route waits for approval; declare its effects ({} for none)`)]
  const caused = declaredEffects(tool.effects, route.preset)
  const held = caused.filter(effect => !permits(route.allow, effect))
  const idle = route.allow.filter(pattern => !caused.some(effect => permits([pattern], effect) || permits([effect], pattern)))
  return [
    ...(held.length > 0 ? [finding('warning', 'effect-held', route, `the tool ${JSON.stringify(tool.name)} causes ${held.join(', ')} on every call, and the route does not allow it, so every call waits for approval; write \`allow: [${[...route.allow, ...held].join(', ')}]\` if that is meant to happen by itself`)] : []),
    ...(idle.length > 0 ? [finding('info', 'allow-idle', route, `the tool ${JSON.stringify(tool.name)} does not declare ${idle.join(', ')} with this preset, so allowing it changes nothing; take it out of \`allow\``)] : []),
  ]
}

function slotFindings(route: Route, tool: Tool): Finding[] {
  const visible = visibleProperties(tool)
  const findings = new Map<string, Finding>()
  for (const phrase of route.phrases) {
    for (const part of phrase.parts) {
      if (part.kind !== 'slot' || findings.has(part.slot.name)) continue
      const { name } = part.slot
      if (Object.hasOwn(route.preset, name)) findings.set(name, finding('warning', 'slot-preset', route, `the slot {${name}} has the name of a preset key, and the preset always wins; rename the slot, or take the key out of \`preset\``, phrase.line))
      else if (!Object.hasOwn(visible, name)) findings.set(name, finding('warning', 'slot-unused', route, `the slot {${name}} is no parameter of ${JSON.stringify(tool.name)} (${Object.keys(visible).join(', ') || 'it has none'}), so what is said there is not passed on by name; rename the slot, or write words instead`, phrase.line))
    }
  }
  return [...findings.values()]
}

/** A default that arms is applied by whoever serves the tool when the key is left out, so leaving it out is no safety. */
function defaultFindings(route: Route, tool: Tool): Finding[] {
  const armed = armedPairs(tool.visible).filter(pair => pair.isDefault && !Object.hasOwn(route.preset, pair.path.split('/')[1] ?? ''))
  return armed.map(({ path, value, why }) => finding('warning', 'armed-default', route, `the schema of ${JSON.stringify(tool.name)} sets ${path} to ${JSON.stringify(value)} by default (${why}), so every call of this route waits for approval; preset the key to the value that is meant`))
}
