/** What an alignment is: where a pattern lies in a text, what its slots hold, and how sure each word is. */
import type { Slot } from '../types.ts'
import type { Lattice } from './lattice.ts'
import type { Pattern } from './patterns.ts'
import type { SlotEnds } from './slot-ends.ts'
import type { Token } from './tokens.ts'
import type { VerbForm } from './words/prefixes.ts'

export interface SlotFill { readonly slot: Slot, readonly clausal: boolean, readonly possessive: boolean, readonly start: number, readonly end: number, readonly last: boolean }
export interface Alignment {
  readonly pattern: Pattern
  readonly start: number
  readonly end: number
  readonly cost: number
  readonly fills: readonly SlotFill[]
  readonly form: VerbForm
  readonly steps: readonly string[]
  /** Words that stood for others by slip, sound or form. */
  readonly slips: number
  /** Slips that could be another word as well. */
  readonly unsure: number
  readonly exactContent: number
}

export interface Reading {
  readonly tokens: readonly Token[]
  readonly lattice: Lattice
  readonly edits: ReadonlyMap<number, number>
  readonly slotEnds: SlotEnds
  readonly budget: { left: number }
}

/** One way of reading the words so far. */
export interface State {
  readonly cost: number
  readonly fills: readonly SlotFill[]
  readonly steps: readonly string[]
  readonly form: VerbForm
  readonly slips: number
  /** Slips that could be another word as well. */
  readonly unsure: number
  readonly rough: number
  readonly loose: number
  /** Words with a meaning of their own that are as they should be. */
  readonly exact: number
  /** "that's who I want you to ...": what was named first is the object, and no pronoun needs to say so. */
  readonly pointed?: boolean
}
