/** What a rule says of the words around a request: nothing against it, or one reason of the vocabulary. */

export interface Objection {
  /** A reason under `not-explicit` in vocabulary/outcomes.ts. */
  readonly reason: string
  readonly why: string
  /** How sure the rule is that it is no ask at all: only a doubtful one is worth an offer. */
  readonly firm: boolean
}

export const object = (reason: string, why: string, firm = true): Objection => ({ reason: `abstain:${reason}`, why, firm })
