import type { TriggerIndex } from '../ports.ts'

/** An index that can give back what it was given. */
export interface PhraseIndex extends TriggerIndex {
  /** The vector of a key; undefined: no such key. */
  vector(key: number): Float32Array | undefined
  /** So many of the nearest cost no more than one; absent: each costs. */
  readonly width?: number
}
