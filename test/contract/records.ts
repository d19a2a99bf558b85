/** Contract records for tests, in our own words. */
import type { Json, JsonObject } from '../../src/types.ts'
import { schemaHashV1, wireHash } from '../../src/contract/hash.ts'

export const noteSchema: JsonObject = { type: 'object', properties: { id: { type: 'string' }, limit: { type: 'integer', maximum: 10 } }, required: ['id'], additionalProperties: false }

export function recordV1(change: JsonObject = {}): JsonObject {
  return { name: 'read_note', origin: 'human', signed_by: 'alice', privileges: ['fs.read'], command: ['notes-server', '--read'], inputSchema: noteSchema, ...change }
}

export const noteTool: JsonObject = { name: 'read_note', description: 'Reads one note.', inputSchema: noteSchema }

/** Version 2, with hashes that fit. */
export function recordV2(change: JsonObject = {}, wire: JsonObject = noteTool): JsonObject {
  const record: JsonObject = {
    name: wire['name'] as Json, server: { name: 'notes', command: ['/usr/bin/notes-server'], pins: [{ path: '/usr/bin/notes-server', sha256: 'a'.repeat(64) }] },
    ...wire['description'] === undefined ? {} : { description: wire['description'] as Json }, inputSchema: wire['inputSchema'] as Json,
    effects: {}, privileges: ['fs.read'], origin: 'human', signed_by: 'alice', wire_hash: wireHash(wire), ...change,
  }
  return { ...record, schema_hash: schemaHashV1(record) }
}

export const fileText = (version: 1 | 2, tools: readonly Json[], serial = 1): string =>
  `${JSON.stringify(version === 1 ? { version, tools } : { version, serial, tools }, null, 2)}\n`
