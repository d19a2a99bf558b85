/** `extends`: settings that several routes share, without YAML anchors. */
import type { RouteDocument } from './document.ts'
import type { RouteSource, SharedSource } from './format.ts'
import { didYouMean } from './nearest.ts'
import type { Path } from './document.ts'
import type { Place, Problem } from './problem.ts'

/** Settings as written, with the file and place they come from. */
export interface SharedEntry { readonly name: string, readonly source: SharedSource, readonly document: RouteDocument, readonly path: Path, /** Its form is wrong, which is reported: what extends it cannot be judged. */ readonly broken: boolean }

/** A route with its shared settings merged in; `at` finds the place of a setting wherever it was written. */
export interface MergedRoute {
  readonly source: RouteSource
  readonly document: RouteDocument
  at(path: Path, part?: 'key' | 'value'): Place
  within(path: Path, character: number): Place
}

/** Maps of which each key is taken over on its own; `not` is added up, since it only narrows; anything else is replaced. */
const BY_KEY = ['preset', 'limits', 'when', 'lists', 'synonyms'] as const

interface Layer { readonly source: SharedSource, readonly document: RouteDocument, readonly path: Path }

/** Undefined where a name is unknown, broken or goes in a circle: the problem is reported. */
export function mergeRoute(source: RouteSource, document: RouteDocument, path: Path, shared: ReadonlyMap<string, SharedEntry>, report: (problem: Problem) => void): MergedRoute | undefined {
  const own: Layer = { source, document, path }
  const chain = chainOf(own, shared, [], report)
  if (!chain) return undefined
  const layers = [...chain, own]
  const find = (inner: Path): Layer => {
    const [key, second] = inner
    const wanted = key !== undefined && (BY_KEY as readonly unknown[]).includes(key) && second !== undefined ? [key, second] : [key]
    return layers.findLast(layer => has(layer.source, wanted)) ?? own
  }
  return {
    source: { ...layers.reduce(mergeSettings, {}), name: source.name, tool: source.tool, triggers: source.triggers, ...(source.must_fire ? { must_fire: source.must_fire } : {}), ...(source.must_not_fire ? { must_not_fire: source.must_not_fire } : {}) },
    document,
    at: (inner, part) => {
      if (inner[0] === 'not' && typeof inner[1] === 'number') return placeOfNot(layers, inner[1])
      const layer = find(inner)
      return layer.document.at([...layer.path, ...inner], part)
    },
    within: (inner, character) => document.within([...path, ...inner], character),
  }
}

/** The nth phrase of the lists that were added up. */
function placeOfNot(layers: readonly Layer[], nth: number): Place {
  let left = nth
  for (const { source, document, path } of layers) {
    const length = source.not?.length ?? 0
    if (left < length) return document.at([...path, 'not', left])
    left -= length
  }
  throw new RangeError(`there is no phrase ${nth} under \`not\``)
}

function has(source: object, path: readonly (string | number | undefined)[]): boolean {
  let value: unknown = source
  for (const step of path) {
    if (step === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false
    value = (value as { readonly [key: string]: unknown })[step]
  }
  return true
}

/** The shared layers under one, farthest first. */
function chainOf(layer: Layer, shared: ReadonlyMap<string, SharedEntry>, above: readonly string[], report: (problem: Problem) => void): Layer[] | undefined {
  const names = typeof layer.source.extends === 'string' ? [layer.source.extends] : layer.source.extends ?? []
  const layers: Layer[] = []
  for (const [at, name] of names.entries()) {
    const place = layer.document.at([...layer.path, 'extends', ...(typeof layer.source.extends === 'string' ? [] : [at])])
    if (above.includes(name)) {
      report({ ...place, message: `the shared settings go in a circle: ${[...above, name].join(' extends ')}; take one \`extends\` out` })
      return undefined
    }
    const entry = shared.get(name)
    if (!entry) {
      const known = [...shared.keys()]
      report({ ...place, message: `there are no shared settings called ${JSON.stringify(name)}${didYouMean(name, known)}; known: ${known.join(', ') || 'none (write them under `shared:`)'}` })
      return undefined
    }
    if (entry.broken) return undefined
    const under = chainOf(entry, shared, [...above, name], report)
    if (!under) return undefined
    layers.push(...under, entry)
  }
  return layers
}

function mergeSettings(below: SharedSource, layer: Layer): SharedSource {
  const merged: { [key: string]: unknown } = { ...below, ...layer.source }
  for (const key of BY_KEY) {
    if (below[key] && layer.source[key]) merged[key] = { ...below[key], ...layer.source[key] }
  }
  if (below.not && layer.source.not) merged['not'] = [...below.not, ...layer.source.not]
  delete merged['extends']
  return merged as SharedSource
}
