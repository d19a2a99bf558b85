/**
 * The one walker over a schema's places: through properties, map values, items, combinators, conditions and local references, cycles
 * bounded. Lint, arming, filler, dropped keys and budgets all look through it, so that none of them overlooks a corner that another sees.
 */
import type { JsonObject, JsonSchema } from '../types.ts'
import { isRecord } from '../util/records.ts'
import { resolveRef, refsOf } from './refs.ts'
import { keyword, subschemas, token, type Relation } from './subschemas.ts'

/** One schema object, seen at one place of the arguments. Two schemas for one place (allOf, anyOf, `$ref`) give two. */
export interface Place {
  /** JSON Pointer into the arguments; `*` stands for any item or any other key. */
  readonly path: string
  readonly schema: JsonObject
  /** Names of the properties on the way, outermost first; items and map values add none. */
  readonly names: readonly string[]
  /** Reached through anyOf, oneOf, if, then, else, not or a dependent schema: may not apply. */
  readonly conditional: boolean
  /** The schema object whose property (or item, or map value) this is; undefined for the root. */
  readonly parent: JsonObject | undefined
  /** How it hangs below its parent's value. */
  readonly step: Extract<Relation, { kind: 'property' | 'map' | 'item' }> | undefined
}

/** More places than any honest schema has; a walk that ends here says so. */
export const MAX_PLACES = 20_000
/** A reference may come back to itself this often on one way down: once shows what lies below, more adds nothing new. */
const MAX_RETURNS = 2

export interface Walked { readonly places: readonly Place[], /** False: the walk ended at its bound. */ readonly whole: boolean }

interface Frame { readonly place: Place, readonly chain: readonly JsonObject[] }

/** Every place, parents before children, in the order of the schema. */
export function walkSchema(root: JsonSchema): Walked {
  if (!isRecord(root)) return { places: [], whole: true }
  const places: Place[] = []
  const todo: Frame[] = [{ place: { path: '', schema: root, names: [], conditional: false, parent: undefined, step: undefined }, chain: [root] }]
  while (todo.length > 0) {
    const frame = todo.pop() as Frame
    if (places.length >= MAX_PLACES) return { places, whole: false }
    places.push(frame.place)
    todo.push(...next(root, frame).reverse())
  }
  return { places, whole: true }
}

const walks = new WeakMap<JsonObject, Walked>()

/** The walk of a schema that nobody changes: kept as long as the schema object lives. */
export function walkOnce(root: JsonObject): Walked {
  let walked = walks.get(root)
  if (!walked) walks.set(root, walked = walkSchema(root))
  return walked
}

function next(root: JsonObject, { place, chain }: Frame): Frame[] {
  const found: Frame[] = []
  const enter = (schema: JsonSchema, change: Partial<Place>) => {
    if (!isRecord(schema) || chain.filter(seen => seen === schema).length >= MAX_RETURNS) return
    found.push({ place: { ...place, ...change, schema }, chain: [...chain, schema] })
  }
  for (const ref of refsOf(place.schema)) {
    const target = resolveRef(root, ref)
    if (target.kind === 'schema') enter(target.schema, {})
  }
  for (const { schema, relation } of subschemas(place.schema)) {
    if (relation.kind === 'definition' || relation.kind === 'name') continue
    if (relation.kind === 'same') enter(schema, { conditional: place.conditional || relation.conditional })
    else enter(schema, below(place, relation))
  }
  return found
}

function below(place: Place, step: NonNullable<Place['step']>): Partial<Place> {
  const names = step.kind === 'property' ? [...place.names, step.name] : place.names
  return { path: place.path + (step.kind === 'property' ? token(step.name) : '/*'), names, parent: place.schema, step }
}

/* ------------------------------------------------------ the other way round: from a path to its schemas */

/** One value, one schema object that speaks about it. */
export interface Spot { readonly schema: JsonObject, readonly names: readonly string[], readonly conditional: boolean, readonly parent: JsonObject | undefined }

/** All schema objects that speak about the value itself: the schema, what it references, and its branches. */
export function sameValue(root: JsonObject, start: Spot): readonly Spot[] {
  const found: Spot[] = []
  const seen = new Set<JsonObject>()
  const todo: Spot[] = [start]
  for (let spot = todo.shift(); spot !== undefined; spot = todo.shift()) {
    if (seen.has(spot.schema)) continue
    seen.add(spot.schema)
    found.push(spot)
    for (const ref of refsOf(spot.schema)) {
      const target = resolveRef(root, ref)
      if (target.kind === 'schema' && isRecord(target.schema)) todo.push({ ...spot, schema: target.schema })
    }
    for (const { schema, relation } of subschemas(spot.schema)) {
      if (relation.kind === 'same' && isRecord(schema)) todo.push({ ...spot, schema, conditional: spot.conditional || relation.conditional })
    }
  }
  return found
}

/** The schema objects for a path of real keys and indexes; none where the schema says nothing about it. */
export function schemasAt(root: JsonObject, path: readonly string[]): readonly Spot[] {
  let spots = sameValue(root, { schema: root, names: [], conditional: false, parent: undefined })
  for (const name of path) {
    const found = spots.flatMap(spot => childSpots(spot, name)).flatMap(spot => sameValue(root, spot))
    spots = [...new Map(found.map(spot => [spot.schema, spot])).values()]
  }
  return spots
}

/** A name fits every map schema here: a pattern is not run, and reading too much is the safe side for arming. */
function childSpots(spot: Spot, name: string): readonly Spot[] {
  const children: Spot[] = []
  const named = keyword(spot.schema, 'properties')
  const isNamed = isRecord(named) && Object.hasOwn(named, name)
  for (const { schema, relation } of subschemas(spot.schema)) {
    if (!isRecord(schema)) continue
    const below = { schema, conditional: spot.conditional, parent: spot.schema }
    if (relation.kind === 'property' && relation.name === name) children.push({ ...below, names: [...spot.names, name] })
    else if (relation.kind === 'map' && !isNamed) children.push({ ...below, names: [...spot.names, name] })
    else if (relation.kind === 'item' && /^\d+$|^\*$/.test(name) && (relation.index === undefined || relation.index === Number(name))) children.push({ ...below, names: spot.names })
  }
  return children
}
