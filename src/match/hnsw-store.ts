/**
 * The graph on disk: hnswlib's own file, named by its hash, and a side file that says whose it is. The native reader takes another model's file for a
 * perfect match and a damaged one for a reason to crash, so nothing is read by it before encoder, dimension, metric, shape and checksum are right. Anything else is built anew.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { UsherError } from '../errors.ts'
import { sha256 } from '../util/canonical.ts'
import { fileSha256, ID_BYTES, placeFile, readSealed, writeSealed } from './files.ts'
import { HnswIndex, SHAPE, type Entry, type GraphState } from './hnsw.ts'
import { EF_RULE } from './recall.ts'

const KIND = 'usher-hnsw-1'
/** Above this part of deleted points the graph is built anew. */
const MOST_SPARE = 0.3

export interface HnswStoreOptions {
  /** undefined: nothing is read or written. */
  readonly dir: string | undefined
  readonly encoder: string
  readonly dimension: number
  /** Key -> id of its text. */
  readonly ids: readonly string[]
  /** The vectors of these keys: asked only for texts that the stored graph does not hold. */
  readonly vectorsOf: (keys: readonly number[]) => Promise<readonly Float32Array[]>
}

/** The stored graph, brought up to date, or a new one. */
export async function openHnsw(options: HnswStoreOptions): Promise<HnswIndex> {
  const { ids, dimension, vectorsOf } = options
  const used = new Set(ids)
  const stored = await readStored(options)
  let index = stored?.index
  if (index && index.spare(used) > index.points * MOST_SPARE) index = undefined
  const missing = [...new Map(ids.map((id, key) => [id, key])).entries()].filter(([id]) => !index?.has(id))
  const vectors = missing.length === 0 ? [] : await vectorsOf(missing.map(([, key]) => key))
  const entries: Entry[] = missing.map(([id], place) => ({ id, vector: vectors[place] as Float32Array }))
  const otherRule = index !== undefined && stored?.efRule !== EF_RULE
  const changed = !index || entries.length > 0 || index.known > used.size || otherRule
  if (!index) index = await HnswIndex.build(entries, dimension)
  else if (changed) await index.update(entries, used)
  if (otherRule) await index.chooseWidth()
  if (changed) await writeStored(options, index)
  index.setKeys(ids)
  return index
}

interface Names { readonly side: string, readonly graph: (hash: string) => string }

function names(dir: string, encoder: string): Names {
  const stem = join(dir, `hnsw-${sha256(encoder).slice(0, 16)}`)
  return { side: `${stem}.side`, graph: hash => `${stem}-${hash.slice(0, 16)}.bin` }
}

function expectation({ encoder, dimension }: HnswStoreOptions): Record<string, unknown> {
  return { kind: KIND, encoder, dimension, metric: 'ip', m: SHAPE.m, efConstruction: SHAPE.efConstruction, seed: SHAPE.seed }
}

async function readStored(options: HnswStoreOptions): Promise<{ readonly index: HnswIndex, readonly efRule: unknown } | undefined> {
  if (options.dir === undefined) return undefined
  const { side, graph } = names(options.dir, options.encoder)
  const sealed = await readSealed(side, expectation(options))
  const hash = sealed?.head.get('graph')
  if (!sealed || typeof hash !== 'string') return undefined
  const file = graph(hash)
  try {
    const state = unpack(sealed.head, sealed.body)
    if (!state || await fileSha256(file) !== hash) return undefined
    return { index: await HnswIndex.read(file, options.dimension, state), efRule: sealed.head.get('efRule') }
  } catch {
    return undefined // not there or not readable: it is built anew
  }
}

async function writeStored(options: HnswStoreOptions, index: HnswIndex): Promise<void> {
  if (options.dir === undefined) return
  const { side, graph } = names(options.dir, options.encoder)
  const before = (await readSealed(side, {}))?.head.get('graph')
  let hash = ''
  // Under its hash the file can be taken for no other, also while a second process writes its own.
  await placeFile(graph('new'), async temporary => {
    await index.write(temporary)
    hash = await fileSha256(temporary)
    return graph(hash)
  })
  const { head, body } = pack(index.state)
  await writeSealed(side, { ...expectation(options), graph: hash, ...head }, body)
  if (typeof before === 'string' && before !== hash) await rm(graph(before), { force: true })
}

function pack({ ef, ids, strays }: GraphState): { head: Record<string, unknown>, body: Buffer } {
  const flat = ids.flatMap((list, label) => list.map(id => ({ id, label })))
  const body = Buffer.alloc(flat.length * (ID_BYTES + 4))
  flat.forEach(({ id, label }, place) => {
    body.write(id, place * (ID_BYTES + 4), 'hex')
    body.writeUInt32LE(label, place * (ID_BYTES + 4) + ID_BYTES)
  })
  return { head: { ef, efRule: EF_RULE, strays, points: ids.length }, body }
}

function unpack(head: ReadonlyMap<string, unknown>, body: Buffer): GraphState | undefined {
  const ef = head.get('ef')
  const strays = head.get('strays')
  const points = head.get('points')
  if (typeof ef !== 'number' || typeof points !== 'number' || !Array.isArray(strays) || body.length % (ID_BYTES + 4) !== 0) return undefined
  const ids: string[][] = Array.from({ length: points }, () => [])
  for (let at = 0; at < body.length; at += ID_BYTES + 4) {
    const list = ids[body.readUInt32LE(at + ID_BYTES)]
    if (!list) throw new UsherError('INDEX_INVALID', 'the side file names a point that the graph does not have')
    list.push(body.toString('hex', at, at + ID_BYTES))
  }
  return { ef, ids, strays: strays.filter((label): label is number => Number.isSafeInteger(label) && label >= 0 && label < points) }
}
