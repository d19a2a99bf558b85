/** Keys that a caller gives to be safe (`dryRun`), and what they were meant to be. Losing one in silence makes the real call. */
import { flagOf, isFlag } from './flag-names.ts'
import { walkOnce } from './walk.ts'
import { wordsOf } from './words.ts'
import type { JsonObject } from '../types.ts'
import { latinLook } from '../util/look-alike.ts'

export interface SafetyHit { /** The key as the caller wrote it. */ readonly lost: string, /** The schema's key that it is near, or the key itself where the schema has none of its kind. */ readonly meant: string }

/** Names that mean "do not really do it" by themselves, whatever the schema has. */
const PLAINLY_SAFE: ReadonlySet<string> = new Set(['dryrun', 'simulate', 'simulation', 'noop', 'whatif', 'testmode', 'validateonly', 'readonly', 'previewonly', 'checkonly', 'planonly', 'rehearsal', 'sandbox'])
const FILLERS = /^(?:is|do|use|the|as|enable|set)|(?:mode|flag|enabled|option)$/g

/** One spelling for all casings, separators, compatibility forms and letters that look alike. */
export const foldName = (name: string) => latinLook(name).normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** @param lost the last part of a lost key's path */
export function safetyHit(schema: JsonObject, lost: string): SafetyHit | undefined {
  const folded = foldName(lost)
  for (const key of safetyKeys(schema)) if (isNear(folded, foldName(key))) return { lost, meant: key }
  const bare = folded.replace(FILLERS, '')
  return PLAINLY_SAFE.has(bare) || PLAINLY_SAFE.has(folded) || [...PLAINLY_SAFE].some(name => name.length >= 6 && distance(folded, name) <= 1) ? { lost, meant: safetyKeys(schema)[0] ?? lost } : undefined
}

const kept = new WeakMap<JsonObject, readonly string[]>()

/** Every property of the schema, at any depth, that holds an effect back or takes a safeguard away. */
export function safetyKeys(schema: JsonObject): readonly string[] {
  let keys = kept.get(schema)
  if (!keys) {
    const names = walkOnce(schema).places.flatMap(place => place.step?.kind === 'property' ? [place.step.name] : [])
    kept.set(schema, keys = [...new Set(names)].filter(isSafetyName))
  }
  return keys
}

function isSafetyName(name: string): boolean {
  const words = wordsOf(name)
  const flag = flagOf(words, 'no')
  return isFlag(flag) && (flag.rule === 'inverted' || flag.rule === 'safeguard-off' || words.some(word => word === 'confirm' || word === 'force'))
}

function isNear(lost: string, key: string): boolean {
  if (lost === key) return true
  const bareLost = lost.replace(FILLERS, '')
  const bareKey = key.replace(FILLERS, '')
  if (bareLost !== '' && bareLost === bareKey) return true
  if (Math.min(lost.length, key.length) >= 4 && distance(lost, key) <= (key.length >= 8 ? 2 : 1)) return true
  return bareKey.length >= 5 && (lost.includes(bareKey) || (bareLost.length >= 5 && bareKey.includes(bareLost)))
}

/** Edits (insert, delete, change, swap of neighbours) between two names; both are short or the answer is large at once. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2 || a.length > 64) return 99
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let best = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, (before[j - 2] ?? 0) + 1)
      next.push(best)
    }
    before = row
    row = next
  }
  return row[b.length] ?? 99
}
