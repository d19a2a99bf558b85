/** Reads what a server offers and what it is, for a draft: nothing of it is called. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { draftRecord } from '../contract/draft.ts'
import { localModules } from '../contract/local-modules.ts'
import { UsherError } from '../errors.ts'
import type { JsonObject } from '../types.ts'
import { type ConnectOptions, ServerConnection, type ServerTarget } from './connection.ts'
import { fileHash, helloDigest } from './identity.ts'
import { type BadTool, judgeTools } from './judge.ts'
import { findProgram } from './find-program.ts'

export interface ServerDraft { readonly server: JsonObject, readonly records: readonly JsonObject[], readonly bad: readonly BadTool[], readonly lookAlikes: readonly (readonly string[])[], readonly strays: readonly string[], readonly missing: readonly string[] }

const LOCK_FILES = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'uv.lock', 'poetry.lock']

/** The nearest lock file above a path: the server's dependencies are its bytes too. */
function lockAbove(path: string): string | undefined {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const found = LOCK_FILES.map(name => join(folder, name)).find(file => existsSync(file))
    if (found) return found
  }
  return undefined
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

/** The command with its program by its full path: a bare name is another program when PATH changes. */
export function resolvedCommand(command: readonly string[], cwd: string = process.cwd()): readonly string[] {
  const [name = '', ...rest] = command
  const program = findProgram(name, process.env['PATH'], cwd)
  if (!program) throw new UsherError('SERVER_FAILED', `there is no program ${JSON.stringify(name)} to start (ENOENT)`)
  return [program, ...rest.map(word => isFile(resolve(cwd, word)) && /[/\\]|\.\w+$/.test(word) ? resolve(cwd, word) : word)]
}

/** Executable, scripts named in the arguments with the local code that they bring along, and the lock file of the first script. */
async function pinsOf(command: readonly string[]): Promise<readonly JsonObject[]> {
  const files = command.filter((word, at) => at === 0 || (word.startsWith('/') && isFile(word))).map(path => realpathSync(path))
  const lock = files.length > 1 ? lockAbove(files[1] as string) : undefined
  const paths = [...new Set([...files, ...files.slice(1).flatMap(localModules), ...lock ? [lock] : []])]
  return Promise.all(paths.map(async path => ({ path, sha256: await fileHash(path) })))
}

/** @param target a command as the owner typed it, or an address. Rejects with SERVER_FAILED. */
export async function draftServer(name: string, target: ServerTarget, options: ConnectOptions = {}): Promise<ServerDraft> {
  const exact: ServerTarget = target.kind === 'command' ? { ...target, command: resolvedCommand(target.command, target.cwd) } : target
  const connection = await ServerConnection.open(exact, options)
  try {
    const { good, bad, lookAlikes } = judgeTools(await connection.listTools())
    if (good.length === 0 && bad.length === 0) throw new UsherError('SERVER_FAILED', 'the server lists no tools: there is nothing to draft')
    const server: JsonObject = exact.kind === 'command' ? { name, command: exact.command, pins: await pinsOf(exact.command) } : { name, url: exact.url, digest: helloDigest(connection.hello) }
    const note = `drafted from what the server offered; fill in privileges and effects, and read the description`
    return { server, records: good.map(tool => draftRecord(tool.tool, server, note)), bad, lookAlikes, strays: connection.strays, missing: connection.missing }
  } finally {
    await connection.close()
  }
}
