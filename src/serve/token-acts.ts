/** Rows of the log that name the tokens file: a token that no such row stands behind lets nobody into a server that runs. */
import { resolve } from 'node:path'
import type { Db } from '../log/db.ts'
import type { CallLog } from '../ports.ts'
import type { TokenStore } from './tokens.ts'

const ACT = 'tokens.write'
const NEWEST = 'SELECT json_extract(body, \'$.about\') FROM rows WHERE kind = \'act\' AND json_extract(body, \'$.act\') = ? AND json_extract(body, \'$.detail.file\') = ? ORDER BY seq DESC LIMIT 1'

/** @param what was done, for people: `add ci as webhook` */
export async function nameTokens(store: TokenStore, log: Pick<CallLog, 'act'>, who: string, what: string, at: number): Promise<void> {
  await log.act({ who, act: ACT, about: store.digest, detail: { file: resolve(store.file), what }, at })
}

/** Undefined: the log names none yet. @param db the log, for reading */
export function namedTokens(db: Db, store: TokenStore): string | undefined {
  return db.prepare(NEWEST).pluck().get(ACT, resolve(store.file)) as string | undefined
}

/**
 * Holds the tokens of a server to the log. What was there at the start is taken and named; where the log named something else, that is said, since the
 * command may have written to another log.
 */
export async function guardTokens(store: TokenStore, log: Pick<CallLog, 'act'>, db: Db, now: () => number, note: (note: string) => void): Promise<void> {
  const before = namedTokens(db, store)
  if (before !== undefined && before !== store.digest) note(`${store.file} is not the one that the log named last; its tokens are ${store.list().map(token => token.name).join(', ') || 'none'}: usher token revoke takes away what is not yours`)
  if (before !== store.digest && (before !== undefined || store.list().length > 0)) await nameTokens(store, log, 'usher', 'start', now())
  store.guard({
    named: digest => namedTokens(db, store) === digest,
    unnamed: (names, digest) => {
      note(`${store.file} has tokens that no person made with "usher token add" (${names.join(', ')}); they let nobody in`)
      Promise.resolve(log.act({ who: 'usher', act: 'tokens.refused', about: digest, detail: { file: resolve(store.file), names }, at: now() }))
        .catch((error: unknown) => note(`that could not be logged: ${error instanceof Error ? error.message : String(error)}`))
    },
  })
}
