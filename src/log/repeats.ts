/**
 * The same effect again and again in one call: the first has a row of its own, from before it happened; the rest are counted, and each count is a
 * row that names the first. What a call did a thousand times is then two rows, with the exact number.
 */
import type { Effect } from '../types.ts'

/** A count stands for at most this long, in ms, so that `--since` finds it; then the next one is a first again. */
const WINDOW_MS = 60_000
/** Different effects that are remembered. */
const MOST = 2000

/** How often the first one (`of`) happened again, from `since` to the effect's `at`. */
export interface Repeats { readonly effect: Effect, readonly of: string, readonly times: number, readonly since: number }

interface Entry { readonly effect: Effect, readonly began: number, readonly of: string, times: number, since: number, at: number }

export class RepeatedEffects {
  /** By call ('' for none), then by what it is. */
  readonly #calls = new Map<string, Map<string, Entry>>()
  #size = 0

  /** True: the effect is one more of those that have a row. */
  again(effect: Effect): boolean {
    const entry = this.#calls.get(effect.callId ?? '')?.get(keyOf(effect))
    if (!entry || effect.at - entry.began >= WINDOW_MS || effect.at < entry.began) return false
    if (entry.times++ === 0) entry.since = effect.at
    entry.at = effect.at
    return true
  }

  /** @param of the id of the row that it has got. Gives what had to be forgotten for it, and must be written. */
  first(effect: Effect, of: string): readonly Repeats[] {
    const forgotten = this.#size >= MOST ? this.take() : this.#take(effect.callId ?? '', keyOf(effect))
    const call = this.#calls.get(effect.callId ?? '') ?? new Map<string, Entry>()
    this.#calls.set(effect.callId ?? '', call)
    call.set(keyOf(effect), { effect, began: effect.at, of, times: 0, since: effect.at, at: effect.at })
    this.#size++
    return forgotten
  }

  /** What was counted and not written yet: of one call, which is forgotten then, or of all. */
  take(callId?: string | null): readonly Repeats[] {
    const ids = callId === undefined ? [...this.#calls.keys()] : [callId ?? '']
    const found = ids.flatMap(id => [...this.#calls.get(id)?.values() ?? []].flatMap(countOf))
    for (const id of ids) {
      this.#size -= this.#calls.get(id)?.size ?? 0
      this.#calls.delete(id)
    }
    return found
  }

  /** What was counted since the last time; it goes on being counted. */
  soFar(): readonly Repeats[] {
    return [...this.#calls.values()].flatMap(call => [...call.values()]).flatMap(entry => {
      const counted = countOf(entry)
      entry.times = 0
      return counted
    })
  }

  get counted(): boolean {
    return [...this.#calls.values()].some(call => [...call.values()].some(entry => entry.times > 0))
  }

  #take(callId: string, key: string): readonly Repeats[] {
    const call = this.#calls.get(callId)
    const entry = call?.get(key)
    if (!call || !entry) return []
    call.delete(key)
    this.#size--
    return countOf(entry)
  }
}

function countOf({ effect, of, times, since, at }: Entry): Repeats[] {
  return times === 0 ? [] : [{ effect: { ...effect, at }, of, times, since }]
}

/** Which code it was is looked for only the first time, so it tells nothing apart. */
function keyOf({ kind, target, blocked, background, watcher, detail }: Effect): string {
  const own = detail && 'by' in detail ? Object.fromEntries(Object.entries(detail).filter(([name]) => name !== 'by')) : detail
  return `${kind} ${target}\n${blocked ? 1 : 0} ${watcher} ${background ?? ''}\n${own ? JSON.stringify(own) : ''}`
}
