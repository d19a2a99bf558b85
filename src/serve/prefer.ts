/** `Prefer: respond-async` and `Prefer: wait=N` (RFC 7240): an answer of 202 at once, or after so many seconds. */
export type Prefer = { readonly kind: 'wait' } | { readonly kind: 'async' } | { readonly kind: 'at-most', readonly seconds: number }

/** What is not understood is ignored, as the standard asks. */
export function readPrefer(header: string | undefined): Prefer {
  const wishes = (header ?? '').split(',').map(wish => wish.split(';', 1)[0]?.trim().toLowerCase() ?? '')
  const wait = wishes.map(wish => /^wait\s*=\s*"?(\d{1,5})"?$/.exec(wish)?.[1]).find(found => found !== undefined)
  if (wait !== undefined) return { kind: 'at-most', seconds: Number(wait) }
  return wishes.includes('respond-async') ? { kind: 'async' } : { kind: 'wait' }
}
