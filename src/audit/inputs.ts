/** What can be audited besides a command: servers of a client's configuration file, and a list of tools with no server behind it. */
import { readFileSync } from 'node:fs'
import { UsherError } from '../errors.ts'
import type { Json, JsonObject } from '../types.ts'
import { quoted } from '../util/mask.ts'
import { isRecord } from '../util/records.ts'
import { flagTool } from './flags.ts'
import { summarise, type AuditReport, type WatcherState } from './report.ts'
import type { AuditTarget } from './session.ts'

/** Throws BAD_OPTION, naming the file. */
function readJsonFile(option: string, file: string): Json {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new UsherError('BAD_OPTION', `${option} ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
  try {
    return JSON.parse(text) as Json
  } catch (cause) {
    throw new UsherError('BAD_OPTION', `${option} ${file} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

export interface NamedTarget { readonly name: string, readonly target: AuditTarget }

const texts = (value: Json | undefined): { readonly [name: string]: string } => isRecord(value) ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string')) : {}

/** An `mcp.json`-style file: `{"mcpServers": {name: {command, args, env} | {url, headers}}}`, or `servers` in its place. Throws BAD_OPTION. */
export function configTargets(file: string): readonly NamedTarget[] {
  const config = readJsonFile('--config', file)
  const found = isRecord(config) ? config['mcpServers'] ?? config['servers'] : undefined
  const servers = isRecord(found) ? Object.entries(found) : []
  if (servers.length === 0) throw new UsherError('BAD_OPTION', `--config ${file} names no server: it needs {"mcpServers": {"name": {"command": "...", "args": [...]}}}`)
  return servers.map(([name, entry]) => {
    const { command, args, env, url, headers } = isRecord(entry) ? entry : {}
    if (typeof url === 'string') return { name, target: { kind: 'url', url, headers: texts(headers) } }
    if (typeof command !== 'string') throw new UsherError('BAD_OPTION', `--config ${file}: the server ${quoted(name)} has neither a command nor a url`)
    return { name, target: { kind: 'command', command: [command, ...Array.isArray(args) ? args.map(String) : []], env: texts(env) } }
  })
}

const NO_SERVER = 'a list of tools is no server: nothing was called'
const WATCHERS: readonly WatcherState[] = [{ name: 'all', active: false, sees: 'processes, network and files', why: NO_SERVER }]

/**
 * Flags of a tools array as OpenAI's (`{type: "function", function: {name, description, parameters}}`, or flat) or Anthropic's (`{name, input_schema}`)
 * function calling takes it, or of an MCP list. Throws BAD_OPTION.
 */
export function auditToolsJson(file: string): AuditReport {
  const read = readJsonFile('--tools-json', file)
  const list = Array.isArray(read) ? read as readonly Json[] : isRecord(read) && Array.isArray(read['tools']) ? read['tools'] as readonly Json[] : undefined
  if (!list) throw new UsherError('BAD_OPTION', `--tools-json ${file} holds no array of tools`)
  if (list.length === 0) throw new UsherError('BAD_OPTION', `--tools-json ${file} lists no tools: silence is not a pass`)
  const tools = list.map((entry, at) => {
    const tool = asTool(entry)
    return { name: typeof tool['name'] === 'string' ? tool['name'] : `tool ${at}`, flags: flagTool(tool), calls: [], exercised: false }
  })
  return { server: file, tools, watchers: WATCHERS, startUp: [], notes: [NO_SERVER], summary: summarise(tools, false, false) }
}

function asTool(entry: Json): JsonObject {
  const outer = isRecord(entry) ? entry : {}
  const inner = isRecord(outer['function']) ? outer['function'] : outer
  const schema = inner['inputSchema'] ?? inner['input_schema'] ?? inner['parameters']
  const kept = ['name', 'description', 'annotations'].flatMap(name => inner[name] === undefined ? [] : [[name, inner[name]] as const])
  return Object.fromEntries([...kept, ['inputSchema', isRecord(schema) ? schema : { type: 'object' }]]) as JsonObject
}
