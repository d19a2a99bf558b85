/** Heads for a table: which routes may have one, where their vectors and files come from, and the calibration beside the route files. */
import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { routeEffects } from './decide/effects.ts'
import { UsherError } from './errors.ts'
import { buildHead, fitHead, type BuiltHead, type HeadOptions } from './heads/build.ts'
import { headOfHash, type HeadCache } from './heads/cache.ts'
import { Head } from './heads/head.ts'
import { HeadMatcher } from './heads/matcher.ts'
import type { HeadRoute } from './heads/rows.ts'
import { readSideFile, SIDE_FILE } from './heads/side-file.ts'
import { readSealed, writeSealed } from './match/files.ts'
import { phraseWords } from './match/phrase-words.ts'
import { VectorStore } from './match/vectors.ts'
import type { Embedder, Matcher } from './ports.ts'
import type { Route, RouteTable, Tool } from './types.ts'

export interface TableHeadOptions {
  readonly table: RouteTable
  readonly tools: ReadonlyMap<string, Tool>
  readonly embedder: Embedder
  readonly cacheDir?: string
  /** A file of usher calibrate; default: the one beside the route files, where there is one; `false`: none. */
  readonly calibration?: string | false
  readonly onProgress?: (done: number, total: number) => void
}

/** The matcher with a head before it, or the same matcher where no route has enough phrases. Throws ROUTES_INVALID or ENCODER_MISMATCH for a calibration that cannot be used. */
export async function withHead(matcher: Matcher, options: TableHeadOptions): Promise<Matcher> {
  const head = await buildHead(headOptions(options))
  return head ? new HeadMatcher(matcher, head) : matcher
}

/** The same with the head of that hash, as it was then. Throws INDEX_INVALID where the cache no longer has it. */
export async function withHeadOf(hash: string, matcher: Matcher, cacheDir: string | undefined): Promise<Matcher> {
  const parts = cacheDir === undefined ? undefined : await headOfHash(headCache(cacheDir), hash)
  if (!parts) throw new UsherError('INDEX_INVALID', `the head ${hash.slice(0, 12)} is not in the cache${cacheDir === undefined ? '' : ` ${cacheDir}`} (any more); a decision that it made cannot be made again by it`)
  return new HeadMatcher(matcher, new Head(parts))
}

/** Fits anew, for usher calibrate: with everything that the head rests on. */
export async function tableHead(options: TableHeadOptions): Promise<BuiltHead | undefined> {
  return await fitHead(headOptions(options))
}

/** Where the calibration of a table is, or would be. Undefined: the table came from no file. */
export function sideFileOf(table: RouteTable): string | undefined {
  const [first] = table.files
  return first === undefined ? undefined : join(dirname(first), SIDE_FILE)
}

function headOptions({ table, tools, embedder, cacheDir, calibration, onProgress }: TableHeadOptions): HeadOptions {
  const beside = sideFileOf(table)
  const file = calibration === undefined ? (beside !== undefined && existsSync(beside) ? beside : false) : calibration
  const side = file === false ? undefined : readSideFile(file, embedder.id)
  return {
    encoder: embedder.id,
    routes: [...table.routes.values()].map(route => headRoute(route, tools.get(route.tool))),
    vectors: async texts => await (await VectorStore.open(cacheDir, embedder.id, embedder.dimension)).vectors(texts, async text => (await embedder.embed(text)).vector, onProgress),
    ...(cacheDir === undefined ? {} : { cache: headCache(cacheDir) }),
    ...(side ? { calibration: side } : {}),
  }
}

/** A tool that does not say what it does counts as destructive, here as everywhere. */
export function headRoute(route: Route, tool: Tool | undefined): HeadRoute {
  return {
    name: route.name,
    free: tool !== undefined && tool.effects !== undefined && routeEffects(route, tool).length === 0 && route.thresholdSet !== true,
    phrases: route.phrases.map(({ text, template, parts }) => ({ text: phraseWords(text), template, slots: parts.some(part => part.kind === 'slot') })),
    mustFire: route.mustFire,
    never: [...route.not, ...route.mustNotFire],
  }
}

function headCache(cacheDir: string): HeadCache {
  const folder = join(cacheDir, 'heads')
  return {
    names: async () => {
      const names = await readdir(folder).catch(() => []) // no folder yet: no heads
      const times = await Promise.all(names.map(async name => [name, (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0] as const))
      return times.sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).map(([name]) => name)
    },
    read: (name, expected) => readSealed(join(folder, name), expected),
    write: (name, head, body) => writeSealed(join(folder, name), head, body),
    remove: name => rm(join(folder, name), { force: true }),
  }
}
