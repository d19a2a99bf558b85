/** What a flag's name says: which of its two values lets an effect happen. */
import { ALSO_NOUNS, CONSENT_VERBS, GLUED_TAILS, GLUED_WORDS, GO_WORDS, MANNER_VERBS, MEASURE_TAILS, MODE_WORDS, NEGATIONS, PHRASES, RISK_WORDS, SAFEGUARDS, SAFE_MODES, STATE_WORDS, VIEW_WORDS, WEAK_VERBS, WITH_DEEDS } from './arming-words.ts'
import { effectVerb, type VerbForm } from './words.ts'

export interface Flag { /** The value that arms. */ readonly arms: boolean, readonly rule: string, readonly why: string }

/** Does the flag choose among what is there? `likely`: it stands beside the parameters of a search; `sure`: in a filter, or its description says so. */
export type FilterSign = 'no' | 'likely' | 'sure'

/** @param asFilter for a filter, a state (`archived`) chooses and does not do */
export function flagOf(name: readonly string[], asFilter: FilterSign): Flag | undefined {
  const words = joined(name.flatMap(cut))
  return safeMode(words) ?? negated(words) ?? viewed(words) ?? done(words, asFilter) ?? risky(words, asFilter)
}

/** A view is never a deed: the search for a rule ends here. */
const NOTHING: Flag = { arms: true, rule: '', why: '' }
export const isFlag = (flag: Flag | undefined): flag is Flag => flag !== undefined && flag.rule !== ''

/** `autopay` is `auto pay`, and `sendmail` is `send mail`. */
function cut(word: string): readonly string[] {
  const tail = effectVerb(word) ? undefined : GLUED_TAILS.find(end => word.endsWith(end) && word.length > end.length + 2 && effectVerb(word.slice(0, -end.length))?.form === 'base')
  if (tail !== undefined) return [word.slice(0, -tail.length), tail]
  const glued = GLUED_WORDS.find(start => word.startsWith(start) && effectVerb(word.slice(start.length))?.form === 'base')
  return glued === undefined || effectVerb(word) ? [word] : [glued, word.slice(glued.length)]
}

/** `shut down` is one verb. */
function joined(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word, index) => PHRASES.has(`${word} ${words[index + 1] ?? ''}`))
  const verb = at < 0 ? undefined : PHRASES.get(`${words[at] ?? ''} ${words[at + 1] ?? ''}`)
  return verb === undefined ? words : [...words.slice(0, at), verb, ...joined(words.slice(at + 2))]
}

function safeMode(words: readonly string[]): Flag | undefined {
  const mode = safeModeIn(words)
  if (!mode) return undefined
  return { arms: false, rule: 'inverted', why: `"${mode}" holds the effect back; false lets it happen` }
}

function safeModeIn(words: readonly string[]): string | undefined {
  for (const mode of SAFE_MODES) {
    const at = words.findIndex((_, index) => mode.every((word, offset) => words[index + offset] === word))
    if (at >= 0 && words.every((word, index) => (index >= at && index < at + mode.length) || MODE_WORDS.has(word))) return mode.join(' ')
  }
  return undefined
}

function negated(words: readonly string[]): Flag | undefined {
  const risks = words.findIndex(word => !RISK_WORDS.has(word))
  const at = risks > 0 ? risks : words[0] !== undefined && STATE_WORDS.has(words[0]) ? 1 : words[0] === 'do' && words[1] === 'not' ? 1 : words[0] === 'should' ? 1 : 0
  const first = words[at]
  if (first === undefined || !NEGATIONS.has(first)) return undefined
  const rest = words.slice(at + 1)
  const guard = rest.find(word => SAFEGUARDS.has(word))
  if (guard) return { arms: true, rule: 'safeguard-off', why: `"${first} ${guard}" takes a safeguard away` }
  const last = rest.at(-1)
  if (last !== undefined && MEASURE_TAILS.has(last)) return undefined
  const verb = rest.map(effectVerb).find(found => found !== undefined)
  return verb ? { arms: false, rule: 'inverted', why: `"${first}" holds "${verb.verb}" back; false lets it happen` } : undefined
}

function viewed(words: readonly string[]): Flag | undefined {
  const first = words[0]
  if (words.length < 2 || first === undefined) return undefined
  const verb = first === 'with' && words.length === 2 ? effectVerb(words[1] ?? '') : undefined
  if (verb?.form === 'base' && !WEAK_VERBS.has(verb.verb) && (!ALSO_NOUNS.has(verb.verb) || WITH_DEEDS.has(verb.verb))) return { arms: true, rule: 'verb', why: `"with ${verb.verb}" says that it happens` }
  return VIEW_WORDS.has(first) || words.at(-1) === 'only' ? NOTHING : undefined
}

function done(words: readonly string[], asFilter: FilterSign): Flag | undefined {
  const last = words.at(-1)
  if (words.length > 1 && last !== undefined && MEASURE_TAILS.has(last)) return undefined
  const state = words.findIndex(word => !STATE_WORDS.has(word))
  if (state < 0) return undefined
  const rest = words.slice(state)
  const start = rest.findIndex(word => !GO_WORDS.has(word))
  const deed = rest.slice(Math.max(start, 0))
  for (const [index, word] of deed.entries()) {
    const verb = effectVerb(word)
    if (verb && armsHere(verb, { first: index === 0, last: index === deed.length - 1, alone: deed.length === 1, pushed: start > 0, state: state > 0, asFilter })) {
      return { arms: true, rule: 'verb', why: `"${word}" says that it happens (${verb.verb})` }
    }
  }
  return undefined
}

interface Standing { readonly first: boolean, readonly last: boolean, readonly alone: boolean, /** `auto_`, `should_`, ... stand before it. */ readonly pushed: boolean, readonly state: boolean, readonly asFilter: FilterSign }

function armsHere({ verb, form }: VerbForm, at: Standing): boolean {
  if (at.state) return MANNER_VERBS.has(verb) && at.first && at.asFilter === 'no' && form === 'past'
  switch (form) {
    case 'base': return WEAK_VERBS.has(verb) ? (at.first && (at.pushed || at.alone)) || (at.last && at.pushed) : ALSO_NOUNS.has(verb) ? at.first : at.first || at.last
    case 'third': return at.first && (at.alone || at.pushed || !ALSO_NOUNS.has(verb))
    case 'past': return (at.last && CONSENT_VERBS.has(verb) && at.asFilter === 'no') || at.alone && (MANNER_VERBS.has(verb) ? at.asFilter !== 'sure' : at.asFilter === 'no') && !WEAK_VERBS.has(verb)
    case 'ing': return at.first && (at.pushed || at.alone) && !WEAK_VERBS.has(verb)
    case 'noun': return at.last && (at.alone || at.pushed || verb === 'agree' || verb === 'accept')
    default: return form satisfies never
  }
}

function risky(words: readonly string[], asFilter: FilterSign): Flag | undefined {
  if (asFilter !== 'no') return undefined
  const bare = words.filter(word => !MODE_WORDS.has(word) && !GO_WORDS.has(word) && !STATE_WORDS.has(word))
  const risk = words.find(word => RISK_WORDS.has(word))
  if (!risk || bare.some(word => !RISK_WORDS.has(word) && effectVerb(word) === undefined) && !['allow', 'allows'].includes(words[0] ?? '')) return undefined
  return { arms: true, rule: 'risk', why: `"${risk}" raises the stakes` }
}
