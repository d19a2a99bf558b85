/** Every check of a call, and nothing else: no row, no handler. */
import { pathAttempt } from '../contract/control-attempts.ts'
import type { Tool } from '../types.ts'
import { newId } from '../util/ids.ts'
import { quoted } from '../util/mask.ts'
import { declaredEffects } from '../vocabulary/effects.ts'
import { judgeEffects } from './allowed.ts'
import { checkArguments } from './arguments.ts'
import { isPersons, type CallRequest, type ReadyCall, type Refused } from './request.ts'

export function prepareCall(tools: ReadonlyMap<string, Tool>, request: CallRequest, controlFiles: readonly string[] = []): ReadyCall | Refused {
  const tool = tools.get(request.tool)
  if (!tool) return { kind: 'refused', outcome: { kind: 'denied', reason: 'unknown-tool', why: `no tool is called ${JSON.stringify(request.tool)}` } }
  const checked = checkArguments(tool, request)
  if (checked.kind === 'refused') return checked
  const declared = declaredEffects(tool.effects, checked.args)
  const control = isPersons(request) ? undefined : pathAttempt(checked.args, declared, controlFiles)
  if (control !== undefined) return { kind: 'refused', outcome: { kind: 'denied', reason: 'control-plane', why: `${quoted(control)} decides what may happen, so only a person may change it` } }
  const effects = judgeEffects(request.by, tool, declared, request.allow, request.explicit)
  if (effects.kind === 'ask') return { kind: 'refused', outcome: { kind: 'needs-approval', reason: effects.reason, why: effects.why } }
  return { kind: 'ready', callId: newId('c'), request, args: checked.args, declared, allowed: effects.allowed, ignored: checked.ignored }
}
