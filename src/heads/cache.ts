/** Fitted heads on disk, found by what they were fitted from, or by their own hash: an old decision is made again by the head that made it. */
import { canonicalJson, sha256 } from '../util/canonical.ts'
import type { HeadFacts, HeadParts, RouteEvidence } from './head.ts'
import type { Vectors } from './kernel.ts'

/** Where a head's files are kept; each appears whole or not at all. Given by assemble.ts. */
export interface HeadCache {
  names(): Promise<readonly string[]>
  /** Undefined: not there, damaged, or a key of `expected` differs. */
  read(name: string, expected: Readonly<Record<string, unknown>>): Promise<{ readonly head: ReadonlyMap<string, unknown>, readonly body: Uint8Array } | undefined>
  write(name: string, head: Readonly<Record<string, unknown>>, body: Uint8Array): Promise<void>
  remove(name: string): Promise<void>
}

const KIND = 'usher-head-1'
/** Heads kept besides the newest, for decisions of before. */
const OLD = 20

/** Everything a decision rests on: the numbers as they are used, and what they mean. */
export function headHash(parts: Omit<HeadParts, 'hash'>): string {
  return sha256(canonicalJson([KIND, factsJson(parts), parts.texts.length, sha256(bytesOf(parts))]))
}

export async function storeHead(cache: HeadCache, inputs: string, parts: HeadParts): Promise<void> {
  await cache.write(`head-${inputs.slice(0, 32)}-${parts.hash}.bin`, { kind: KIND, inputs, hash: parts.hash, facts: factsJson(parts), texts: parts.texts }, bytesOf(parts))
  const heads = (await cache.names()).filter(name => name.startsWith('head-'))
  // Names come oldest first.
  for (const name of heads.slice(0, Math.max(0, heads.length - 1 - OLD))) await cache.remove(name)
}

export async function headOfInputs(cache: HeadCache, inputs: string): Promise<HeadParts | undefined> {
  const name = (await cache.names()).find(other => other.startsWith(`head-${inputs.slice(0, 32)}-`))
  return name === undefined ? undefined : await readHead(cache, name, { kind: KIND, inputs })
}

export async function headOfHash(cache: HeadCache, hash: string): Promise<HeadParts | undefined> {
  const name = (await cache.names()).find(other => other.endsWith(`-${hash}.bin`))
  return name === undefined ? undefined : await readHead(cache, name, { kind: KIND, hash })
}

function factsJson(facts: HeadFacts): Record<string, unknown> {
  const { encoder, routes, evidence, probability, budget, neutral, fired, bound, thin } = facts
  return { encoder, routes, evidence: [...evidence], probability, budget, neutral, fired, bound, thin }
}

function bytesOf({ weights, centres, vectors }: Pick<HeadParts, 'weights' | 'centres' | 'vectors'>): Uint8Array {
  const parts = [weights, centres, ...vectors.flatMap(({ plain, framed }) => [plain, framed])]
  const out = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return new Uint8Array(out.buffer)
}

/** The seal says that the bytes are those that were written, so their shape is taken as it is; a file of another shape counts as none. */
async function readHead(cache: HeadCache, name: string, expected: Readonly<Record<string, unknown>>): Promise<HeadParts | undefined> {
  const found = await cache.read(name, expected)
  const [facts, texts, hash] = [found?.head.get('facts'), found?.head.get('texts'), found?.head.get('hash')]
  if (!found || typeof facts !== 'object' || facts === null || !Array.isArray(texts) || typeof hash !== 'string') return undefined
  const { evidence, ...rest } = facts as Omit<HeadFacts, 'evidence'> & { readonly evidence: readonly (readonly [string, RouteEvidence])[] }
  const numbers = new Float32Array(new Uint8Array(found.body).buffer)
  const outputs = rest.routes.length + 1
  const dimension = (numbers.length - texts.length * outputs) / (rest.routes.length + 2 * texts.length)
  if (!Number.isInteger(dimension) || dimension <= 0) return undefined
  let at = 0
  const take = (length: number): Float32Array => numbers.subarray(at, at += length)
  const weights = take(texts.length * outputs)
  const centres = take(rest.routes.length * dimension)
  const vectors: Vectors[] = texts.map(() => ({ plain: take(dimension), framed: take(dimension) }))
  const parts = { ...rest, evidence: new Map(evidence), texts: texts as string[], vectors, weights, centres }
  // Not by the seal alone: the name in the log is this hash.
  return headHash(parts) === hash ? { ...parts, hash } : undefined
}
