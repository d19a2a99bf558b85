/** A message goes past Usher before a model sees it: what its owner asked for in words is done at once, and the model is told. */
import type { HostEvent, Usher } from '../assemble.ts'
import type { Outcome } from '../types.ts'
import { noteOf } from './shown.ts'

export interface Routed {
  /** Something was called: a model's turn may not be needed at all. */
  readonly handled: boolean
  readonly outcomes: readonly Outcome[]
  /** For the model's context: what was done, or why nothing was. Empty where no route came near. */
  readonly note: string
}

/** @param message its `source` is the host's to say: `user` only for what the owner typed. Rejects with BAD_EVENT, QUEUE_FULL or LOG_WRITE_FAILED. */
export async function route(usher: Usher, message: HostEvent): Promise<Routed> {
  const { outcomes } = await usher.handle(message)
  return { handled: outcomes.some(outcome => outcome.kind === 'called'), outcomes, note: noteOf(outcomes) }
}
