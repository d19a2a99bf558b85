/** One route file as a plain value, with every YAML problem in it and the place of every part. */
import type { Place, Problem } from './problem.ts'
import { strictValue } from './strict.ts'
import { readYaml, type Tree } from './yaml.ts'

export type Path = readonly (string | number)[]

export interface RouteDocument {
  readonly file: string
  /** Plain objects, lists and scalars; undefined where the text is no YAML at all. */
  readonly value: unknown
  readonly problems: readonly Problem[]
  /** Place of the value at a path, or of its nearest parent that exists. `key`: of the key in front of it. */
  at(path: Path, part?: 'key' | 'value'): Place
  /** Place of one character of a text, where the text stands in the file just as it is read; else of the text. */
  within(path: Path, character: number): Place
}

export function readDocument(text: string, file: string): RouteDocument {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  const yaml = readYaml(source)
  const place = (offset: number): Place => ({ file, ...yaml.place(offset) })
  const problems: Problem[] = yaml.problems.map(({ offset, message }) => ({ ...place(offset), message }))
  const report = (offset: number, message: string) => { problems.push({ ...place(offset), message }) }
  const value = yaml.tree && strictValue(yaml.tree, { source, report })
  return {
    file, value, problems,
    at: (path, part = 'value') => place(find(yaml.tree, path, part).offset),
    within: (path, character) => place(characterOffset(yaml.tree, path, character, source)),
  }
}

/** The deepest part of the path that exists. */
function find(root: Tree | undefined, path: Path, part: 'key' | 'value'): { readonly offset: number, readonly tree: Tree | undefined } {
  let tree = root
  let offset = root?.start ?? 0
  for (const [depth, step] of path.entries()) {
    if (tree?.kind === 'map') {
      const entry = tree.entries.find(({ key }) => key.kind === 'scalar' && key.value === step)
      if (!entry) return { offset, tree: undefined }
      tree = entry.value
      offset = part === 'key' && depth === path.length - 1 ? entry.key.start : entry.value.start
    } else {
      tree = tree?.kind === 'list' && typeof step === 'number' ? tree.items[step] : undefined
      if (!tree) return { offset, tree }
      offset = tree.start
    }
  }
  return { offset, tree }
}

function characterOffset(root: Tree | undefined, path: Path, character: number, source: string): number {
  const { offset, tree } = find(root, path, 'value')
  if (tree?.kind !== 'scalar' || typeof tree.value !== 'string' || tree.style === 'block') return offset
  const from = tree.start + (tree.style === 'quoted' ? 1 : 0)
  return source.startsWith(tree.value, from) ? from + character : offset
}
