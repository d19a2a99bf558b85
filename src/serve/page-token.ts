/** The token that reads: one file, made on first use and kept, so that a bookmark or a scraper goes on after a restart. */
import { UsherError } from '../errors.ts'
import { readPrivate, writePrivate } from './private-files.ts'
import { isSecret, newSecret } from './secrets.ts'

/** Throws SERVE_FAILED for a file that others can read or that holds something else: nothing of the owner's is overwritten. */
export function pageToken(file: string): string {
  const text = readPrivate(file)
  if (text !== undefined && text.trim() !== '') {
    const token = text.trim()
    if (isSecret('page', token)) return token
    throw new UsherError('SERVE_FAILED', `${file} holds something else than a page token; name another file with --token-file, or remove it`)
  }
  const token = newSecret('page')
  writePrivate(file, `${token}\n`)
  return token
}
