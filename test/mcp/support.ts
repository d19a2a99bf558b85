/** Fixture servers under contracts that are really signed. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ContractStore } from '../../src/contract/store.ts'
import { contractPaths } from '../../src/contract/verify.ts'
import type { CallContext, JsonObject } from '../../src/types.ts'
import { ServerConnection } from '../../src/mcp/connection.ts'
import { fileHash } from '../../src/mcp/identity.ts'
import { judgeTools } from '../../src/mcp/judge.ts'
import { McpToolSource, type SourceOptions } from '../../src/mcp/tool-source.ts'
import { makeKey, scratch, signFile } from '../contract/keys.ts'
import { fileText, recordV2 } from '../contract/records.ts'

export const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/servers/${name}.mjs`, import.meta.url))
export const command = (name: string, ...args: readonly string[]): readonly string[] => [process.execPath, fixture(name), ...args]

const keys = scratch()
const alice = makeKey(keys, 'alice')

export const noteTool: JsonObject = { name: 'read_note', description: 'Reads one note.', inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } }

export async function identity(words: readonly string[], name = 'notes'): Promise<JsonObject> {
  const file = words[1] as string
  return { name, command: words, pins: [{ path: file, sha256: await fileHash(file) }] }
}

/** What a server lists now, as wire values. */
export async function offered(words: readonly string[]): Promise<readonly JsonObject[]> {
  const connection = await ServerConnection.open({ kind: 'command', command: words })
  try {
    return judgeTools(await connection.listTools()).good.map(tool => tool.tool)
  } finally {
    await connection.close()
  }
}

/** A signed contract file for these tools. @param change of a record, by tool name or for all */
export async function signed(words: readonly string[], tools: readonly JsonObject[], change: (tool: JsonObject) => JsonObject = () => ({}), name = 'notes'): Promise<ContractStore> {
  const file = join(scratch(), 'tools.allow.json')
  const server = await identity(words, name)
  const records = tools.map(tool => recordV2({ server, ...tool['annotations'] ? { annotations: tool['annotations'] } : {}, ...tool['outputSchema'] ? { outputSchema: tool['outputSchema'] } : {}, ...change(tool) }, tool))
  writeFileSync(file, fileText(2, records), { mode: 0o644 })
  writeFileSync(join(file, '..', 'allowed_signers'), `alice ${alice.publicLine}\n`, { mode: 0o644 })
  signFile(file, alice)
  return new ContractStore({ paths: contractPaths(file), ownMachine: true })
}

export async function source(words: readonly string[], tools: readonly JsonObject[] = [noteTool], options: Partial<SourceOptions> = {}, change?: (tool: JsonObject) => JsonObject): Promise<McpToolSource> {
  return new McpToolSource({ store: await signed(words, tools, change), server: 'notes', startTimeout: 8000, listTimeout: 4000, callTimeout: 4000, ...options })
}

export const callContext = (): CallContext => ({ callId: 'c-1', by: 'person', signal: new AbortController().signal })
