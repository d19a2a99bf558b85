/** The two forms of a contract file. Version 1 is the plain allowlist that people have; version 2 adds server, wire hash, effects and preset-only parameters. */
import { z } from 'zod'
import type { JsonObject, JsonSchema, ToolEffects } from '../types.ts'
import { EFFECT_KINDS, parseEffect } from '../vocabulary/effects.ts'

const jsonObject = z.custom<JsonObject>(value => typeof value === 'object' && value !== null && !Array.isArray(value), 'must be an object')
const words = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])
const hex256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits')
const effect = z.string().refine(pattern => parseEffect(pattern) !== undefined, { error: `must be an effect: ${EFFECT_KINDS.join(', ')}` })
const effects = z.custom<ToolEffects>(value => jsonObject.safeParse(value).success && Object.entries(value as JsonObject).every(([key, arms]) =>
  z.array(effect).safeParse(arms).success || (key !== 'always' && jsonObject.safeParse(arms).success && Object.values(arms as JsonObject).every(list => z.array(effect).safeParse(list).success))),
  'must be `{ always?: [effect], key: [effect] | { value: [effect] } }`, with effects of the closed list')
const presetOnly = z.custom<{ readonly [key: string]: JsonSchema }>(value => jsonObject.safeParse(value).success
  && Object.values(value as JsonObject).every(schema => typeof schema === 'boolean' || jsonObject.safeParse(schema).success), 'must be `{ name: schema }`')

/** Files whose bytes are the server: its executable, script or package lock. */
const pin = z.strictObject({ path: z.string().startsWith('/', 'must be an absolute path'), sha256: hex256 })
const commandServer = z.strictObject({ name: z.string(), command: z.array(z.string().min(1)).min(1), pins: z.array(pin) })
/** `digest`: SHA-256 over canonical JSON of what the server says of itself at `initialize` (serverInfo, capabilities, instructions). */
const urlServer = z.strictObject({ name: z.string(), url: z.url({ protocol: /^https?$/ }), digest: z.string() })
export const serverSchema = z.union([commandServer, urlServer])

export const recordV1Schema = z.looseObject({
  name: z.string(), origin: z.unknown().optional(), signed_by: z.unknown().optional(), privileges: z.unknown().optional(), command: words, inputSchema: jsonObject,
  schema_hash: z.string().optional(), draft_note: z.unknown().optional(),
})
export const recordV2Schema = z.strictObject({
  name: z.string(), server: serverSchema, description: z.string().optional(), inputSchema: jsonObject, outputSchema: jsonObject.optional(), annotations: jsonObject.optional(),
  effects, privileges: z.unknown().optional(), presetOnly: presetOnly.optional(),
  origin: z.unknown().optional(), signed_by: z.unknown().optional(), schema_hash: hex256, wire_hash: hex256, draft_note: z.unknown().optional(),
})
export const fileV1Schema = z.looseObject({ version: z.literal(1), tools: z.array(z.unknown()) })
export const fileV2Schema = z.strictObject({ version: z.literal(2), serial: z.int().min(0), signed_at: z.iso.datetime().optional(), tools: z.array(z.unknown()) })

export type ServerIdentity = z.infer<typeof serverSchema>
export type RecordV2 = z.infer<typeof recordV2Schema>

/** One line for each thing that does not fit, with its place. */
export function shapeErrors(error: z.core.$ZodError): readonly string[] {
  return error.issues.map(issue => `${issue.path.length > 0 ? `\`${issue.path.join('.')}\`: ` : ''}${issue.message}`)
}
