/** What `verifyLog` can say. */

export interface Fault {
  /** The first row that is not as it was written; 0 where no row is meant (a view, the whole file). */
  readonly seq: number
  readonly kind: 'changed' | 'missing' | 'reordered' | 'cut' | 'rewritten' | 'replaced' | 'schema' | 'damaged' | 'forged'
  readonly detail: string
}

export interface Head { readonly logId: string, readonly seq: number, readonly hash: string }

/** `unanchored`: the rows hold together, but nothing outside the file says that this is all of them. */
export type Verdict =
  | { readonly kind: 'ok', readonly rows: number, readonly head: Head, readonly anchoredAt: number }
  | { readonly kind: 'unanchored', readonly rows: number, readonly head: Head, readonly why: string }
  | { readonly kind: 'broken', readonly rows: number, readonly first: Fault }
