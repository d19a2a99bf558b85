/** The rules that each record of a contract file must keep. Every breach is listed, never only the first. */
import type { Json, JsonObject } from '../types.ts'
import { canonicalJson, sha256 } from '../util/canonical.ts'
import { quoted } from '../util/mask.ts'
import { isRecord } from '../util/records.ts'
import { permits } from '../vocabulary/effects.ts'
import { type Contract, contractEffects } from './contract.ts'
import { type RecordV2, recordV1Schema, recordV2Schema, shapeErrors } from './format.ts'
import { schemaHashV1 } from './hash.ts'
import { unsafeName, unsafeServerName } from './names.ts'
import { isPrivilege, PRIVILEGES, privilegeEffects } from './privileges.ts'
import { problem, type Problem } from './problems.ts'
import { schemaBreaches } from './schema-rules.ts'
import { commandWords, shellCommand } from './shell.ts'

export interface CheckedRecord { readonly contract?: Contract, readonly problems: readonly Problem[] }

function originRules(record: JsonObject, tool: string): Problem[] {
  const found: Problem[] = []
  const { origin, signed_by: signedBy } = record as { readonly origin?: Json, readonly signed_by?: Json }
  if (origin !== 'human') found.push(problem('origin-not-human', tool, `origin is ${quoted(String(origin))}; only a person may write a contract: origin must be "human"`))
  if (typeof signedBy !== 'string' || signedBy.trim() === '') found.push(problem('signed-by-empty', tool, 'signed_by is empty; name the person who answers for this tool'))
  else if (/^\s*model\s*:/i.test(signedBy.normalize('NFKC'))) found.push(problem('signed-by-model', tool, `signed_by is ${quoted(signedBy)}: a model cannot sign`))
  return found
}

function privilegeRules(privileges: Json | undefined, tool: string): Problem[] {
  if (!Array.isArray(privileges) || privileges.length === 0)
    return [problem('privileges-empty', tool, 'privileges is empty; name at least one (a tool that touches nothing has "compute")')]
  return (privileges as readonly Json[]).filter(name => typeof name !== 'string' || !isPrivilege(name))
    .map(name => problem('privilege-unknown', tool, `unknown privilege ${quoted(typeof name === 'string' ? name : JSON.stringify(name))}; known: ${Object.keys(PRIVILEGES).join(', ')}`))
}

function nameRules(name: string, label: string): Problem[] {
  const why = unsafeName(name)
  return why ? [problem('name-unsafe', label, why)] : []
}

function schemaRules(record: JsonObject, tool: string): Problem[] {
  return ['inputSchema', 'outputSchema'].flatMap(field => {
    const schema = record[field]
    return isRecord(schema) ? schemaBreaches(schema, field).map(breach => problem(breach.code, tool, breach.message)) : []
  })
}

/** @param label how the record is called where its name cannot be used, e.g. `tools[3]` */
export function checkRecordV1(raw: Json, label: string): CheckedRecord {
  if (!isRecord(raw)) return { problems: [problem('file-shape', label, 'a tool must be an object')] }
  const tool = typeof raw['name'] === 'string' && raw['name'] !== '' ? raw['name'] : label
  const parsed = recordV1Schema.safeParse(raw)
  const problems = [
    ...parsed.success ? [] : shapeErrors(parsed.error).map(message => problem('file-shape', tool, message)),
    ...typeof raw['name'] === 'string' ? nameRules(raw['name'], tool) : [],
    ...originRules(raw, tool), ...privilegeRules(raw['privileges'], tool), ...commandRules(raw['command'], tool), ...schemaRules(raw, tool), ...hashRuleV1(raw, tool),
  ]
  if (!parsed.success || problems.length > 0) return { problems }
  const { name, command, inputSchema } = parsed.data
  const privileges = raw['privileges'] as readonly string[]
  const contract: Contract = {
    version: 1, name, server: undefined, command: commandWords(command), description: undefined, inputSchema, outputSchema: undefined, annotations: undefined,
    effects: { always: privilegeEffects(privileges) }, privileges, presetOnly: {}, signedBy: raw['signed_by'] as string, wireHash: undefined, contractHash: recordHash(raw),
  }
  return { contract, problems }
}

function commandRules(command: Json | undefined, tool: string): Problem[] {
  const isWords = Array.isArray(command) && command.every(word => typeof word === 'string')
  if (typeof command !== 'string' && !isWords) return []
  const why = shellCommand(command as string | readonly string[])
  return why ? [problem('command-shell', tool, `${why}; name the program itself`)] : []
}

function hashRuleV1(raw: JsonObject, tool: string): Problem[] {
  const claimed = raw['schema_hash']
  if (claimed === undefined) return []
  const real = schemaHashV1(raw)
  return claimed === real ? [] : [problem('hash-mismatch', tool, `schema_hash is ${quoted(String(claimed))}, and the record's is ${real}: it changed after it was hashed`)]
}

function serverRules(record: RecordV2, tool: string): Problem[] {
  const { server } = record
  const unsafe = unsafeServerName(server.name)
  const found: Problem[] = unsafe ? [problem('name-unsafe', tool, unsafe)] : []
  if ('command' in server) {
    found.push(...commandRules(server.command, tool))
    if (server.pins.length === 0) found.push(problem('server-unpinned', tool, 'the server\'s command has no pin; give the digest of its executable or package lock'))
  } else {
    if (!/^[0-9a-f]{64}$/.test(server.digest)) found.push(problem('server-unpinned', tool, `${quoted(server.url)} has no pinned digest; an address alone can change under the contract`))
    const { protocol, hostname } = new URL(server.url)
    if (protocol === 'http:' && !/^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname)) found.push(problem('server-unpinned', tool, `${quoted(server.url)} is plain http to another machine: anybody between may be the server`))
  }
  return found
}

function effectRules(contract: Contract, tool: string): Problem[] {
  const granted = privilegeEffects(contract.privileges)
  const beyond = contractEffects(contract).filter(wanted => wanted !== 'unknown' && !permits(granted, wanted))
  const visible = isRecord(contract.inputSchema['properties']) ? contract.inputSchema['properties'] : {}
  return [
    ...beyond.map(wanted => problem('effects-exceed-privileges', tool, `the effect ${quoted(wanted)} is covered by none of the privileges ${contract.privileges.join(', ')}`)),
    ...Object.keys(contract.presetOnly).filter(key => Object.hasOwn(visible, key)).map(key => problem('preset-only-visible', tool, `${quoted(key)} is preset-only and in the schema that a model sees`)),
  ]
}

/** The schema rules of version 1 are not asked here: a server's schema is as it is, and keys that it does not name never reach the server. */
export function checkRecordV2(raw: Json, label: string): CheckedRecord {
  if (!isRecord(raw)) return { problems: [problem('file-shape', label, 'a tool must be an object')] }
  const tool = typeof raw['name'] === 'string' && raw['name'] !== '' ? raw['name'] : label
  const parsed = recordV2Schema.safeParse(raw)
  const problems = [
    ...parsed.success ? [] : shapeErrors(parsed.error).map(message => problem('file-shape', tool, message)),
    ...typeof raw['name'] === 'string' ? nameRules(raw['name'], tool) : [],
    ...originRules(raw, tool), ...privilegeRules(raw['privileges'], tool), ...hashRuleV1(raw, tool),
    ...parsed.success ? serverRules(parsed.data, tool) : [],
  ]
  if (!parsed.success || problems.length > 0) return { problems }
  const record = parsed.data
  const contract: Contract = {
    version: 2, name: record.name, server: record.server, command: 'command' in record.server ? record.server.command : undefined,
    description: record.description, inputSchema: record.inputSchema, outputSchema: record.outputSchema, annotations: record.annotations,
    effects: record.effects, privileges: record.privileges as readonly string[], presetOnly: record.presetOnly ?? {}, signedBy: record.signed_by as string,
    wireHash: record.wire_hash, contractHash: recordHash(raw),
  }
  const found = effectRules(contract, tool)
  return found.length > 0 ? { problems: found } : { contract, problems: [] }
}

/** Without `draft_note`: a note for the reviewer is no part of the agreement, and nothing behind the loader sees it. */
function recordHash(raw: JsonObject): string {
  return sha256(canonicalJson(Object.fromEntries(Object.entries(raw).filter(([name]) => name !== 'draft_note'))))
}

