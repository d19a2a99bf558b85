/** The inverse that a fit needs, kept between starts: when a route changes, only its rows are taken out and put in. */
import type { HeadCache } from './cache.ts'
import { KERNEL, KernelRows, type KernelRow } from './kernel.ts'
import { block, extended, inverse, without, type Square } from './symmetric.ts'

const KIND = 'usher-head-inverse-1'
/** Above this share of changed rows a fresh inverse is as quick. */
const CHANGED = 0.2
/** Each change adds rounding errors of about 1e-13; after so many the inverse is made anew. */
const CHANGES = 50

interface Kept { readonly texts: readonly string[], readonly inverted: Square, readonly changes: number }

/** The inverse of likeness + ridge, in the order of `texts`. */
export async function invertedRows(encoder: string, texts: readonly string[], kernels: readonly KernelRow[], cache: HeadCache | undefined): Promise<Square> {
  const name = `inverse-${KERNEL_ID}.bin`
  const kept = cache && await readKept(cache, name, encoder)
  const patched = kept && kept.changes < CHANGES ? patch(kept, texts, kernels) : undefined
  const inverted = patched ?? inverse(likeness(kernels))
  const changes = patched ? (kept?.changes ?? 0) + (same(kept?.texts ?? [], texts) ? 0 : 1) : 0
  if (cache && !(patched && same(kept?.texts ?? [], texts))) await cache.write(name, { kind: KIND, encoder, texts, changes }, triangle(inverted))
  return inverted
}

const KERNEL_ID = Object.values(KERNEL).join('-')
const same = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((text, at) => text === b[at])

function likeness(kernels: readonly KernelRow[]): Square {
  return symmetrical(new KernelRows(kernels).among())
}

/** Adds the ridge, and makes both halves the same to the last bit. */
function symmetrical({ size, values }: Square): Square {
  for (let i = 0; i < size; i++) {
    values[i * size + i] = (values[i * size + i] as number) + KERNEL.ridge
    for (let j = 0; j < i; j++) values[j * size + i] = values[i * size + j] as number
  }
  return { size, values }
}

function patch(kept: Kept, texts: readonly string[], kernels: readonly KernelRow[]): Square | undefined {
  const wanted = new Map(texts.map((text, at) => [text, at]))
  const had = new Set(kept.texts)
  const gone = kept.texts.flatMap((text, at) => wanted.has(text) ? [] : [at])
  const added = texts.flatMap((text, at) => had.has(text) ? [] : [at])
  if (gone.length + added.length > CHANGED * texts.length) return undefined
  const stay = kept.texts.filter(text => wanted.has(text)).map(text => wanted.get(text) as number)
  const fresh = added.map(at => kernels[at] as KernelRow)
  const before = new KernelRows(stay.map(at => kernels[at] as KernelRow))
  const among = likeness(fresh)
  const grown = extended(without(kept.inverted, gone), fresh.map(row => before.against(row)), among)
  const place = new Map([...stay, ...added].map((at, now) => [at, now]))
  return block(grown, texts.map((_, at) => place.get(at) as number))
}

/** The lower half, row by row: the upper one is the same. */
function triangle({ size, values }: Square): Uint8Array {
  const half = new Float64Array(size * (size + 1) / 2)
  for (let i = 0, at = 0; i < size; at += ++i) half.set(values.subarray(i * size, i * size + i + 1), at)
  return new Uint8Array(half.buffer)
}

async function readKept(cache: HeadCache, name: string, encoder: string): Promise<Kept | undefined> {
  const found = await cache.read(name, { kind: KIND, encoder })
  const [texts, changes] = [found?.head.get('texts'), found?.head.get('changes')]
  if (!found || !Array.isArray(texts) || !texts.every(text => typeof text === 'string') || typeof changes !== 'number') return undefined
  const size = texts.length
  if (found.body.length !== size * (size + 1) / 2 * 8) return undefined
  const half = new Float64Array(new Uint8Array(found.body).buffer)
  const values = new Float64Array(size * size)
  for (let i = 0, at = 0; i < size; i++) {
    for (let j = 0; j <= i; j++, at++) values[i * size + j] = values[j * size + i] = half[at] as number
  }
  return { texts: texts as string[], inverted: { size, values }, changes }
}
