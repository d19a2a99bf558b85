/** Small rules in a fixed order; the first that holds decides, and every one that looked is on record. */
import type { GateStep } from '../types.ts'
import { ageRule, duplicateRule, selfRule } from './history.ts'
import { limitsRule } from './limits.ts'
import { effectsRule, modeRule, whenRule } from './owner.ts'
import { breakerRule, stopRule } from './switches.ts'
import type { GateInput, GateRule, Verdict } from './rule.ts'
import { explicitRule, marginRule, sourceRule } from './words.ts'

export const GATE_RULES: readonly GateRule[] = [
  sourceRule, selfRule, explicitRule, marginRule, stopRule, breakerRule, ageRule, duplicateRule, whenRule, effectsRule, limitsRule, modeRule,
]

export function gate(input: GateInput): Verdict {
  const steps: GateStep[] = []
  for (const rule of GATE_RULES) {
    const result = rule.look(input)
    if ('hold' in result) {
      steps.push({ rule: rule.name, passed: false, detail: result.hold.why })
      return { kind: 'hold', steps, hold: result.hold }
    }
    steps.push({ rule: rule.name, passed: true, detail: result.passed })
  }
  return { kind: 'pass', steps, explicit: input.ask !== undefined }
}
