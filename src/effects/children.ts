/** Children that are watched from inside: the environment that makes them report, and the reading of their reports. */
import { closeSync, openSync, readSync } from 'node:fs'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Effect, Json, JsonObject } from '../types.ts'
import { builtFile } from '../util/built.ts'
import { SEEN_EFFECTS } from '../vocabulary/effects.ts'
import { programOf } from './shell.ts'
import { read } from './text.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** One child (or grandchild) that said it reports. */
export interface ReportingChild { readonly pid: number, readonly ppid: number, readonly watcher: ChildWatcher, readonly argv: readonly string[], readonly at: number }
export type ChildWatcher = 'node-child' | 'python-child'

/**
 * The environment for a child, so that it and the children that inherit it report to a file.
 * Node children get a preload in NODE_OPTIONS, Python children a `sitecustomize` on PYTHONPATH and no byte code written; what stood there stays.
 * @param report absolute path; ChildReports makes the file
 * @param scope absolute path of what `writeScope` writes: the child is held back to what the call in flight may do
 */
export function childEnv(report: string, base: Environment = process.env, scope?: string): Record<string, string> {
  const preload = builtFile(import.meta.url, './child-start.js').href
  const python = fileURLToPath(new URL('../../src/effects/python', import.meta.url))
  const kept = Object.fromEntries(Object.entries(base).filter((entry): entry is [string, string] => entry[1] !== undefined))
  return {
    ...kept,
    USHER_EFFECTS_REPORT: report,
    ...scope === undefined ? {} : { USHER_EFFECTS_SCOPE: scope },
    NODE_OPTIONS: joined([base['NODE_OPTIONS'], `--import=${preload}`], ' '),
    PYTHONPATH: joined([python, base['PYTHONPATH']], delimiter),
    PYTHONDONTWRITEBYTECODE: '1',
  }
}

const joined = (parts: readonly (string | undefined)[], by: string): string => parts.filter(part => part !== undefined && part !== '').join(by)

/** Reads a report file piece by piece. Its lines come from the child: each is checked, and a child that wants to can lie in them. */
export class ChildReports {
  readonly #file: number
  #position = 0
  #rest = Buffer.alloc(0)
  #malformed = 0
  readonly #children: ReportingChild[] = []

  /** Makes the file, for its owner alone. Throws what `open` throws. */
  constructor(file: string) {
    this.#file = openSync(file, 'a+', 0o600)
  }

  /** Has any child reported? False after a call says: nobody in there was watched. */
  get reported(): boolean { return this.#children.length > 0 }
  get children(): readonly ReportingChild[] { return [...this.#children] }
  /** Lines that were no report. */
  get malformed(): number { return this.#malformed }

  /** The effects reported since the last reading, oldest first; a line still being written is left for the next. */
  read(callId: string | null): Effect[] {
    const effects: Effect[] = []
    for (const line of this.#lines()) {
      const value = parsed(line)
      const child = childOf(value)
      const effect = child ? undefined : effectOf(value, callId)
      if (child) this.#children.push(child)
      else if (effect) effects.push(effect)
      else this.#malformed++
    }
    return effects
  }

  close(): void {
    closeSync(this.#file)
  }

  #lines(): string[] {
    const chunk = Buffer.alloc(65_536)
    const chunks = [this.#rest]
    for (let count = readSync(this.#file, chunk, 0, chunk.length, this.#position); count > 0; count = readSync(this.#file, chunk, 0, chunk.length, this.#position)) {
      chunks.push(Buffer.from(chunk.subarray(0, count)))
      this.#position += count
    }
    const all = Buffer.concat(chunks)
    const end = all.lastIndexOf(0x0A) + 1
    this.#rest = all.subarray(end)
    return all.subarray(0, end).toString().split('\n').filter(line => line !== '')
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    // A torn or foreign line: counted as malformed.
    return undefined
  }
}

const isWatcher = (value: unknown): value is ChildWatcher => value === 'node-child' || value === 'python-child'
const words = (value: unknown): string[] => Array.isArray(value) ? value.filter(word => typeof word === 'string') : []

function childOf(value: unknown): ReportingChild | undefined {
  const [pid, ppid, watcher, at] = ['pid', 'ppid', 'watcher', 'at'].map(key => read(value, key))
  if (read(value, 'hello') !== 1 || typeof pid !== 'number' || typeof ppid !== 'number' || typeof at !== 'number' || !isWatcher(watcher)) return undefined
  return { pid, ppid, watcher, at, argv: words(read(value, 'argv')) }
}

function effectOf(value: unknown, callId: string | null): Effect | undefined {
  const [pid, watcher, at, kind, target] = ['pid', 'watcher', 'at', 'kind', 'target'].map(key => read(value, key))
  if (typeof pid !== 'number' || typeof at !== 'number' || !isWatcher(watcher) || typeof kind !== 'string' || typeof target !== 'string') return undefined
  if (!Object.hasOwn(SEEN_EFFECTS, kind)) return undefined
  const { argv, ...detail } = detailOf(read(value, 'detail'))
  const program = kind === 'process.start' && Array.isArray(argv) ? programOf(target, words(argv)) : undefined
  return {
    kind, target: program?.target ?? target, blocked: read(value, 'blocked') === true, callId, at, watcher,
    detail: { ...detail, pid, ...program ? { args: program.args, ...program.shell ? { shell: program.shell } : {} } : {} },
  }
}

/** It came out of JSON.parse, so what is an object is a JSON object. */
const detailOf = (value: unknown): { readonly [key: string]: Json } => typeof value === 'object' && value !== null && !Array.isArray(value) ? value as JsonObject : {}
