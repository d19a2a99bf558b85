/** What is different between two sets of contracts, in sentences for the person who signs, and whether it widens what may happen. */
import { canonicalJson } from '../util/canonical.ts'
import { quoted } from '../util/mask.ts'
import { permits } from '../vocabulary/effects.ts'
import { type Contract, contractEffects, contractKey } from './contract.ts'
import { schemaSentences } from './schema-changes.ts'
import { widening } from './subsume.ts'

export interface Change {
  /** `words`: nothing that may happen is different, only texts. */
  readonly kind: 'widens' | 'narrows' | 'words'
  readonly tool: string
  readonly sentence: string
}

const same = (a: unknown, b: unknown): boolean => canonicalJson(a ?? null) === canonicalJson(b ?? null)

function serverChanges(old: Contract, next: Contract, tool: string): Change[] {
  if (same(old.server, next.server) && same(old.command, next.command)) return []
  const [before, after] = [old.server, next.server]
  if (after && 'url' in after && (!before || !('url' in before) || before.url !== after.url))
    return [{ kind: 'widens', tool, sentence: `${tool} comes from another address: ${quoted(after.url)}` }]
  if (!same(old.command, next.command)) return [{ kind: 'widens', tool, sentence: `${tool} has another command: ${(next.command ?? []).map(quoted).join(' ')}, was ${(old.command ?? []).map(quoted).join(' ')}` }]
  return [{ kind: 'widens', tool, sentence: `${tool} comes from other bytes of its server (another pin or digest)` }]
}

function grantChanges(old: Contract, next: Contract, tool: string): Change[] {
  const list = (kind: Change['kind'], what: string, names: readonly string[]): Change[] => names.map(name => ({ kind, tool, sentence: `${tool} ${what} ${quoted(name)}` }))
  const [before, after] = [contractEffects(old), contractEffects(next)]
  const found = [
    ...list('widens', 'gains the privilege', next.privileges.filter(name => !old.privileges.includes(name))),
    ...list('narrows', 'loses the privilege', old.privileges.filter(name => !next.privileges.includes(name))),
    ...list('widens', 'gains the effect', after.filter(effect => !permits(before, effect))),
    ...list('narrows', 'loses the effect', before.filter(effect => !permits(after, effect))),
  ]
  // The same effects behind other keys: what was armed by a key may now happen without it.
  if (!same(old.effects, next.effects) && !found.some(change => change.sentence.includes(' the effect '))) found.push({ kind: 'widens', tool, sentence: `${tool} ties its effects to other keys` })
  return found
}

function presetChanges(old: Contract, next: Contract, tool: string): Change[] {
  if (same(old.presetOnly, next.presetOnly)) return []
  const gone = Object.keys(old.presetOnly).filter(key => !Object.hasOwn(next.presetOnly, key))
  const fresh = Object.keys(next.presetOnly).filter(key => !Object.hasOwn(old.presetOnly, key) || !same(old.presetOnly[key], next.presetOnly[key]))
  return [
    ...fresh.map((key): Change => ({ kind: 'widens', tool, sentence: `${tool} has the new or changed preset-only parameter ${quoted(key)}` })),
    ...gone.map((key): Change => ({ kind: 'narrows', tool, sentence: `${tool} loses the preset-only parameter ${quoted(key)}` })),
  ]
}

/** Schema, words and claims of one tool. */
function offerChanges(old: Contract, next: Contract, tool: string): Change[] {
  const found: Change[] = []
  const wider = widening(old.inputSchema, next.inputSchema)
  if (wider) found.push({ kind: 'widens', tool, sentence: `${tool}'s schema lets more through: ${wider}` })
  for (const sentence of schemaSentences(old.inputSchema, next.inputSchema)) found.push({ kind: wider ? 'widens' : 'narrows', tool, sentence: `${tool} ${sentence}` })
  if (old.description !== next.description) found.push({ kind: 'words', tool, sentence: `${tool} describes itself in other words` })
  // Hints are claims of the server: one that changes is never a reason to trust it more.
  if (!same(old.annotations, next.annotations)) found.push({ kind: 'widens', tool, sentence: `${tool} makes other claims about itself: ${quoted(canonicalJson(next.annotations ?? {}))}` })
  if (!same(old.outputSchema, next.outputSchema)) found.push({ kind: 'words', tool, sentence: `${tool} promises another form of result` })
  return found
}

/** Every difference. A tool that is new widens; one that is gone narrows. */
export function contractChanges(before: readonly Contract[], after: readonly Contract[]): readonly Change[] {
  const old = new Map(before.map(contract => [contractKey(contract), contract]))
  const next = new Map(after.map(contract => [contractKey(contract), contract]))
  const gone = [...old.keys()].filter(key => !next.has(key)).map((tool): Change => ({ kind: 'narrows', tool, sentence: `${tool} is gone` }))
  const rest = [...next].flatMap(([tool, contract]): Change[] => {
    const was = old.get(tool)
    if (!was) return [{ kind: 'widens', tool, sentence: `${tool} is new, with the privileges ${contract.privileges.join(', ')}` }]
    const found = [...serverChanges(was, contract, tool), ...grantChanges(was, contract, tool), ...presetChanges(was, contract, tool), ...offerChanges(was, contract, tool)]
    if (found.length === 0 && was.wireHash !== contract.wireHash) return [{ kind: 'widens', tool, sentence: `${tool} is sent with something else that the record does not show` }]
    return found
  })
  return [...gone, ...rest]
}
