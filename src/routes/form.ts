/** The form of one file: every way in which it is not what format.ts describes, with its place. */
import type { Path, RouteDocument } from './document.ts'
import { formIssues, knownKeys, SHARED_KEYS, ROUTE_KEYS, type FormIssue } from './format.ts'
import { didYouMean } from './nearest.ts'
import { shown, type Problem } from './problem.ts'
import { quoted } from '../util/mask.ts'

/** What cannot be read further, since its form is wrong: the rest still is, so that one run shows every problem. */
export interface BrokenParts {
  readonly all: boolean
  /** Number of a route -> paths inside it that are wrong. */
  readonly routes: ReadonlyMap<number, readonly Path[]>
  readonly shared: ReadonlySet<string>
}

export function formProblems(document: RouteDocument, report: (problem: Problem) => void): BrokenParts {
  for (const problem of document.problems) report(problem)
  const routes = new Map<number, Path[]>()
  const shared = new Set<string>()
  if (document.value === undefined) return { all: true, routes, shared }
  let all = typeof document.value !== 'object' || document.value === null || Array.isArray(document.value)
  for (const issue of formIssues(document.value)) {
    const [top, at] = issue.path
    if (top === 'routes' && typeof at === 'number') routes.set(at, [...routes.get(at) ?? [], ...issue.keys?.map(key => [...issue.path.slice(2), key]) ?? [issue.path.slice(2)]])
    else if (top === 'shared' && typeof at === 'string') shared.add(at)
    else if (top === 'routes' || top === 'shared') all = true
    reportIssue(document, issue, report)
  }
  return { all, routes, shared }
}

function reportIssue(document: RouteDocument, { path, wanted, keys }: FormIssue, report: (problem: Problem) => void): void {
  for (const key of keys ?? []) report({ ...document.at([...path, key], 'key'), message: unknownKey(path, key) })
  if (keys) return
  const seen = valueAt(document.value, path)
  const last = path[path.length - 1]
  const name = path.length === 0 ? 'the file' : typeof last === 'number' ? `item ${last + 1}${path.length > 1 ? ` of \`${String(path[path.length - 2])}\`` : ''}` : `\`${String(last)}\``
  report({ ...document.at(path), message: seen === undefined ? `${name} is missing; write ${wanted}` : `${name} is ${shown(seen)}; write ${wanted}` })
}

function unknownKey(path: FormIssue['path'], key: string): string {
  const known = knownKeys(path)
  if (path[0] === 'shared' && path.length === 2 && ROUTE_KEYS.includes(key)) return `the key ${quoted(key)} cannot be shared: it is each route's own; keys that can: ${SHARED_KEYS.join(', ')}`
  return `the key ${quoted(key)} is not known here${didYouMean(key, known)}; known: ${known.join(', ')}`
}

function valueAt(root: unknown, path: FormIssue['path']): unknown {
  let value = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as { readonly [key: string | number]: unknown })[step]
  }
  return value
}
