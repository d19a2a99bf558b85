/** The reader of a table, with what it must know of every phrase kept between two starts. */
import { join } from 'node:path'
import { featuresOf } from './ask/features.ts'
import { packFeatures, phrasesHash, rulesHash, unpackFeatures } from './ask/features-file.ts'
import { createAskReader } from './ask/reader.ts'
import { readSealed, writeSealed } from './match/files.ts'
import type { AskReader } from './ports.ts'
import type { Route } from './types.ts'

const KIND = 'usher-phrases-1'
/** Of fewer phrases all is found again faster than a file is read and checked. */
const LEAST = 400

/**
 * Reads `phrases.bin` in the cache folder where it is of these phrases and these rules, else makes it.
 * @param cacheDir undefined: nothing is read or written
 */
export async function tableReader(routes: Iterable<Route>, cacheDir: string | undefined): Promise<AskReader> {
  const list = [...routes]
  const count = list.reduce((sum, { phrases }) => sum + phrases.length, 0)
  const rules = cacheDir === undefined || count < LEAST ? undefined : rulesHash()
  if (cacheDir === undefined || rules === undefined) return createAskReader(list)
  const file = join(cacheDir, 'phrases.bin')
  const expected = { kind: KIND, rules, phrases: phrasesHash(list) }
  const stored = await readSealed(file, expected)
  const known = stored && unpackFeatures(stored.body, count)
  if (known) return createAskReader(list, known)
  const features = featuresOf(list)
  await writeSealed(file, expected, packFeatures(features)).catch(() => undefined) // a folder that cannot be written costs the next start its time, and nothing else
  return createAskReader(list, features)
}
