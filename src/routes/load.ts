/**
 * Route files -> the table that everything else reads. Strict, and all or nothing: with one problem in one file no route is loaded (`closed`),
 * and every problem is named.
 */
import type { Route, RouteTable, Tool } from '../types.ts'
import { buildRoute, sameSentence, type BuiltRoute } from './build.ts'
import { readDocument, type RouteDocument } from './document.ts'
import { findRouteFiles, readRouteFile } from './files.ts'
import { type FileSource, type RouteSource, type SharedSource } from './format.ts'
import { formProblems, type BrokenParts } from './form.ts'
import type { Finding } from './finding.ts'
import { invalidRoutes, placeText, sortProblems, type Place, type Problem } from './problem.ts'
import { mergeRoute, type SharedEntry } from './shared.ts'
import { salvage } from './salvage.ts'
import { routeTable } from './table.ts'
import { checkTool } from './tool-check.ts'
import { toolFindings } from './tool-findings.ts'

export interface LoadOptions {
  /** Given: routes are checked against the tools they call. Keys are tool names as routes write them: `tool` or `server/tool`. */
  readonly tools?: ReadonlyMap<string, Tool>
  /** Told what loads and may still be a mistake. */
  readonly onWarning?: (finding: Finding) => void
}

export type ReadRoutes =
  | { readonly kind: 'table', readonly table: RouteTable, readonly warnings: readonly Finding[] }
  | { readonly kind: 'invalid', readonly problems: readonly Problem[] }

/**
 * Reads files, and the *.yaml and *.yml files of folders (not of their sub-folders). Throws ROUTES_INVALID with every problem as
 * `file:line:column: what was wrong, the value seen, what to write instead`, and ROUTES_MISSING when there is no file.
 */
export function loadRoutes(paths: readonly string[], options: LoadOptions = {}): RouteTable {
  return tableOrThrow(readRoutes(paths, options), options)
}

/** The routes of one text; `fileName` is for messages. */
export function parseRoutes(text: string, fileName = 'routes.yaml', options: LoadOptions = {}): RouteTable {
  return tableOrThrow(readDocuments([readDocument(text, fileName)], [], options), options)
}

/** As loadRoutes, with the problems as a value: for `usher check` and for loading again while running. Throws ROUTES_MISSING only. */
export function readRoutes(paths: readonly string[], options: LoadOptions = {}): ReadRoutes {
  const problems: Problem[] = []
  const documents = findRouteFiles(paths).flatMap(file => {
    const read = readRouteFile(file)
    if (read.kind === 'text') return [readDocument(read.text, file)]
    problems.push(read.problem)
    return []
  })
  return readDocuments(documents, problems, options)
}

function tableOrThrow(read: ReadRoutes, { onWarning }: LoadOptions): RouteTable {
  if (read.kind === 'invalid') throw invalidRoutes(read.problems)
  for (const warning of read.warnings) onWarning?.(warning)
  return read.table
}

function readDocuments(documents: readonly RouteDocument[], before: readonly Problem[], { tools }: LoadOptions): ReadRoutes {
  const problems: Problem[] = [...before]
  const report = (problem: Problem) => { problems.push(problem) }
  const parts = documents.map(document => ({ document, broken: formProblems(document, report) }))
  const shared = collectShared(parts, report)
  const built = parts.flatMap(part => buildFile(part, shared, report))
  checkNames(built, report)
  checkSentences(built, report)
  const warnings = tools ? built.flatMap(route => {
    const tool = checkTool(route, tools, report)
    return tool ? toolFindings(route.route, tool) : []
  }) : []
  if (built.length === 0 && problems.length === 0) report({ file: documents[0]?.file ?? 'routes', line: 1, column: 1, message: 'no route is written here; add one under `routes:`' })
  if (problems.length > 0) return { kind: 'invalid', problems: sortProblems(problems) }
  return { kind: 'table', table: routeTable(built.map(({ route }) => route), documents.map(({ file }) => file)), warnings }
}

interface FilePart { readonly document: RouteDocument, readonly broken: BrokenParts }

/** Shared settings of all files, by name; a broken one is left out, and its own problem is reported already. */
function collectShared(parts: readonly FilePart[], report: (problem: Problem) => void): ReadonlyMap<string, SharedEntry> {
  const shared = new Map<string, SharedEntry>()
  for (const { document, broken } of parts) {
    if (broken.all) continue
    for (const [name, source] of Object.entries((document.value as FileSource).shared ?? {})) {
      const path = ['shared', name]
      const first = shared.get(name)
      if (first) report({ ...document.at(path, 'key'), message: `shared settings called ${JSON.stringify(name)} are already at ${placeText(first.document.at(first.path, 'key'))}; rename one` })
      else shared.set(name, { name, source: source as SharedSource, document, path, broken: broken.shared.has(name) })
    }
  }
  return shared
}

function buildFile({ document, broken }: FilePart, shared: ReadonlyMap<string, SharedEntry>, report: (problem: Problem) => void): BuiltRoute[] {
  if (broken.all) return []
  return ((document.value as FileSource).routes ?? []).flatMap((source, at) => {
    const wrong = broken.routes.get(at)
    const sound = wrong ? salvage(source, wrong) : source as RouteSource
    const merged = sound && mergeRoute(sound, document, ['routes', at], shared, report)
    const built = merged && buildRoute(merged, report)
    return built && !wrong ? [built] : []
  })
}

function checkNames(built: readonly BuiltRoute[], report: (problem: Problem) => void): void {
  const seen = new Map<string, Place>()
  for (const { route, merged } of built) {
    const place = merged.at(['name'])
    const first = seen.get(route.name)
    if (first) report({ ...place, message: `a route called ${JSON.stringify(route.name)} is already at ${placeText(first)}; rename one` })
    else seen.set(route.name, place)
  }
}

/** The very same words cannot ask for two things. One message a pair of triggers: the first sentence they share. */
function checkSentences(built: readonly BuiltRoute[], report: (problem: Problem) => void): void {
  const seen = new Map<string, { readonly route: Route, readonly place: Place }>()
  const said = new Set<string>()
  for (const { route, keys } of built) {
    for (const { key, text, place } of keys) {
      const first = seen.get(key)
      if (!first) seen.set(key, { route, place })
      else if (first.route !== route) {
        const pair = `${placeText(first.place)} ${placeText(place)}`
        if (!said.has(pair)) report({ ...place, message: sameSentence(text, { route: first.route.name, place: first.place }, route.name) })
        said.add(pair)
      }
    }
  }
}
